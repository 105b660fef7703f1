# Draws gpus: gnuplot gpus.gp
set terminal unknown
if (strstrt(GPVAL_TERMINALS, 'pngcairo') > 0) { set terminal pngcairo size 1100,620 font 'sans,11' } else { set terminal png size 1100,620 }
set output 'gpus.png'
set logscale x 4
set logscale y
set grid
set key outside right center vertical Left reverse
set ylabel '10^9 interactions per second'
set format x '%.0f'
set format y '%g'
set multiplot layout 1,1 title 'Whole steps on NVIDIA H200' noenhanced
set xlabel 'bodies'
set xrange [204.8:1310720]
set yrange [21.70112652921856:22040.484271913716]
$panel0_0 << EOD
256 32.55168979382784
1024 294.7254754018031
4096 1270.5614897535697
16384 2646.062453094156
65536 3330.701035316945
262144 3715.037919056914
1048576 3750.744432261278
EOD
$panel0_1 << EOD
256 32.5944943854345
1024 294.15875643636554
4096 1272.0082336495275
16384 2652.5234496901403
65536 6080.119162749183
262144 7284.246206852545
1048576 7441.061395687023
EOD
$panel0_2 << EOD
256 32.60886107523689
1024 294.32724869486975
4096 1272.906417740866
16384 2647.3876522105397
65536 9855.159705283737
262144 13752.333779206923
1048576 14659.987815418986
EOD
$panel0_3 << EOD
1024 44.497508955336194
4096 331.157631716789
16384 476.83438943713304
65536 508.19129507237056
EOD
$panel0_4 << EOD
1024 36.185591306041005
4096 350.663103133015
16384 853.5669075850283
65536 990.942164990935
EOD
$panel0_5 << EOD
1024 35.44760918583155
4096 354.0254969238476
16384 1521.850948522004
65536 1902.3191030611556
EOD
$panel0_6 << EOD
16384 2169.9266990964393
65536 3329.643018850226
262144 3713.667502149143
1048576 3750.830658722
EOD
$panel0_7 << EOD
16384 2768.247719511069
65536 6073.342061855234
262144 7285.45478790652
1048576 7444.554416991254
EOD
$panel0_8 << EOD
16384 2551.7854485953735
65536 10032.567658446284
262144 13761.06916151357
1048576 14693.656181275812
EOD
set title 'mixed' noenhanced
plot $panel0_0 with linespoints dashtype 1 linecolor rgb '#000000' linewidth 2 pointtype 7 pointsize 1 title 'auto, 1 GPU' noenhanced, \
  $panel0_1 with linespoints dashtype 1 linecolor rgb '#e69f00' linewidth 2 pointtype 7 pointsize 1 title 'auto, 2 GPUs' noenhanced, \
  $panel0_2 with linespoints dashtype 1 linecolor rgb '#56b4e9' linewidth 2 pointtype 7 pointsize 1 title 'auto, 4 GPUs' noenhanced, \
  $panel0_3 with linespoints dashtype 1 linecolor rgb '#009e73' linewidth 2 pointtype 7 pointsize 1 title 'cuda/split-reduced, 1 GPU' noenhanced, \
  $panel0_4 with linespoints dashtype 1 linecolor rgb '#d55e00' linewidth 2 pointtype 7 pointsize 1 title 'cuda/split-reduced, 2 GPUs' noenhanced, \
  $panel0_5 with linespoints dashtype 1 linecolor rgb '#0072b2' linewidth 2 pointtype 7 pointsize 1 title 'cuda/split-reduced, 4 GPUs' noenhanced, \
  $panel0_6 with linespoints dashtype 1 linecolor rgb '#cc79a7' linewidth 2 pointtype 7 pointsize 1 title 'cuda/mixed-symmetric, 1 GPU' noenhanced, \
  $panel0_7 with linespoints dashtype 1 linecolor rgb '#000000' linewidth 2 pointtype 9 pointsize 1 title 'cuda/mixed-symmetric, 2 GPUs' noenhanced, \
  $panel0_8 with linespoints dashtype 1 linecolor rgb '#e69f00' linewidth 2 pointtype 9 pointsize 1 title 'cuda/mixed-symmetric, 4 GPUs' noenhanced
unset multiplot
