# plots/common.gp - the look all figures share; loaded first by each of them.
#
# A figure gets its variables from `gnuplot -e`: series (a run's series.csv), columns (the names in
# its first line, separated by spaces), out (the file to write), term (svg or png), label1 (the run);
# compare_*.gp also series2, columns2, label2.  It reads series.csv only, columns by name.  A counter that a run
# does not have is left out.

set datafile separator ","
if (term eq "svg") {
	set terminal svg size 1200,700 noenhanced font "DejaVu Sans,16" linewidth 1.5 background "white"
} else {
	set terminal pngcairo size 1200,700 noenhanced font "DejaVu Sans,14" linewidth 2 background "white"
}
set output out

# Okabe and Ito's palette: told apart with any colour vision, and in grey by their lightness.
array colour[5] = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00"]

set border 3 linecolor rgb "#555555" linewidth 0.7
set tics out nomirror textcolor rgb "#333333"
set grid ytics linecolor rgb "#DDDDDD" linewidth 0.6 linetype 1
set key bmargin center horizontal Left reverse samplen 2.5 textcolor rgb "#333333"
set title font ",18" textcolor rgb "#111111"
set xlabel "simulated time (s)" offset 0,0.4
set yrange [0:*]
set xrange [0:*]
set format y "%.10g"
set rmargin 4
set bmargin 6

# Number of a counter's column, counted from 1; 0 = that run has no such counter.
position(names, name) = int(sum [i = 1:words(names)] (word(names, i) eq name ? i : 0))
here = columns

# Whose figure it is, for titles.
run = exists("label1") ? ": ".label1 : ""

# A counter's value in this row, and its growth a second since the row before: NaN draws nothing.
# The end of a run is a row of its own; where it follows the last sample closely it shows no rate.
at(col) = col ? column(col) : NaN
rate(row, t, v) = (dt = t - t0, dv = v - v0, t0 = t, v0 = v, full = row == 1 ? dt : full, \
	row == 0 || dt <= 0 || dt < full / 2 ? NaN : dv / dt)
t0 = v0 = dt = dv = full = 0

# Drawn in every figure, so that one without any of its counters is empty axes and not an error.
BASELINE = "0 with lines linewidth 0.7 linecolor rgb '#555555' notitle"

PAGE_MIB = 4096.0 / 1048576
SECTOR_MIB = 512.0 / 1048576
