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
set yrange [12.280852181510204:5436.850950506953]
$panel0_0 << EOD
4096 19.449048719510458
16384 77.71115115718285
65536 306.9981087242451
262144 407.63928422265815
EOD
$panel0_1 << EOD
4096 43.29738126935765
16384 174.48277288042877
65536 426.28020394839245
262144 453.9999985252253
EOD
$panel0_2 << EOD
4096 24.310859871721913
16384 96.56952220019544
65536 359.6431156974695
262144 414.6935780473614
EOD
$panel0_3 << EOD
4096 65.02393895537922
16384 262.513159022302
65536 418.5697182099216
262144 452.97535182340755
EOD
$panel0_4 << EOD
4096 38.235705667110864
16384 153.75577872584998
65536 353.4836086734957
262144 401.210654530435
EOD
$panel0_5 << EOD
4096 56.29635771398788
16384 227.20425770252544
65536 463.6735607900835
262144 469.44511297136665
EOD
$panel0_6 << EOD
4096 43.41570145583645
16384 174.93760408219228
65536 425.18501321556397
262144 452.58555218994366
EOD
$panel0_7 << EOD
4096 50.02270801178331
16384 203.69104464760514
65536 441.82396786038373
262144 458.66496336215175
EOD
$panel0_8 << EOD
4096 19.40154636907283
16384 77.70395369831057
65536 307.4052219965052
262144 407.5832452257882
EOD
$panel0_9 << EOD
4096 19.488811611369215
16384 77.62126794256012
65536 306.21573438580754
262144 407.49919717788015
EOD
$panel0_10 << EOD
4096 18.421278272265305
16384 73.89737137220085
65536 295.37741310796713
262144 467.828831659879
EOD
$panel0_11 << EOD
4096 306.15357640923867
16384 403.00783209137563
65536 434.37002041937563
262144 441.85916678502264
EOD
$panel0_12 << EOD
4096 351.04654355382945
16384 455.23461499440975
65536 477.1184850025379
262144 481.5725583785405
EOD
$panel0_13 << EOD
4096 320.2736696897312
16384 478.96586366854916
65536 508.34849567509764
262144 527.8718774077939
EOD
$panel0_14 << EOD
4096 23.1269511113308
16384 135.08877649532172
65536 397.9982045513069
262144 448.36081155050823
EOD
$panel0_15 << EOD
4096 43.37260148964709
16384 174.88654575629414
65536 424.0994691477401
262144 453.09146997292845
EOD
$panel0_16 << EOD
4096 62.62398157971657
16384 253.24864273710634
65536 571.3094605688797
262144 606.0621463209701
EOD
$panel0_17 << EOD
4096 55.716044353648016
16384 224.45637889424555
65536 461.22612744127684
262144 468.7089331823801
EOD
$panel0_18 << EOD
4096 168.52716493662103
16384 1860.001726300511
65536 3293.929082252098
262144 3624.567300337969
EOD
$panel0_19 << EOD
4096 166.07158393019066
16384 1765.2795123610915
65536 3044.625150353052
262144 3358.486971046412
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
