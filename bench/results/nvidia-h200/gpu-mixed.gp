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
set yrange [12.283009763358498:5530.864629392162]
$panel0_0 << EOD
4096 19.44977040394276
16384 77.35571014166656
65536 307.21594817428985
262144 407.26423845763503
EOD
$panel0_1 << EOD
4096 43.30453544343725
16384 174.60261492096848
65536 425.09342951113837
262144 454.16633075510816
EOD
$panel0_2 << EOD
4096 24.159623278133143
16384 96.66633813582433
65536 357.5125856864523
262144 414.5438698358739
EOD
$panel0_3 << EOD
4096 65.03199886759313
16384 262.38178238381386
65536 417.37742154136026
262144 452.87514069343285
EOD
$panel0_4 << EOD
4096 38.291557254831616
16384 153.8601325108542
65536 354.2701670819062
262144 401.19582193397287
EOD
$panel0_5 << EOD
4096 56.30845306241312
16384 227.24734133155448
65536 463.68797813661956
262144 469.485633741598
EOD
$panel0_6 << EOD
4096 43.43728190086962
16384 174.97044498001515
65536 426.0407070946716
262144 452.50488112406583
EOD
$panel0_7 << EOD
4096 50.12792692722613
16384 203.81477180991553
65536 441.1225910077918
262144 458.3472129391702
EOD
$panel0_8 << EOD
4096 19.400111538892723
16384 77.84889947358985
65536 305.9484012211372
262144 407.4126038440857
EOD
$panel0_9 << EOD
4096 19.419512398626203
16384 77.78970184499059
65536 307.565130853519
262144 407.6308349608635
EOD
$panel0_10 << EOD
4096 18.424514645037746
16384 73.89867609468037
65536 295.33257163700773
262144 467.76046492819233
EOD
$panel0_11 << EOD
4096 314.8876897942425
16384 403.2402867997528
65536 434.30676851382674
262144 441.9969386606514
EOD
$panel0_12 << EOD
4096 364.72208624763704
16384 455.5559887895847
65536 477.14396189400793
262144 481.6577459055715
EOD
$panel0_13 << EOD
4096 329.1198948718136
16384 478.1195858940587
65536 508.75311953829674
262144 527.9484247205102
EOD
$panel0_14 << EOD
4096 25.562555791778244
16384 135.66116213243774
65536 403.2718089799617
262144 449.3566840685299
EOD
$panel0_15 << EOD
4096 43.39055024119058
16384 174.93030626907822
65536 422.8795178604541
262144 453.0212359878603
EOD
$panel0_16 << EOD
4096 51.761081733721184
16384 209.26006179531058
65536 441.7454407229669
262144 453.7822523495945
EOD
$panel0_17 << EOD
4096 353.88997910185805
16384 2086.7184720056457
65536 3328.812571058521
262144 3687.2430862614415
EOD
$panel0_18 << EOD
4096 350.9877905455088
16384 1999.1916969217395
65536 3098.6430894996756
262144 3409.5971410821594
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
  $panel0_17 with linespoints dashtype 1 linecolor rgb '#009e73' linewidth 2 pointtype 5 pointsize 1 title 'cuda/mixed-symmetric' noenhanced, \
  $panel0_18 with linespoints dashtype 2 linecolor rgb '#009e73' linewidth 2 pointtype 5 pointsize 1 title 'cuda/mixed-symmetric, any masses' noenhanced
unset multiplot
