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
set xrange [3276.8:307200]
set yrange [11.657450010332402:2258.888399580208]
$panel0_0 << EOD
4096 18.366426183903357
16384 72.3118447982175
65536 289.92530266511625
245760 482.0936958461604
EOD
$panel0_1 << EOD
4096 52.32937581691159
16384 210.31458870411703
65536 651.2041048260693
245760 683.1509525505058
EOD
$panel0_2 << EOD
4096 18.350997497044087
16384 73.5210799523771
65536 287.49092190145274
245760 484.6334023745096
EOD
$panel0_3 << EOD
4096 56.61857616678198
16384 228.07525994841396
65536 634.6892346235007
245760 713.050202925615
EOD
$panel0_4 << EOD
4096 38.392502377158095
16384 154.4522072431663
65536 470.79239997521387
245760 520.0288350053928
EOD
$panel0_5 << EOD
4096 54.28535685972005
16384 218.81232392984245
65536 665.5083704087989
245760 688.4998091858143
EOD
$panel0_6 << EOD
4096 55.14757288172488
16384 222.36203181178047
65536 658.2301210417266
245760 667.1368238783984
EOD
$panel0_7 << EOD
4096 44.91459033943386
16384 182.19469571187443
65536 601.9299192341788
245760 636.7314252226272
EOD
$panel0_8 << EOD
4096 18.37865822239631
16384 72.80071578922953
65536 289.47819855859285
245760 482.4039481574922
EOD
$panel0_9 << EOD
4096 18.342009693434832
16384 72.83990628582268
65536 290.50827711731705
245760 482.06745097426364
EOD
$panel0_10 << EOD
4096 18.096993768143594
16384 72.55577008155414
65536 289.9835470813141
245760 638.3685503183826
EOD
$panel0_11 << EOD
4096 341.33332126008185
16384 387.3929899351013
65536 620.9586276932454
245760 657.3796336359841
EOD
$panel0_12 << EOD
4096 520.1269882559686
16384 720.856555419173
65536 779.1171177111186
245760 790.8270190567277
EOD
$panel0_13 << EOD
4096 373.55754092767927
16384 679.2394899113254
65536 763.3424127918164
245760 808.1939612312343
EOD
$panel0_14 << EOD
4096 17.486175015498603
16384 133.18315658687987
65536 580.9071550861703
245760 671.1557187041857
EOD
$panel0_15 << EOD
4096 46.1358660942179
16384 187.75702162251397
65536 609.8116954205212
245760 658.3082362406477
EOD
$panel0_16 << EOD
4096 46.38074856625531
16384 186.89528573536413
65536 608.5233305630038
245760 647.8418609558373
EOD
$panel0_17 << EOD
4096 27.81811450446404
16384 306.7918003944707
65536 446.4697379692026
245760 815.4571941506161
EOD
$panel0_18 << EOD
4096 85.15315785150707
16384 959.2462234566129
65536 1415.291226573417
245760 1505.9255997201387
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
  $panel0_16 with linespoints dashtype 1 linecolor rgb '#56b4e9' linewidth 2 pointtype 5 pointsize 1 title 'cuda/periodic-2d' noenhanced, \
  $panel0_17 with linespoints dashtype 1 linecolor rgb '#009e73' linewidth 2 pointtype 5 pointsize 1 title 'cuda/fp64-cube' noenhanced, \
  $panel0_18 with linespoints dashtype 1 linecolor rgb '#d55e00' linewidth 2 pointtype 5 pointsize 1 title 'cuda/fp64-symmetric' noenhanced
unset multiplot
