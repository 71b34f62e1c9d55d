# plots/cache.gp - what the page cache holds over time: cached, dirty and under writeback.
load "common.gp"
set title "Page cache".run
set ylabel "MiB"

counters = "page_writeback.nr_file_pages page_writeback.nr_dirty page_writeback.nr_writeback"
array label[3] = ["cached", "dirty", "under writeback"]

plot @BASELINE, for [i = 1:3] col = position(here, word(counters, i)) \
	series skip 1 using 1:(at(col) * PAGE_MIB) with lines linewidth 1.6 \
	linecolor rgb colour[i] title (col ? label[i] : "")
