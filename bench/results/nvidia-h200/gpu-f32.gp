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
set xrange [3276.8:327680]
set yrange [28.982201000078405:5603.914744697979]
$panel0_0 << EOD
4096 43.76726042438052
16384 175.47187105608063
65536 712.9305304056516
262144 1282.0622162533614
EOD
$panel0_1 << EOD
4096 142.27625945493037
16384 583.2307454900006
65536 1642.2490921046692
262144 1809.2803674204147
EOD
$panel0_2 << EOD
4096 64.38511364140045
16384 266.77080344900014
65536 1022.7047762607158
262144 1357.2409477694534
EOD
$panel0_3 << EOD
4096 166.49349018275748
16384 682.277985030135
65536 1603.9978240000798
262144 1761.942388426834
EOD
$panel0_4 << EOD
4096 97.90625528261414
16384 396.49326063266864
65536 1097.3121144002055
262144 1193.6810721901313
EOD
$panel0_5 << EOD
4096 194.00111204614055
16384 806.9072721942512
65536 1818.0279011236307
262144 1898.730818065895
EOD
$panel0_6 << EOD
4096 146.12262774976833
16384 597.2664972895823
65536 1642.3896842524155
262144 1770.2941802873138
EOD
$panel0_7 << EOD
4096 145.91929217960842
16384 597.8198512512816
65536 1642.630947952527
262144 1771.0620631228953
EOD
$panel0_8 << EOD
4096 120.60916113826862
16384 499.6788110326659
65536 1393.84716127586
262144 1521.6760560253952
EOD
$panel0_9 << EOD
4096 43.67246843928355
16384 175.16408419430257
65536 709.8875329373587
262144 1281.934397884306
EOD
$panel0_10 << EOD
4096 43.47330150011761
16384 175.80651488853235
65536 712.9759588860147
262144 1281.638260123981
EOD
$panel0_11 << EOD
4096 70.09197724401884
16384 283.17888174077035
65536 1133.4520981727492
262144 1814.9702728351572
EOD
$panel0_12 << EOD
4096 860.0525143438531
16384 1257.285362879885
65536 1405.3329786519544
262144 1453.0465195677402
EOD
$panel0_13 << EOD
4096 980.3440580775965
16384 1659.13929006011
65536 1838.3219197928095
262144 1873.5532918626502
EOD
$panel0_14 << EOD
4096 874.9069337721653
16384 1763.0534177984969
65536 2000.353614085312
262144 2076.7737363314254
EOD
$panel0_15 << EOD
4096 44.860784405268994
16384 180.13287449912073
65536 625.0476134417581
262144 828.752927391182
EOD
$panel0_16 << EOD
4096 124.56354980176195
16384 507.60061167372135
65536 1450.3909873794448
262144 1548.0048339477996
EOD
$panel0_17 << EOD
4096 52.271986449052754
16384 373.97388870269236
65536 1386.8046699103752
262144 1757.5256129722293
EOD
$panel0_18 << EOD
4096 139.1053307334992
16384 570.6535986741636
65536 1506.9299770278135
262144 1624.1439158999833
EOD
$panel0_19 << EOD
4096 94.26249590119475
16384 385.34649805949124
65536 1317.8756809604306
262144 1666.2712598413632
EOD
$panel0_20 << EOD
4096 482.1778160253684
16384 2313.7796064480744
65536 2914.355611382655
262144 3205.0559750593284
EOD
$panel0_21 << EOD
4096 410.8839952724521
16384 2133.9629150091705
65536 2955.8818079511834
262144 3190.2575348079054
EOD
$panel0_22 << EOD
4096 379.369017804341
16384 2145.9727757297187
65536 3172.920986518464
262144 3465.2146921702642
EOD
$panel0_23 << EOD
4096 363.8362174094058
16384 2118.8703626161605
65536 3386.856192082423
262144 3735.943163131986
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
