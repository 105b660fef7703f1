# Draws gpu-f32: gnuplot gpu-f32.gp
set terminal unknown
if (strstrt(GPVAL_TERMINALS, 'pngcairo') > 0) { set terminal pngcairo size 1100,620 font 'sans,11' } else { set terminal png size 1100,620 }
set output 'gpu-f32.png'
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
set yrange [28.905502562796215:5306.9264610499695]
$panel0_0 << EOD
4096 43.35825384419432
16384 174.60261492096848
65536 711.5019567048741
245760 1201.5132617478766
EOD
$panel0_1 << EOD
4096 142.50828742814213
16384 583.2307454900006
65536 1641.9878852050342
245760 1795.6931221822827
EOD
$panel0_2 << EOD
4096 64.3140359321574
16384 266.5249903222527
65536 1027.472650547136
245760 1272.5591729557514
EOD
$panel0_3 << EOD
4096 166.01899594885364
16384 683.7238796415256
65536 1606.0131093453724
245760 1758.0332993237894
EOD
$panel0_4 << EOD
4096 97.45130133657116
16384 396.1936365654573
65536 1093.111746721768
245760 1189.4663414796682
EOD
$panel0_5 << EOD
4096 195.37469279632748
16384 803.7375023672114
65536 1821.0124570389444
245760 1785.1647844740744
EOD
$panel0_6 << EOD
4096 145.91929217960842
16384 594.8523693046716
65536 1634.7680547835723
245760 1660.0834038159246
EOD
$panel0_7 << EOD
4096 146.12262774976833
16384 597.1389578469126
65536 1639.741050572703
245760 1660.914605333904
EOD
$panel0_8 << EOD
4096 120.77585182624539
16384 501.7109851465748
65536 1391.5782955576144
245760 1426.590872392288
EOD
$panel0_9 << EOD
4096 43.72710751714146
16384 174.7735843408543
65536 711.362431080914
245760 1201.2715948397945
EOD
$panel0_10 << EOD
4096 43.54913137839236
16384 174.62078552724446
65536 708.4973082292335
245760 1201.193673207765
EOD
$panel0_11 << EOD
4096 70.12947992453148
16384 283.01646124387844
65536 1132.6104111643206
245760 1705.1648778148685
EOD
$panel0_12 << EOD
4096 863.7363915613155
16384 1254.6526783589934
65536 1403.2758927443879
245760 1504.921772514481
EOD
$panel0_13 << EOD
4096 987.3597134776619
16384 1654.884139037139
65536 1837.4914328609298
245760 1872.546358417251
EOD
$panel0_14 << EOD
4096 915.9469201781554
16384 1767.883651361702
65536 1979.3497439869805
245760 2072.4165915364783
EOD
$panel0_15 << EOD
4096 44.803280864370485
16384 180.60213659493388
65536 625.0447073507152
245760 777.0814365142548
EOD
$panel0_16 << EOD
4096 124.4157582745629
16384 507.26300155757286
65536 1449.5137195427596
245760 1451.913524719619
EOD
$panel0_17 << EOD
4096 60.90706069947775
16384 277.2864351300009
65536 1292.1329756805487
245760 1655.7654587115999
EOD
$panel0_18 << EOD
4096 139.36416771587434
16384 570.6535986741636
65536 1504.1434845895071
245760 1521.701903046678
EOD
$panel0_19 << EOD
4096 94.6710038845994
16384 385.04579899151577
65536 1315.9632445353184
245760 1558.9001131171678
EOD
$panel0_20 << EOD
4096 66.517128078751
16384 860.4583068825868
65536 2951.5267446877683
245760 3101.9695362522302
EOD
$panel0_21 << EOD
4096 64.60726975833379
16384 830.6374643921511
65536 2913.849327443972
245760 3059.897907846191
EOD
$panel0_22 << EOD
4096 44.046710675666354
16384 699.4586676784397
65536 2829.568082518707
245760 3262.92683469158
EOD
$panel0_23 << EOD
4096 43.88816281861211
16384 697.133569272081
65536 3085.890578440422
245760 3537.950974033313
EOD
set title 'f32' noenhanced
plot $panel0_0 with linespoints dashtype 1 linecolor rgb '#000000' linewidth 2 pointtype 7 pointsize 1 title 'cuda/naive' noenhanced, \
  $panel0_1 with linespoints dashtype 1 linecolor rgb '#e69f00' linewidth 2 pointtype 7 pointsize 1 title 'cuda/tile' noenhanced, \
  $panel0_2 with linespoints dashtype 1 linecolor rgb '#56b4e9' linewidth 2 pointtype 7 pointsize 1 title 'cuda/grid-stride' noenhanced, \
  $panel0_3 with linespoints dashtype 1 linecolor rgb '#009e73' linewidth 2 pointtype 7 pointsize 1 title 'cuda/grid-stride-tile' noenhanced, \
  $panel0_4 with linespoints dashtype 1 linecolor rgb '#d55e00' linewidth 2 pointtype 7 pointsize 1 title 'cuda/shuffle' noenhanced, \
  $panel0_5 with linespoints dashtype 1 linecolor rgb '#0072b2' linewidth 2 pointtype 7 pointsize 1 title 'cuda/unroll' noenhanced, \
  $panel0_6 with linespoints dashtype 1 linecolor rgb '#cc79a7' linewidth 2 pointtype 7 pointsize 1 title 'cuda/unroll-by-hand' noenhanced, \
  $panel0_7 with linespoints dashtype 1 linecolor rgb '#000000' linewidth 2 pointtype 9 pointsize 1 title 'cuda/ptx' noenhanced, \
  $panel0_8 with linespoints dashtype 1 linecolor rgb '#e69f00' linewidth 2 pointtype 9 pointsize 1 title 'cuda/arrays' noenhanced, \
  $panel0_9 with linespoints dashtype 1 linecolor rgb '#56b4e9' linewidth 2 pointtype 9 pointsize 1 title 'cuda/plain-loads' noenhanced, \
  $panel0_10 with linespoints dashtype 1 linecolor rgb '#009e73' linewidth 2 pointtype 9 pointsize 1 title 'cuda/read-only' noenhanced, \
  $panel0_11 with linespoints dashtype 1 linecolor rgb '#d55e00' linewidth 2 pointtype 9 pointsize 1 title 'cuda/targets-in-registers' noenhanced, \
  $panel0_12 with linespoints dashtype 1 linecolor rgb '#0072b2' linewidth 2 pointtype 9 pointsize 1 title 'cuda/threads-per-body' noenhanced, \
  $panel0_13 with linespoints dashtype 1 linecolor rgb '#cc79a7' linewidth 2 pointtype 9 pointsize 1 title 'cuda/split-atomics' noenhanced, \
  $panel0_14 with linespoints dashtype 1 linecolor rgb '#000000' linewidth 2 pointtype 5 pointsize 1 title 'cuda/split-reduced' noenhanced, \
  $panel0_15 with linespoints dashtype 1 linecolor rgb '#e69f00' linewidth 2 pointtype 5 pointsize 1 title 'cuda/exact-root' noenhanced, \
  $panel0_16 with linespoints dashtype 1 linecolor rgb '#56b4e9' linewidth 2 pointtype 5 pointsize 1 title 'cuda/fast-math' noenhanced, \
  $panel0_17 with linespoints dashtype 1 linecolor rgb '#009e73' linewidth 2 pointtype 5 pointsize 1 title 'cuda/managed' noenhanced, \
  $panel0_18 with linespoints dashtype 1 linecolor rgb '#d55e00' linewidth 2 pointtype 5 pointsize 1 title 'cuda/force' noenhanced, \
  $panel0_19 with linespoints dashtype 1 linecolor rgb '#0072b2' linewidth 2 pointtype 5 pointsize 1 title 'cuda/periodic-2d' noenhanced, \
  $panel0_20 with linespoints dashtype 1 linecolor rgb '#cc79a7' linewidth 2 pointtype 5 pointsize 1 title 'cuda/symmetric-atomics' noenhanced, \
  $panel0_21 with linespoints dashtype 1 linecolor rgb '#000000' linewidth 2 pointtype 13 pointsize 1 title 'cuda/symmetric-fixed-point' noenhanced, \
  $panel0_22 with linespoints dashtype 1 linecolor rgb '#e69f00' linewidth 2 pointtype 13 pointsize 1 title 'cuda/scaled-source' noenhanced, \
  $panel0_23 with linespoints dashtype 1 linecolor rgb '#56b4e9' linewidth 2 pointtype 13 pointsize 1 title 'cuda/equal-mass' noenhanced
unset multiplot
