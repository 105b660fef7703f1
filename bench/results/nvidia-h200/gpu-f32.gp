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
set yrange [29.05447524482182:5604.8120884672]
$panel0_0 << EOD
4096 43.657921749465004
16384 175.64087620805748
65536 709.3510557765031
262144 1281.9420607941904
EOD
$panel0_1 << EOD
4096 142.70223050266756
16384 583.2307454900006
65536 1642.289216056444
262144 1807.3509730406251
EOD
$panel0_2 << EOD
4096 64.37721326879853
16384 265.1183041004506
65536 1025.3141532843185
262144 1357.0574208119056
EOD
$panel0_3 << EOD
4096 166.38781277410786
16384 682.2225355637453
65536 1602.4274904686833
262144 1763.141767055111
EOD
$panel0_4 << EOD
4096 97.4875423346657
16384 396.100109954861
65536 1093.3254371024339
262144 1191.8625725310128
EOD
$panel0_5 << EOD
4096 193.75017648882525
16384 805.976933905089
65536 1816.1091090547666
262144 1902.9102569053691
EOD
$panel0_6 << EOD
4096 145.63555805724351
16384 594.6836873521819
65536 1633.5941013342765
262144 1766.0271218945445
EOD
$panel0_7 << EOD
4096 145.79755657864087
16384 594.4729595855764
65536 1633.0375857289039
262144 1767.1927164196163
EOD
$panel0_8 << EOD
4096 120.35996031858501
16384 500.72275786796064
65536 1391.43404980859
262144 1518.5631265794752
EOD
$panel0_9 << EOD
4096 43.774567329738886
16384 175.59307612732067
65536 707.4777538428531
262144 1280.8944610455353
EOD
$panel0_10 << EOD
4096 43.58171286723273
16384 175.4278255357937
65536 711.4491294510985
262144 1281.8233871936754
EOD
$panel0_11 << EOD
4096 70.1107235691688
16384 282.99736101423207
65536 1133.241541340603
262144 1814.0334151260279
EOD
$panel0_12 << EOD
4096 842.229684778271
16384 1257.0969914973712
65536 1403.0412399234665
262144 1452.6494266525829
EOD
$panel0_13 << EOD
4096 932.3437834848611
16384 1653.579272747983
65536 1837.6927509227519
262144 1873.4601556351886
EOD
$panel0_14 << EOD
4096 877.4694421710057
16384 1774.2402161623645
65536 1999.9363317891343
262144 2076.9504425824202
EOD
$panel0_15 << EOD
4096 44.66967633913123
16384 179.9088083006093
65536 624.87303569405
262144 828.1600987132672
EOD
$panel0_16 << EOD
4096 124.15060993500744
16384 505.2769478391484
65536 1444.179690129697
262144 1543.2868515179105
EOD
$panel0_17 << EOD
4096 47.610606473614745
16384 336.3920262154024
65536 1393.3262363607241
262144 1752.8861321090696
EOD
$panel0_18 << EOD
4096 139.4012230811776
16384 570.6535986741636
65536 1506.8791778381724
262144 1624.3219939713672
EOD
$panel0_19 << EOD
4096 94.53444171044164
16384 384.8338425632021
65536 1314.9318847272432
262144 1664.1355235820436
EOD
$panel0_20 << EOD
4096 418.92769230509094
16384 2307.7326176047104
65536 2915.748327877335
262144 3200.1412815811527
EOD
$panel0_21 << EOD
4096 377.32134226494503
16384 2126.389858414415
65536 2955.2960270295143
262144 3197.9396360940914
EOD
$panel0_22 << EOD
4096 359.4706776569189
16384 2125.312378789675
65536 3063.072843202414
262144 3465.4103391525546
EOD
$panel0_23 << EOD
4096 339.83989864343573
16384 2100.3023777967933
65536 3337.504073036251
262144 3736.5413923114666
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
