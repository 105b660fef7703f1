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
set yrange [12.2752455326522:5424.591250347143]
$panel0_0 << EOD
4096 19.833099440068946
16384 77.6521627562033
65536 305.3546658103566
262144 407.073405129228
EOD
$panel0_1 << EOD
4096 43.25094998603339
16384 174.2580500280562
65536 425.8487475984067
262144 453.63004564710593
EOD
$panel0_2 << EOD
4096 24.197535527173716
16384 96.50286635930064
65536 357.35741071304983
262144 414.35976482905414
EOD
$panel0_3 << EOD
4096 64.90319725907902
16384 262.2751261041982
65536 417.8933285685636
262144 452.9704768924284
EOD
$panel0_4 << EOD
4096 38.316744389505345
16384 153.826267410931
65536 353.69134367698894
262144 401.2066871502043
EOD
$panel0_5 << EOD
4096 56.302404738594795
16384 227.20425770252544
65536 463.822551439342
262144 469.47853720776124
EOD
$panel0_6 << EOD
4096 43.40132528602606
16384 174.00141498330558
65536 424.34082604290705
262144 451.9513739148787
EOD
$panel0_7 << EOD
4096 50.05613840812949
16384 203.2911918324248
65536 441.70185547655484
262144 457.9989268377769
EOD
$panel0_8 << EOD
4096 19.99877912838894
16384 77.36997763167201
65536 305.5917422212046
262144 406.8998815666547
EOD
$panel0_9 << EOD
4096 19.94476309613437
16384 77.41496209751206
65536 305.42762260428384
262144 407.086762056475
EOD
$panel0_10 << EOD
4096 18.4128682989783
16384 73.83103196385079
65536 295.4294385246485
262144 467.2890021652943
EOD
$panel0_11 << EOD
4096 315.6935202364811
16384 403.20154979337184
65536 434.1030634718663
262144 441.72936603753504
EOD
$panel0_12 << EOD
4096 365.357495424553
16384 455.5312445312169
65536 477.12530890311876
262144 481.66650328447855
EOD
$panel0_13 << EOD
4096 329.53362510362837
16384 478.1741073063829
65536 508.92289023956374
262144 527.9741723785518
EOD
$panel0_14 << EOD
4096 25.234664171006003
16384 141.1320671528247
65536 406.9127491541621
262144 447.83391077990444
EOD
$panel0_15 << EOD
4096 43.322424558511564
16384 174.51544321410137
65536 422.22365399281483
262144 453.00478587892513
EOD
$panel0_16 << EOD
4096 62.549272033002296
16384 252.6460988272059
65536 570.6900079909402
262144 605.4216032489855
EOD
$panel0_17 << EOD
4096 55.66872221718784
16384 223.98889800449612
65536 459.4279213343871
262144 468.6153420000017
EOD
$panel0_18 << EOD
4096 103.49151357041653
16384 1164.7609172895143
65536 2966.5309316637617
262144 3616.394166898095
EOD
$panel0_19 << EOD
4096 102.95296984161929
16384 1114.1729234620514
65536 2749.1238844780005
262144 3341.481920102432
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
  $panel0_16 with linespoints dashtype 1 linecolor rgb '#56b4e9' linewidth 2 pointtype 5 pointsize 1 title 'cuda/periodic-2d, plane' noenhanced, \
  $panel0_17 with linespoints dashtype 1 linecolor rgb '#009e73' linewidth 2 pointtype 5 pointsize 1 title 'cuda/unroll-by-hand-whole' noenhanced, \
  $panel0_18 with linespoints dashtype 1 linecolor rgb '#d55e00' linewidth 2 pointtype 5 pointsize 1 title 'cuda/mixed-symmetric' noenhanced, \
  $panel0_19 with linespoints dashtype 2 linecolor rgb '#d55e00' linewidth 2 pointtype 5 pointsize 1 title 'cuda/mixed-symmetric, any masses' noenhanced
unset multiplot
