# plots/cpu.gp - CPU time by context over time, as a share of one CPU.
load "common.gp"
set title "CPU time by context".run
set ylabel "% of one CPU"

counters = "cpu.task_ns cpu.softirq_ns cpu.hardirq_ns"
array label[3] = ["tasks", "softirq", "hardirq"]

plot @BASELINE, for [i = 1:3] col = position(here, word(counters, i)) \
	series skip 1 using 1:(rate($0, $1, at(col)) / 1e9 * 100) with lines linewidth 1.6 \
	linecolor rgb colour[i] title (col ? label[i] : "")
