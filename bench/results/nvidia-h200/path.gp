# Draws path: gnuplot path.gp
set terminal unknown
if (strstrt(GPVAL_TERMINALS, 'pngcairo') > 0) { set terminal pngcairo size 1150,780 font 'sans,11' } else { set terminal png size 1150,780 }
set output 'path.png'
set logscale x 4
set logscale y
set grid
set key bottom right
set ylabel '10^9 interactions per second'
set format x '%.0f'
set format y '%g'
unset logscale x
set xtics rotate by 40 right noenhanced ('serial loop on the CPU' 1, 'naive' 2, 'tiles in shared memory' 3, 'unrolled 32 times' 4, 'unrolled by hand' 5, 'PTX' 6, 'several threads per body' 7, 'two GPUs' 8, 'two GPUs, peer copies' 9, 'two GPUs, peer access' 10, 'four GPUs' 11, 'Pleiad: targets in registers' 12, 'Pleiad: split and reduced' 13, 'Pleiad: symmetric pairs' 14, 'Pleiad: scaled sources' 15, 'Pleiad, one GPU' 16)
set lmargin 20
set key top left Left reverse
set multiplot layout 1,1 title 'The optimisation path, stage by stage' noenhanced
set xlabel ''
set xrange [0.5:16.5]
set yrange [0.10427876162904239:5496.841643894524]
$panel0_0 << EOD
1 0.15641814244356358
2 43.901026546480914
3 142.35351211615412
4 193.92935225672605
5 145.71651229299547
6 145.71651229299547
7 825.6503885421834
12 70.09197724401884
13 827.9321085633322
14 408.4035065583198
15 380.88485178891796
16 1323.1824687303051
EOD
$panel0_1 << EOD
2 1337.7026278348408
3 1724.5928555991293
4 1871.530346813683
5 1702.8277345766755
6 1700.5138441440931
7 1443.5195993461905
12 1714.3770959454162
13 2049.477682528434
14 3149.6712945532267
15 3384.059637609304
16 3664.561095929683
EOD
$panel0_2 << EOD
2 12
3 25
4 31
5 34.1
6 34.4
8 46
9 53
10 57
11 34
EOD
$panel0_3 << EOD
2 46
3 69
4 85
5 96.5
6 96.4
8 180
9 181
10 180
11 339
EOD
set title '' noenhanced
plot $panel0_0 with linespoints dashtype 1 linecolor rgb '#d55e00' linewidth 2 pointtype 7 pointsize 1 title 'N = 4096, NVIDIA H200' noenhanced, \
  $panel0_1 with linespoints dashtype 1 linecolor rgb '#0072b2' linewidth 2 pointtype 7 pointsize 1 title 'N = 131072, NVIDIA H200' noenhanced, \
  $panel0_2 with linespoints dashtype 2 linecolor rgb '#d55e00' linewidth 2 pointtype 7 pointsize 1 title 'N = 4096, Tesla K80' noenhanced, \
  $panel0_3 with linespoints dashtype 2 linecolor rgb '#0072b2' linewidth 2 pointtype 7 pointsize 1 title 'N = 131072, Tesla K80' noenhanced
unset multiplot
