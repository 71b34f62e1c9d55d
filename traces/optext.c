/*
 * traces/optext.c - reader of f2sim's op text (traces/optext.h), on top of traces/line_reader.h.
 */
#include "traces/optext.h"

#include <string.h>

#include "traces/line_reader.h"

static int optext_probe(const uint8_t *head, size_t n)
{
	static const char start[] = "# f2sim ops ";
	return n >= sizeof(start) - 1 && memcmp(head, start, sizeof(start) - 1) == 0 ? 100 : 0;
}

static bool parse_line(struct line_reader *r, char *line, GError **why)
{
	struct op op;

	if (line[strspn(line, " \t")] == '#')
		return true;
	if (!optext_parse(line, &op, why))
		return false;
	r->trace.info.records++;
	line_reader_push(r, &op);
	return true;
}

static void optext_close(struct trace *t)
{
	struct line_reader *r = container_of(t, struct line_reader, trace);

	line_reader_fini(r);
	g_free(r);
}

static struct trace *optext_open(const char *const *paths, const struct trace_opts *opts,
				 GError **err)
{
	struct line_reader *r = g_new0(struct line_reader, 1);
	GError *why = NULL;

	if (!line_reader_init(r, &trace_optext, paths[0], opts, parse_line, err)) {
		g_free(r);
		return NULL;
	}
	const char *line = line_reader_header(r, &why);
	if (line && strcmp(line, OPTEXT_HEADER) == 0) {
		r->trace.info.version = g_strdup("1");
		return &r->trace;
	}
	if (why)
		g_propagate_error(err, why);
	else
		trace_error_line(err, paths[0], 1, "expected \"" OPTEXT_HEADER "\", got \"%.40s\"",
				 line ? line : "");
	optext_close(&r->trace);
	return NULL;
}

const struct trace_ops trace_optext = {
	.name = "ops",
	.summary = "f2sim's own op text",
	.probe = optext_probe,
	.open = optext_open,
	.next = line_reader_next,
	.close = optext_close,
};
