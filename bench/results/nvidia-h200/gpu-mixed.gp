# Draws gpu-mixed: gnuplot gpu-mixed.gp
set terminal unknown
if (strstrt(GPVAL_TERMINALS, 'pngcairo') > 0) { set terminal pngcairo size 1100,620 font 'sans,11' } else { set terminal png size 1100,620 }
set output 'gpu-mixed.png'
set logscale x 4
set logscale y
set grid
set key outside right center vertical Left reverse
set ylabel '10^9 interactions per second'
set format x '%.0f'
set format y '%g'
set multiplot layout 1,1 title 'Direct sums on NVIDIA H200' noenhanced
set xlabel 'bodies'
set xrange [3276.8:307200]
set yrange [10.340986093908652:5408.913311668696]
$panel0_0 << EOD
4096 19.403701018750812
16384 77.45713727385967
65536 305.8703135415811
245760 381.92380188316105
EOD
$panel0_1 << EOD
4096 43.27593957659854
16384 174.50818058004236
65536 425.8135972714586
245760 425.97989945353504
EOD
$panel0_2 << EOD
4096 24.1362672761714
16384 96.50841680861701
65536 358.25788041479643
245760 410.8155862081506
EOD
$panel0_3 << EOD
4096 64.97558390845822
16384 262.6200090251871
65536 418.72511296267436
245760 452.2365329028932
EOD
$panel0_4 << EOD
4096 38.27757841592565
16384 153.95896462589417
65536 353.83214698181183
245760 399.64959192833885
EOD
$panel0_5 << EOD
4096 56.30845306241312
16384 227.21654599190484
65536 463.8401787808134
245760 440.2523877887812
EOD
$panel0_6 << EOD
4096 43.36901285287638
16384 174.75174731857928
65536 426.30727970861005
245760 423.6690732332859
EOD
$panel0_7 << EOD
4096 50.099188607669795
16384 203.42430156207507
65536 441.55071685038274
245760 429.4218044414126
EOD
$panel0_8 << EOD
4096 19.37788343656773
16384 77.31222253140412
65536 306.49755177407326
245760 382.1516041222351
EOD
$panel0_9 << EOD
4096 19.312925455474332
16384 77.47788221617343
65536 305.62027752099397
245760 381.9577816724155
EOD
$panel0_10 << EOD
4096 18.424514645037746
16384 73.89867609468037
65536 294.9704074870523
245760 438.7284015936906
EOD
$panel0_11 << EOD
4096 317.22159805996506
16384 403.00783209137563
65536 434.3292606237611
245760 448.6508494594757
EOD
$panel0_12 << EOD
4096 375.7439103776525
16384 455.4076096003379
65536 477.13713745986604
245760 481.4346825606138
EOD
$panel0_13 << EOD
4096 333.9414089361513
16384 469.8973549616449
65536 505.3854172763472
245760 527.5631377710794
EOD
$panel0_14 << EOD
4096 15.51147914086298
16384 113.10889470505603
65536 390.7459953321915
245760 421.9901044136316
EOD
$panel0_15 << EOD
4096 43.376190720361656
16384 174.91936748483812
65536 424.20804576527536
245760 424.74480491944183
EOD
$panel0_16 << EOD
4096 51.750865678781864
16384 209.07752068145723
65536 441.9403364177862
245760 425.5378333012354
EOD
$panel0_17 << EOD
4096 43.939659584986344
16384 706.8852969769604
65536 3148.2120799230393
245760 3605.942207779131
EOD
set title 'mixed' noenhanced
plot $panel0_0 with linespoints dashtype 1 linecolor rgb '#000000' linewidth 2 pointtype 7 pointsize 1 title 'cuda/naive' noenhanced, \
  $panel0_1 with linespoints dashtype 1 linecolor rgb '#e69f00' linewidth 2 pointtype 7 pointsize 1 title 'cuda/tile' noenhanced, \
  $panel0_2 with linespoints dashtype 1 linecolor rgb '#56b4e9' linewidth 2 pointtype 7 pointsize 1 title 'cuda/grid-stride' noenhanced, \
  $panel0_3 with linespoints dashtype 1 linecolor rgb '#009e73' linewidth 2 pointtype 7 pointsize 1 title 'cuda/grid-stride-tile' noenhanced, \
  $panel0_4 with linespoints dashtype 1 linecolor rgb '#d55e00' linewidth 2 pointtype 7 pointsize 1 title 'cuda/shuffle' noenhanced, \
  $panel0_5 with linespoints dashtype 1 linecolor rgb '#0072b2' linewidth 2 pointtype 7 pointsize 1 title 'cuda/unroll' noenhanced, \
  $panel0_6 with linespoints dashtype 1 linecolor rgb '#cc79a7' linewidth 2 pointtype 7 pointsize 1 title 'cuda/unroll-by-hand' noenhanced, \
  $panel0_7 with linespoints dashtype 1 linecolor rgb '#000000' linewidth 2 pointtype 9 pointsize 1 title 'cuda/arrays' noenhanced, \
  $panel0_8 with linespoints dashtype 1 linecolor rgb '#e69f00' linewidth 2 pointtype 9 pointsize 1 title 'cuda/plain-loads' noenhanced, \
  $panel0_9 with linespoints dashtype 1 linecolor rgb '#56b4e9' linewidth 2 pointtype 9 pointsize 1 title 'cuda/read-only' noenhanced, \
  $panel0_10 with linespoints dashtype 1 linecolor rgb '#009e73' linewidth 2 pointtype 9 pointsize 1 title 'cuda/targets-in-registers' noenhanced, \
  $panel0_11 with linespoints dashtype 1 linecolor rgb '#d55e00' linewidth 2 pointtype 9 pointsize 1 title 'cuda/threads-per-body' noenhanced, \
  $panel0_12 with linespoints dashtype 1 linecolor rgb '#0072b2' linewidth 2 pointtype 9 pointsize 1 title 'cuda/split-atomics' noenhanced, \
  $panel0_13 with linespoints dashtype 1 linecolor rgb '#cc79a7' linewidth 2 pointtype 9 pointsize 1 title 'cuda/split-reduced' noenhanced, \
  $panel0_14 with linespoints dashtype 1 linecolor rgb '#000000' linewidth 2 pointtype 5 pointsize 1 title 'cuda/managed' noenhanced, \
  $panel0_15 with linespoints dashtype 1 linecolor rgb '#e69f00' linewidth 2 pointtype 5 pointsize 1 title 'cuda/force' noenhanced, \
  $panel0_16 with linespoints dashtype 1 linecolor rgb '#56b4e9' linewidth 2 pointtype 5 pointsize 1 title 'cuda/periodic-2d' noenhanced, \
  $panel0_17 with linespoints dashtype 1 linecolor rgb '#009e73' linewidth 2 pointtype 5 pointsize 1 title 'cuda/mixed-symmetric' noenhanced
unset multiplot
