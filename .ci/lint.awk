# The tree's own rules, checked on every C file: awk -f .ci/lint.awk FILE...
#
# Prints "file:line: rule" for each breach; the exit status is 1 when there was one.  Comments and
# strings are taken out before the code is looked at, so neither can break a rule or hide a breach.

function breach(line, rule) { printf "%s:%d: %s\n", FILENAME, line, rule; bad = 1 }

# Level of a file in sim/ by its noun: mechanism at the bottom, the commands at the top.
function sim_level(path, base) {
	if (path !~ /^sim\//) return -1
	base = path; sub(/^sim\//, "", base); sub(/\.[ch]$/, "", base)
	if (base ~ /^(types|list)$/) return 0
	if (base ~ /^(xarray|event|rng|stat|json|op|tempfile|input|config|conf)(_|$)/) return 1
	if (base ~ /^(cpu|context|task|trace|tracepoint|model|sim|series)(_|$)/) return 2
	if (base ~ /^(report|emit|replay)(_|$)/) return 3
	if (base ~ /^(main|cmd|inspect|progress|simulate|workload)(_|$)/) return 4
	return -1
}

# f2fs_internal.h belongs to the whole family f2fs_*.
function noun(path) { sub(/^.*\//, "", path); sub(/(_internal)?\.[ch]$/, "", path); return path }

# Is @included the header of the same noun: f2fs_node.h for f2fs_node.c and f2fs_node_nat.c?
function own(path, included) { return index(noun(path) "_", noun(included) "_") == 1 || index(noun(included) "_", noun(path) "_") == 1 }

# The commands, and the files beside them that several commands share.
function sees_all(path) { return sim_level(path) == 4 || path ~ /^tests\// }
# Reports, commands, writers; a reader's child process talks to its parent.
function may_print(path) { return sim_level(path) >= 3 || path ~ /^(sim\/json|traces\/.*write|traces\/csv|traces\/optext_format|traces\/tracedat_child|tests\/)/ }

function check_include(inc) {
	if (inc !~ /^(sim|traces|models|tests)\//) breach(FNR, "include \"" inc "\" is not written from the root")
	if (inc ~ /^tests\// && FILENAME !~ /^tests\//) breach(FNR, "tests/ is included by nothing")
	if (sees_all(FILENAME)) return
	if (FILENAME ~ /^sim\// && inc !~ /^sim\//) breach(FNR, "sim/ includes only sim/")
	if (FILENAME ~ /^traces\// && inc !~ /^traces\// && inc !~ /^sim\/(op|types|config|rng|tempfile|input)\.h$/)
		breach(FNR, "traces/ includes only traces/ and sim/{op,types,config,rng,tempfile,input}.h")
	if (FILENAME ~ /^models\// && inc !~ /^(models|sim)\//) breach(FNR, "models/ includes only models/ and sim/")
	if (FILENAME ~ /^sim\// && inc ~ /^sim\// && sim_level(inc) > sim_level(FILENAME))
		breach(FNR, FILENAME " is below " inc)
	if (FILENAME ~ /^models\// && inc ~ /^models\//) later[++nr_later] = FILENAME SUBSEP FNR SUBSEP inc
}

function check_system(inc) {
	if (inc ~ /^archive(_entry)?\.h$/ && FILENAME != "traces/unpack.c") breach(FNR, "archive.h only in traces/unpack.c")
	if (inc ~ /^(lz4|lz4hc|zlib)\.h$/ && FILENAME !~ /^models\/node_codec\.c$/ && FILENAME !~ /^tests\//)
		breach(FNR, inc " only in models/node_codec.c")
}

# Take comments, strings and characters out of a line; in_comment lasts across lines.
function code_of(line, out, c, two, quote) {
	out = ""
	while (line != "") {
		c = substr(line, 1, 1); two = substr(line, 1, 2)
		if (in_comment) {
			if (two == "*/") { in_comment = 0; line = substr(line, 3) } else line = substr(line, 2)
		} else if (two == "/*") { in_comment = 1; line = substr(line, 3)
		} else if (two == "//") { break
		} else if (c == "\"" || c == "'") {
			quote = c; line = substr(line, 2)
			while (line != "" && substr(line, 1, 1) != quote)
				line = substr(line, substr(line, 1, 1) == "\\" ? 3 : 2)
			line = substr(line, 2); out = out "0"
		} else { out = out c; line = substr(line, 2) }
	}
	return out
}

FNR == 1 {
	in_comment = function_start = 0
	if (FILENAME ~ /^models\//) model_files[++nr_models] = FILENAME
	if (FILENAME ~ /^sim\// && sim_level(FILENAME) < 0) breach(1, "no level for this noun in .ci/lint.awk")
}

FNR == 401 { breach(401, "over 400 lines; split by noun") }
FNR <= 30 && /Level [0-9]/ && !(FILENAME in level) { match($0, /Level [0-9]+/); level[FILENAME] = substr($0, RSTART + 6, RLENGTH - 6) + 0 }
/(^|[^A-Za-z0-9_])(TODO|FIXME|XXX)([^A-Za-z0-9_]|$)/ { breach(FNR, "no notes to self in the tree") }
/^#[ \t]*include[ \t]*"/ { split($0, part, "\""); check_include(part[2]) }
/^#[ \t]*include[ \t]*</ { split($0, part, /[<>]/); check_system(part[2]) }
/^#[ \t]*include/ { next }

{
	code = code_of($0)
	if (code ~ /(^|[^A-Za-z0-9_])(v?f?printf|v?dprintf|f?puts|f?putc|putchar|fwrite|perror|g_print|g_printerr)[ \t]*\(/ && !may_print(FILENAME))
		breach(FNR, "stdio output only in sim/ (report, emit, cmd_*, main) and the writers of traces/")
	if (code ~ /(^|[^A-Za-z0-9_])exit[ \t]*\(/ && FILENAME !~ /^(sim\/main\.c|tests\/.*)$/) breach(FNR, "exit() only in sim/main.c")
	if (code ~ /^\{/) function_start = FNR
	if (code ~ /^\}/ && function_start) {
		if (FNR - function_start - 1 > 70) breach(function_start, "a function over 70 lines")
		function_start = 0
	}
}

# Level 0 is what the models talk about (folios, bios, requests): its headers may build on each
# other, and .ci/lint finds a circle.
END {
	for (i = 1; i <= nr_models; i++) {
		path = twin = model_files[i]
		if (!sub(/c$/, "h", twin)) sub(/h$/, "c", twin)
		if (!(path in level) && twin in level) level[path] = level[twin]
		if (!(path in level)) { printf "%s:1: neither %s nor %s says `Level N`\n", path, path, twin; bad = 1 }
	}
	for (i = 1; i <= nr_later; i++) {
		split(later[i], part, SUBSEP)
		from = level[part[1]]; to = level[part[3]]
		if (to > from || (to == from && from > 0 && !own(part[1], part[3]))) {
			printf "%s:%d: level %d may not include %s of level %d\n", part[1], part[2], from, part[3], to; bad = 1 }
	}
	exit bad
}
