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
set yrange [12.06216456854863:2401.480277007344]
$panel0_0 << EOD
4096 18.366426183903357
16384 72.66827731199407
65536 290.4322147992945
262144 511.20019879674487
EOD
$panel0_1 << EOD
4096 52.19912327546184
16384 210.4042778361947
65536 650.9988028117865
262144 728.583186168582
EOD
$panel0_2 << EOD
4096 18.3465024944764
16384 73.48114844163199
65536 286.96844961264713
262144 511.75645992252015
EOD
$panel0_3 << EOD
4096 56.64304419147011
16384 228.02565027368024
65536 632.3418874683093
262144 715.1903851335314
EOD
$panel0_4 << EOD
4096 38.39812473769887
16384 154.5432524298801
65536 469.69020398929007
262144 523.8419437857966
EOD
$panel0_5 << EOD
4096 54.240432834865885
16384 218.73244872397785
65536 666.6487497330719
262144 732.7075254191493
EOD
$panel0_6 << EOD
4096 55.10699866491301
16384 222.30901604264528
65536 657.8622960953916
262144 711.0216298889445
EOD
$panel0_7 << EOD
4096 44.929986665965814
16384 182.1037271330329
65536 602.1378364925423
262144 678.242383928277
EOD
$panel0_8 << EOD
4096 18.345860360186737
16384 72.46489078278077
65536 290.8658722625238
262144 510.89713496342193
EOD
$panel0_9 << EOD
4096 18.303589364289156
16384 72.41015619202064
65536 290.63409214916794
262144 511.05946659786446
EOD
$panel0_10 << EOD
4096 18.093246852822944
16384 72.57334551693891
65536 290.2142903272461
262144 681.4520345580909
EOD
$panel0_11 << EOD
4096 336.2976274102225
16384 387.5898954464635
65536 621.6805844994096
262144 637.8741305193884
EOD
$panel0_12 << EOD
4096 506.88493177272613
16384 720.6088577919033
65536 779.157825297337
262144 790.7484091876657
EOD
$panel0_13 << EOD
4096 356.1739051400603
16384 696.3812060202894
65536 771.8053543221979
262144 809.6339958882786
EOD
$panel0_14 << EOD
4096 28.00683892393791
16384 164.26992514806201
65536 602.5351978760212
262144 714.4951295499267
EOD
$panel0_15 << EOD
4096 45.913652265678216
16384 187.79904996968412
65536 609.9641197570702
262144 701.2118353049657
EOD
$panel0_16 << EOD
4096 25.292489090299338
16384 101.55085429292306
65536 405.8189763342977
262144 788.1105177169565
EOD
$panel0_17 << EOD
4096 264.6916563154347
16384 1127.804274848473
65536 1499.0196765888734
262144 1600.9868513382291
EOD
$panel0_18 << EOD
4096 261.2948034304429
16384 1050.2827030697138
65536 1344.6918622847718
262144 1434.6742690468416
EOD
$panel0_19 << EOD
4096 60.138565314665584
16384 243.95415655809106
65536 694.6404017689757
262144 750.1242965806924
EOD
$panel0_20 << EOD
4096 52.418314987897276
16384 211.59308176499806
65536 685.4837774260499
262144 794.8123694618605
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
  $panel0_16 with linespoints dashtype 1 linecolor rgb '#56b4e9' linewidth 2 pointtype 5 pointsize 1 title 'cuda/fp64-cube' noenhanced, \
  $panel0_17 with linespoints dashtype 1 linecolor rgb '#009e73' linewidth 2 pointtype 5 pointsize 1 title 'cuda/fp64-symmetric' noenhanced, \
  $panel0_18 with linespoints dashtype 2 linecolor rgb '#009e73' linewidth 2 pointtype 5 pointsize 1 title 'cuda/fp64-symmetric, any masses' noenhanced, \
  $panel0_19 with linespoints dashtype 1 linecolor rgb '#d55e00' linewidth 2 pointtype 5 pointsize 1 title 'cuda/unroll-by-hand-whole' noenhanced, \
  $panel0_20 with linespoints dashtype 1 linecolor rgb '#0072b2' linewidth 2 pointtype 5 pointsize 1 title 'cuda/periodic-2d, plane' noenhanced
unset multiplot
