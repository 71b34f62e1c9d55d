# plots/compare_cache.gp - the page cache of two runs on the same axes: a colour a run, cached
# solid, dirty dashed.
load "common.gp"
set title "Page cache, two runs"
set ylabel "MiB"

counters = "page_writeback.nr_file_pages page_writeback.nr_dirty"
array what[2] = ["cached", "dirty"]
array dash[2] = [1, 2]
there = columns2

plot @BASELINE, for [i = 1:2] col = position(here, word(counters, i)) \
	series skip 1 using 1:(at(col) * PAGE_MIB) with lines linewidth 1.6 dashtype dash[i] \
	linecolor rgb colour[1] title (col ? label1 . ": " . what[i] : ""), \
	for [i = 1:2] col = position(there, word(counters, i)) \
	series2 skip 1 using 1:(at(col) * PAGE_MIB) with lines linewidth 1.6 dashtype dash[i] \
	linecolor rgb colour[2] title (col ? label2 . ": " . what[i] : "")
