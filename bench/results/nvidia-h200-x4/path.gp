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
set yrange [0.1458924211989107:19157.526152043672]
$panel0_0 << EOD
4096 0.21883863179836605
EOD
$panel0_1 << EOD
4096 43.22955092493063
131072 1337.063022005978
EOD
$panel0_2 << EOD
4096 140.07159673890604
131072 1723.95596071163
EOD
$panel0_3 << EOD
4096 194.25269006615386
131072 1861.8854019571156
EOD
$panel0_4 << EOD
4096 143.32641123730895
131072 1703.8003355016397
EOD
$panel0_5 << EOD
4096 143.6405445586649
131072 1697.7390628338972
EOD
$panel0_6 << EOD
4096 836.7187711674848
131072 1443.0694314190284
EOD
$panel0_7 << EOD
4096 114.73630931015818
131072 3208.093941474062
EOD
$panel0_8 << EOD
4096 124.49128450495543
131072 3216.8208400647413
EOD
$panel0_9 << EOD
4096 137.74422197484836
131072 3244.2650256125153
EOD
$panel0_10 << EOD
4096 135.46008453530584
131072 4733.338977015166
EOD
$panel0_11 << EOD
4096 69.45131830707194
131072 1714.6673928648786
EOD
$panel0_12 << EOD
4096 812.3773054870642
131072 2048.898892986923
EOD
$panel0_13 << EOD
4096 381.3003657024794
131072 3157.8413333743497
EOD
$panel0_14 << EOD
4096 380.60834525619157
131072 3362.8203962440043
EOD
$panel0_15 << EOD
4096 1369.991962428778
131072 3668.776802561928
EOD
$panel0_16 << EOD
4096 1361.0579375763289
131072 7055.221636396788
EOD
$panel0_17 << EOD
4096 1370.9823236975085
131072 12771.684101362449
EOD
set title '' noenhanced
plot $panel0_0 with linespoints dashtype 1 linecolor rgb '#000000' linewidth 2 pointtype 7 pointsize 1 title 'serial loop on the CPU' noenhanced, \
  $panel0_1 with linespoints dashtype 1 linecolor rgb '#e69f00' linewidth 2 pointtype 7 pointsize 1 title 'naive' noenhanced, \
  $panel0_2 with linespoints dashtype 1 linecolor rgb '#56b4e9' linewidth 2 pointtype 7 pointsize 1 title 'tiles in shared memory' noenhanced, \
  $panel0_3 with linespoints dashtype 1 linecolor rgb '#009e73' linewidth 2 pointtype 7 pointsize 1 title 'unrolled 32 times' noenhanced, \
  $panel0_4 with linespoints dashtype 1 linecolor rgb '#d55e00' linewidth 2 pointtype 7 pointsize 1 title 'unrolled by hand' noenhanced, \
  $panel0_5 with linespoints dashtype 1 linecolor rgb '#0072b2' linewidth 2 pointtype 7 pointsize 1 title 'PTX' noenhanced, \
  $panel0_6 with linespoints dashtype 1 linecolor rgb '#cc79a7' linewidth 2 pointtype 7 pointsize 1 title 'several threads per body' noenhanced, \
  $panel0_7 with linespoints dashtype 1 linecolor rgb '#000000' linewidth 2 pointtype 9 pointsize 1 title 'two GPUs' noenhanced, \
  $panel0_8 with linespoints dashtype 1 linecolor rgb '#e69f00' linewidth 2 pointtype 9 pointsize 1 title 'two GPUs, peer copies' noenhanced, \
  $panel0_9 with linespoints dashtype 1 linecolor rgb '#56b4e9' linewidth 2 pointtype 9 pointsize 1 title 'two GPUs, peer access' noenhanced, \
  $panel0_10 with linespoints dashtype 1 linecolor rgb '#009e73' linewidth 2 pointtype 9 pointsize 1 title 'four GPUs' noenhanced, \
  $panel0_11 with linespoints dashtype 1 linecolor rgb '#d55e00' linewidth 2 pointtype 9 pointsize 1 title 'Pleiad: targets in registers' noenhanced, \
  $panel0_12 with linespoints dashtype 1 linecolor rgb '#0072b2' linewidth 2 pointtype 9 pointsize 1 title 'Pleiad: split and reduced' noenhanced, \
  $panel0_13 with linespoints dashtype 1 linecolor rgb '#cc79a7' linewidth 2 pointtype 9 pointsize 1 title 'Pleiad: symmetric pairs' noenhanced, \
  $panel0_14 with linespoints dashtype 1 linecolor rgb '#000000' linewidth 2 pointtype 5 pointsize 1 title 'Pleiad: scaled sources' noenhanced, \
  $panel0_15 with linespoints dashtype 1 linecolor rgb '#e69f00' linewidth 2 pointtype 5 pointsize 1 title 'Pleiad, one GPU' noenhanced, \
  $panel0_16 with linespoints dashtype 1 linecolor rgb '#56b4e9' linewidth 2 pointtype 5 pointsize 1 title 'Pleiad, two GPUs' noenhanced, \
  $panel0_17 with linespoints dashtype 1 linecolor rgb '#009e73' linewidth 2 pointtype 5 pointsize 1 title 'Pleiad, four GPUs' noenhanced
unset multiplot
