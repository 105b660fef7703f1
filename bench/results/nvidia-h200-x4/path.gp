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
set xtics rotate by 40 right noenhanced ('serial loop on the CPU' 1, 'naive' 2, 'tiles in shared memory' 3, 'unrolled 32 times' 4, 'unrolled by hand' 5, 'PTX' 6, 'several threads per body' 7, 'two GPUs' 8, 'two GPUs, peer copies' 9, 'two GPUs, peer access' 10, 'four GPUs' 11, 'Pleiad: targets in registers' 12, 'Pleiad: split and reduced' 13, 'Pleiad: symmetric pairs' 14, 'Pleiad: scaled sources' 15, 'Pleiad, one GPU' 16, 'Pleiad, two GPUs' 17, 'Pleiad, four GPUs' 18)
set lmargin 20
set key bottom right Left reverse
set multiplot layout 1,1 title 'The optimisation path, stage by stage' noenhanced
set xlabel ''
set xrange [0.5:18.5]
set yrange [0.1458924211989107:19157.526152043672]
$panel0_0 << EOD
1 0.21883863179836605
2 43.22955092493063
3 140.07159673890604
4 194.25269006615386
5 143.32641123730895
6 143.6405445586649
7 836.7187711674848
8 114.73630931015818
9 124.49128450495543
10 137.74422197484836
11 135.46008453530584
12 69.45131830707194
13 812.3773054870642
14 381.3003657024794
15 380.60834525619157
16 1369.991962428778
17 1361.0579375763289
18 1370.9823236975085
EOD
$panel0_1 << EOD
2 1337.063022005978
3 1723.95596071163
4 1861.8854019571156
5 1703.8003355016397
6 1697.7390628338972
7 1443.0694314190284
8 3208.093941474062
9 3216.8208400647413
10 3244.2650256125153
11 4733.338977015166
12 1714.6673928648786
13 2048.898892986923
14 3157.8413333743497
15 3362.8203962440043
16 3668.776802561928
17 7055.221636396788
18 12771.684101362449
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
