# Draws gpu-f64: gnuplot gpu-f64.gp
set terminal unknown
if (strstrt(GPVAL_TERMINALS, 'pngcairo') > 0) { set terminal pngcairo size 1100,620 font 'sans,11' } else { set terminal png size 1100,620 }
set output 'gpu-f64.png'
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
set yrange [12.062996584482327:2398.5618147236514]
$panel0_0 << EOD
4096 18.247528939209325
16384 72.71993417954896
65536 290.3756622524114
262144 511.2347846022573
EOD
$panel0_1 << EOD
4096 52.30849193953084
16384 210.25133745419464
65536 650.3773798408696
262144 728.1157831865959
EOD
$panel0_2 << EOD
4096 18.41804303626845
16384 73.36354495771214
65536 287.5094037703658
262144 509.666834236099
EOD
$panel0_3 << EOD
4096 56.679783053323604
16384 228.42304032585517
65536 634.9594327732622
262144 716.0687174441987
EOD
$panel0_4 << EOD
4096 38.3868790453045
16384 154.21085193628855
65536 471.33631405788157
262144 523.9410978484741
EOD
$panel0_5 << EOD
4096 54.262882933983285
16384 218.82944155974036
65536 666.7050521047297
262144 733.0346560360404
EOD
$panel0_6 << EOD
4096 55.09541930620303
16384 222.4032984279813
65536 658.2462357026989
262144 711.6478906029313
EOD
$panel0_7 << EOD
4096 44.94153994271496
16384 182.01284934884998
65536 602.1837690722792
262144 678.5780397763592
EOD
$panel0_8 << EOD
4096 18.35035504806793
16384 72.65380159597191
65536 290.0524811977564
262144 511.12622641709925
EOD
$panel0_9 << EOD
4096 18.27679005001377
16384 72.79187185439712
65536 290.4762174267489
262144 511.1870852686253
EOD
$panel0_10 << EOD
4096 18.09449487672349
16384 72.53695070473877
65536 288.17423519990706
262144 680.9239416195662
EOD
$panel0_11 << EOD
4096 332.1431678603813
16384 387.8945828057586
65536 623.6941371583645
262144 638.0327728332685
EOD
$panel0_12 << EOD
4096 495.70249813091544
16384 720.6707806540135
65536 779.3116628925634
262144 790.8919965679008
EOD
$panel0_13 << EOD
4096 360.08790534942756
16384 696.8439981869453
65536 771.7920615861353
262144 809.5411444648
EOD
$panel0_14 << EOD
4096 26.11386236007139
16384 156.08745013163932
65536 599.8503873395405
262144 713.0683009432364
EOD
$panel0_15 << EOD
4096 46.4588410221418
16384 187.77803344441028
65536 609.9308698057645
262144 702.0478310063195
EOD
$panel0_16 << EOD
4096 52.42880117187504
16384 211.54505630917333
65536 685.4522693729771
262144 795.0742725007126
EOD
$panel0_17 << EOD
4096 60.145465971821004
16384 243.0212661093065
65536 694.255974364893
262144 750.0077442803281
EOD
$panel0_18 << EOD
4096 25.248640642197383
16384 101.3153637209822
65536 406.06698783769
262144 787.3673006645045
EOD
$panel0_19 << EOD
4096 263.8590845766101
16384 1140.298780249871
65536 1499.4216866216395
262144 1599.0412098157676
EOD
$panel0_20 << EOD
4096 261.3273561980183
16384 1055.7019306999223
65536 1348.8134095983305
262144 1435.3714676139014
EOD
set title 'f64' noenhanced
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
  $panel0_18 with linespoints dashtype 1 linecolor rgb '#d55e00' linewidth 2 pointtype 5 pointsize 1 title 'cuda/fp64-cube' noenhanced, \
  $panel0_19 with linespoints dashtype 1 linecolor rgb '#0072b2' linewidth 2 pointtype 5 pointsize 1 title 'cuda/fp64-symmetric' noenhanced, \
  $panel0_20 with linespoints dashtype 2 linecolor rgb '#0072b2' linewidth 2 pointtype 5 pointsize 1 title 'cuda/fp64-symmetric, any masses' noenhanced
unset multiplot
