# plots/device.gp - what the device moved over time.
load "common.gp"
set title "Device throughput".run
set ylabel "MiB/s"

counters = "blk_mq.sectors_read blk_mq.sectors_written"
array label[2] = ["read", "write"]

plot @BASELINE, for [i = 1:2] col = position(here, word(counters, i)) \
	series skip 1 using 1:(rate($0, $1, at(col)) * SECTOR_MIB) with lines linewidth 1.6 \
	linecolor rgb colour[i] title (col ? label[i] : "")
