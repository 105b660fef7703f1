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
set xrange [3276.8:327680]
set yrange [12.283441531518513:5559.041577551806]
$panel0_0 << EOD
4096 19.420951440107466
16384 77.22610362158315
65536 305.5513954349722
262144 407.50358496327357
EOD
$panel0_1 << EOD
4096 43.32958701164538
16384 174.47551296527567
65536 426.40750204682394
262144 453.77621698663353
EOD
$panel0_2 << EOD
4096 24.119611751181733
16384 96.62847415762037
65536 358.1947659442056
262144 414.69663288428694
EOD
$panel0_3 << EOD
4096 65.01587353199608
16384 262.40639593038713
65536 418.13159219247126
262144 452.95138821933006
EOD
$panel0_4 << EOD
4096 38.24686294654291
16384 153.94200845083094
65536 354.2477067123949
262144 401.24153844287304
EOD
$panel0_5 << EOD
4096 56.314502685861584
16384 227.17347403790222
65536 463.8177746127716
262144 469.562436854763
EOD
$panel0_6 << EOD
4096 43.394139098312344
16384 174.96314442667577
65536 426.19085010399226
262144 452.60943161216204
EOD
$panel0_7 << EOD
4096 50.08961351772031
16384 203.66136584679182
65536 442.2884202123837
262144 458.56175238401494
EOD
$panel0_8 << EOD
4096 19.48518922739832
16384 77.45070071204736
65536 305.12419993445053
262144 407.40596985764546
EOD
$panel0_9 << EOD
4096 19.433189225714017
16384 77.522277024983
65536 305.0035614478674
262144 407.2797809908319
EOD
$panel0_10 << EOD
4096 18.42516229727777
16384 73.85183197638473
65536 295.16371031291027
262144 468.0180011080559
EOD
$panel0_11 << EOD
4096 312.6810865710659
16384 402.5630121979656
65536 433.9290651148498
262144 442.00058252008034
EOD
$panel0_12 << EOD
4096 354.2486541146167
16384 455.28399573613467
65536 477.10155246274155
262144 481.6983931374655
EOD
$panel0_13 << EOD
4096 328.60419071583607
16384 478.0378270835791
65536 508.8688939762031
262144 527.9376560122365
EOD
$panel0_14 << EOD
4096 25.704172163555533
16384 139.4243894554367
65536 404.6163814278313
262144 449.06172528923844
EOD
$panel0_15 << EOD
4096 43.38695863377905
16384 174.91936748483812
65536 423.65906217311976
262144 453.0302134209956
EOD
$panel0_16 << EOD
4096 51.796876860270054
16384 209.067096606243
65536 441.4780858665436
262144 453.9083000913538
EOD
$panel0_17 << EOD
4096 329.9483968291731
16384 2051.505906801238
65536 3294.252395426987
262144 3706.0277183678704
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
