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
set yrange [12.284737018146169:5530.361468026234]
$panel0_0 << EOD
4096 19.32859050946083
16384 77.42532455029915
65536 306.97423261857756
262144 407.3549690888771
EOD
$panel0_1 << EOD
4096 43.27593957659854
16384 174.5045427280234
65536 426.02309520717324
262144 453.7999021352051
EOD
$panel0_2 << EOD
4096 24.0874764375859
16384 96.04432855528248
65536 358.1259495074254
262144 414.39045670463094
EOD
$panel0_3 << EOD
4096 65.03199886759313
16384 262.59532476789656
65536 418.6310762090159
262144 452.5750915225065
EOD
$panel0_4 << EOD
4096 38.27478335235539
16384 153.93070640892293
65536 354.37492686004134
262144 401.12814203002205
EOD
$panel0_5 << EOD
4096 56.314502685861584
16384 227.25963428183792
65536 463.86425731454506
262144 469.5815313942218
EOD
$panel0_6 << EOD
4096 43.43368255328444
16384 174.85009764640694
65536 425.6691110825297
262144 452.4069685476371
EOD
$panel0_7 << EOD
4096 50.099188607669795
16384 203.51806773734475
65536 441.7890779099651
262144 458.61886294473095
EOD
$panel0_8 << EOD
4096 19.450492141935293
16384 77.60546868341811
65536 306.1228606197063
262144 407.3511003320149
EOD
$panel0_9 << EOD
4096 19.378598515037513
16384 77.63491623183046
65536 306.16404532572227
262144 407.5930942822471
EOD
$panel0_10 << EOD
4096 18.427105527219254
16384 73.91104657056877
65536 295.54068129826976
262144 467.748853801311
EOD
$panel0_11 << EOD
4096 315.0769266278081
16384 403.182166033654
65536 433.7761788867929
262144 441.7072706704324
EOD
$panel0_12 << EOD
4096 364.84899121064285
16384 455.95217051317667
65536 477.11681696764
262144 481.63904739181635
EOD
$panel0_13 << EOD
4096 328.707202215854
16384 478.6106249283185
65536 508.93255212140525
262144 527.9702729324354
EOD
$panel0_14 << EOD
4096 26.54286846515595
16384 140.53153061399254
65536 404.90565842762305
262144 449.20402601690034
EOD
$panel0_15 << EOD
4096 43.39055024119058
16384 174.75903024059815
65536 423.67241372415157
262144 452.6882288355969
EOD
$panel0_16 << EOD
4096 51.73044090855111
16384 209.06187525354005
65536 441.39241376283695
262144 453.56594828591375
EOD
$panel0_17 << EOD
4096 357.02281093180665
16384 2091.922298602004
65536 3328.9777386204128
262144 3686.907645350823
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
