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
set xtics rotate by 40 right noenhanced ('serial loop on the CPU' 1, 'naive' 2, 'tiles in shared memory' 3, 'unrolled 32 times' 4, 'unrolled by hand, with tests' 5, 'unrolled by hand' 6, 'PTX, with tests' 7, 'PTX' 8, 'several threads per body' 9, 'two GPUs' 10, 'two GPUs, peer copies' 11, 'two GPUs, peer access' 12, 'two GPUs, increments' 13, 'four GPUs' 14, 'four GPUs, increments' 15, 'Pleiad: targets in registers' 16, 'Pleiad: split and reduced' 17, 'Pleiad: symmetric pairs' 18, 'Pleiad: scaled sources' 19, 'Pleiad, one GPU' 20)
set lmargin 20
set key bottom right Left reverse
set multiplot layout 1,1 title 'The optimisation path, stage by stage' noenhanced
set xlabel ''
set xrange [0.5:20.5]
set yrange [0.14840413911745196:5511.085134082173]
$panel0_0 << EOD
1 0.22260620867617792
2 43.37769037421903
3 142.18028698364648
4 193.9771450895533
5 145.11054924427572
6 143.13532504882068
7 145.6759779953935
8 143.03670600528096
9 809.1823725823938

16 69.67911416619539
17 871.0592062079487
18 487.27823526727883
19 472.290389575102
20 1550.7486835575162
EOD
$panel0_1 << EOD
2 1336.9350844203504
3 1719.0757809996853
4 1865.3943940128422
5 1697.9442150906489
6 1710.85266279614
7 1698.437058636564
8 1710.5983310287875
9 1438.3013167087431

16 1713.5982219936523
17 2044.2108808771663
18 3152.1715396190893
19 3376.0542751037488
20 3674.056756054782
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
