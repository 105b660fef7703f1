# Draws path: gnuplot path.gp
set terminal unknown
if (strstrt(GPVAL_TERMINALS, 'pngcairo') > 0) { set terminal pngcairo size 1100,620 font 'sans,11' } else { set terminal png size 1100,620 }
set output 'path.png'
set logscale x 4
set logscale y
set grid
set key outside right center vertical Left reverse
set ylabel '10^9 interactions per second'
set format x '%.0f'
set format y '%g'
set multiplot layout 1,1 title 'The optimisation path' noenhanced
set xlabel 'bodies'
set xrange [3276.8:163840]
set yrange [0.10427876162904239:5496.841643894524]
$panel0_0 << EOD
4096 0.15641814244356358
EOD
$panel0_1 << EOD
4096 43.901026546480914
131072 1337.7026278348408
EOD
$panel0_2 << EOD
4096 142.35351211615412
131072 1724.5928555991293
EOD
$panel0_3 << EOD
4096 193.92935225672605
131072 1871.530346813683
EOD
$panel0_4 << EOD
4096 145.71651229299547
131072 1702.8277345766755
EOD
$panel0_5 << EOD
4096 145.71651229299547
131072 1700.5138441440931
EOD
$panel0_6 << EOD
4096 825.6503885421834
131072 1443.5195993461905
EOD
$panel0_7 << EOD
4096 70.09197724401884
131072 1714.3770959454162
EOD
$panel0_8 << EOD
4096 827.9321085633322
131072 2049.477682528434
EOD
$panel0_9 << EOD
4096 408.4035065583198
131072 3149.6712945532267
EOD
$panel0_10 << EOD
4096 380.88485178891796
131072 3384.059637609304
EOD
$panel0_11 << EOD
4096 1323.1824687303051
131072 3664.561095929683
EOD
set title '' noenhanced
plot $panel0_0 with linespoints dashtype 1 linecolor rgb '#000000' linewidth 2 pointtype 7 pointsize 1 title 'serial loop on the CPU' noenhanced, \
  $panel0_1 with linespoints dashtype 1 linecolor rgb '#e69f00' linewidth 2 pointtype 7 pointsize 1 title 'naive' noenhanced, \
  $panel0_2 with linespoints dashtype 1 linecolor rgb '#56b4e9' linewidth 2 pointtype 7 pointsize 1 title 'tiles in shared memory' noenhanced, \
  $panel0_3 with linespoints dashtype 1 linecolor rgb '#009e73' linewidth 2 pointtype 7 pointsize 1 title 'unrolled 32 times' noenhanced, \
  $panel0_4 with linespoints dashtype 1 linecolor rgb '#d55e00' linewidth 2 pointtype 7 pointsize 1 title 'unrolled by hand' noenhanced, \
  $panel0_5 with linespoints dashtype 1 linecolor rgb '#0072b2' linewidth 2 pointtype 7 pointsize 1 title 'PTX' noenhanced, \
  $panel0_6 with linespoints dashtype 1 linecolor rgb '#cc79a7' linewidth 2 pointtype 7 pointsize 1 title 'several threads per body' noenhanced, \
  $panel0_7 with linespoints dashtype 1 linecolor rgb '#000000' linewidth 2 pointtype 9 pointsize 1 title 'Pleiad: targets in registers' noenhanced, \
  $panel0_8 with linespoints dashtype 1 linecolor rgb '#e69f00' linewidth 2 pointtype 9 pointsize 1 title 'Pleiad: split and reduced' noenhanced, \
  $panel0_9 with linespoints dashtype 1 linecolor rgb '#56b4e9' linewidth 2 pointtype 9 pointsize 1 title 'Pleiad: symmetric pairs' noenhanced, \
  $panel0_10 with linespoints dashtype 1 linecolor rgb '#009e73' linewidth 2 pointtype 9 pointsize 1 title 'Pleiad: scaled sources' noenhanced, \
  $panel0_11 with linespoints dashtype 1 linecolor rgb '#d55e00' linewidth 2 pointtype 9 pointsize 1 title 'Pleiad, one GPU' noenhanced
unset multiplot
