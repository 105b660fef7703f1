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
set yrange [12.281715444821039:5461.657673599344]
$panel0_0 << EOD
4096 19.32787778961819
16384 77.44783976932966
65536 305.9651335438794
262144 407.63780834382203
EOD
$panel0_1 << EOD
4096 43.23668269904386
16384 174.5190679950346
65536 425.9365883844499
262144 454.1991720788808
EOD
$panel0_2 << EOD
4096 24.30297169403197
16384 96.73433375286407
65536 357.5768653061126
262144 414.85436178557774
EOD
$panel0_3 << EOD
4096 65.00781010919881
16384 262.59532476789656
65536 418.5344756484024
262144 453.04374859937747
EOD
$panel0_4 << EOD
4096 38.24407236675237
16384 153.93918804661547
65536 354.2402391310979
262144 401.2204839636069
EOD
$panel0_5 << EOD
4096 56.32054797474735
16384 227.27195150050147
65536 463.6991975530584
262144 469.57761443901194
EOD
$panel0_6 << EOD
4096 43.42289143808129
16384 175.02519814973277
65536 425.13921643109927
262144 452.5599016750823
EOD
$panel0_7 << EOD
4096 50.065700702984216
16384 203.86429738924107
65536 442.2607096824225
262144 458.687012633092
EOD
$panel0_8 << EOD
4096 19.35856429287029
16384 77.70251651153588
65536 305.8452209113569
262144 407.6708336885982
EOD
$panel0_9 << EOD
4096 19.405856147053626
16384 77.50651803385408
65536 306.9433310272254
262144 407.68810493818967
EOD
$panel0_10 << EOD
4096 18.42257316723156
16384 73.90779103600129
65536 295.3247862980788
262144 467.84341137308525
EOD
$panel0_11 << EOD
4096 315.88371607739225
16384 403.2402867997528
65536 433.58561909818843
262144 442.026221372405
EOD
$panel0_12 << EOD
4096 368.1797710371024
16384 455.58073573629326
65536 477.14396189400793
262144 481.6916954028683
EOD
$panel0_13 << EOD
4096 328.0901240661364
16384 478.39226654028397
65536 508.8958619235665
262144 528.0064842909377
EOD
$panel0_14 << EOD
4096 26.77260907295058
16384 145.13915994373156
65536 410.6401383326069
262144 449.75701847807784
EOD
$panel0_15 << EOD
4096 43.38695863377905
16384 174.93760408219228
65536 424.01909115803903
262144 453.0932021698189
EOD
$panel0_16 << EOD
4096 140.54094623392442
16384 1311.9499956290167
65536 3041.5546990730645
262144 3641.1051157328957
EOD
$panel0_17 << EOD
4096 133.78107321952265
16384 1273.8964152554445
65536 2839.3849810483816
262144 3371.6164814911417
EOD
$panel0_18 << EOD
4096 55.69828843843259
16384 224.04274041816223
65536 461.39259798297945
262144 468.7845064366271
EOD
$panel0_19 << EOD
4096 62.62398157971657
16384 253.27157250585438
65536 572.7967228854601
262144 606.089021367277
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
  $panel0_16 with linespoints dashtype 1 linecolor rgb '#56b4e9' linewidth 2 pointtype 5 pointsize 1 title 'cuda/mixed-symmetric' noenhanced, \
  $panel0_17 with linespoints dashtype 2 linecolor rgb '#56b4e9' linewidth 2 pointtype 5 pointsize 1 title 'cuda/mixed-symmetric, any masses' noenhanced, \
  $panel0_18 with linespoints dashtype 1 linecolor rgb '#009e73' linewidth 2 pointtype 5 pointsize 1 title 'cuda/unroll-by-hand-whole' noenhanced, \
  $panel0_19 with linespoints dashtype 1 linecolor rgb '#d55e00' linewidth 2 pointtype 5 pointsize 1 title 'cuda/periodic-2d, plane' noenhanced
unset multiplot
