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
set xtics rotate by 40 right noenhanced ('serial loop on the CPU' 1, 'naive' 2, 'tiles in shared memory' 3, 'unrolled 32 times' 4, 'unrolled by hand, with tests' 5, 'unrolled by hand' 6, 'PTX, with tests' 7, 'PTX' 8, 'several threads per body' 9, 'two GPUs' 10, 'two GPUs, peer copies' 11, 'two GPUs, peer access' 12, 'two GPUs, increments' 13, 'four GPUs' 14, 'four GPUs, increments' 15, 'Pleiad: targets in registers' 16, 'Pleiad: split and reduced' 17, 'Pleiad: symmetric pairs' 18, 'Pleiad: scaled sources' 19, 'Pleiad, one GPU' 20, 'Pleiad, two GPUs' 21)
set lmargin 20
set key bottom right Left reverse
set multiplot layout 1,1 title 'The optimisation path, stage by stage' noenhanced
set xlabel ''
set xrange [0.5:21.5]
set yrange [0.09809160466239762:10782.66950970908]
$panel0_0 << EOD
1 0.14713740699359643
2 43.35898174769827
3 141.91981074218558
4 194.36761477649927
5 145.4034606824096
6 142.88055618465376
7 145.5480768197539
8 142.868940741951
9 806.5098063208708
10 113.54170945544728
11 121.78168047812606
12 136.86081207684072
13 293.362678354938

16 69.69213920524763
17 863.5189034308621
18 474.99987854476944
19 460.6318570856039
20 1550.6021510396822
21 1548.2825884970632
EOD
$panel0_1 << EOD
2 1334.753392061117
3 1720.1744642662077
4 1864.2299813217494
5 1702.3105111340178
6 1715.420477823129
7 1700.6898818872771
8 1713.979805013858
9 1437.545990232813
10 3243.548995237913
11 3271.563693478808
12 3285.0899824166036
13 3667.311514442551

16 1713.5953163233269
17 2046.9970734153108
18 3148.0811829985464
19 3365.5345449872357
20 3675.7059519824625
21 7188.446339806053
EOD
$panel0_2 << EOD
2 12
3 25
4 31
6 34.1
8 34.4
10 46
11 53
12 57
13 57
14 34
15 34
EOD
$panel0_3 << EOD
2 46
3 69
4 85
6 96.5
8 96.4
10 180
11 181
12 180
13 180
14 339
15 339
EOD
set title '' noenhanced
plot $panel0_0 with linespoints dashtype 1 linecolor rgb '#d55e00' linewidth 2 pointtype 7 pointsize 1 title 'N = 4096, NVIDIA H200' noenhanced, \
  $panel0_1 with linespoints dashtype 1 linecolor rgb '#0072b2' linewidth 2 pointtype 7 pointsize 1 title 'N = 131072, NVIDIA H200' noenhanced, \
  $panel0_2 with linespoints dashtype 2 linecolor rgb '#d55e00' linewidth 2 pointtype 7 pointsize 1 title 'N = 4096, Tesla K80' noenhanced, \
  $panel0_3 with linespoints dashtype 2 linecolor rgb '#0072b2' linewidth 2 pointtype 7 pointsize 1 title 'N = 131072, Tesla K80' noenhanced
unset multiplot
