# Draws gpu-f32: gnuplot gpu-f32.gp
set terminal unknown
if (strstrt(GPVAL_TERMINALS, 'pngcairo') > 0) { set terminal pngcairo size 1100,792 font 'sans,11' } else { set terminal png size 1100,792 }
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
set yrange [28.927033494127055:5592.958869598411]
$panel0_0 << EOD
4096 43.39055024119058
16384 174.86466691960993
65536 711.3926017391329
262144 1281.357662051419
EOD
$panel0_1 << EOD
4096 142.2376600661924
16384 583.0685893289605
65536 1637.20092906707
262144 1805.9936639719037
EOD
$panel0_2 << EOD
4096 64.3140359321574
16384 266.8302012383406
65536 1025.80785903147
262144 1355.2110118187513
EOD
$panel0_3 << EOD
4096 165.8614316443756
16384 681.3912552316249
65536 1602.102422495495
262144 1762.998376546943
EOD
$panel0_4 << EOD
4096 97.61459414534545
16384 397.97931784933286
65536 1098.3177836958096
262144 1192.2939899679811
EOD
$panel0_5 << EOD
4096 193.46421282794202
16384 806.9072721942512
65536 1819.9014775064672
262144 1900.6383477200743
EOD
$panel0_6 << EOD
4096 145.67602392826566
16384 596.1628963186641
65536 1636.6818041225758
262144 1768.299964483811
EOD
$panel0_7 << EOD
4096 145.95990644027873
16384 597.7346348362148
65536 1636.183070201544
262144 1768.8126859065042
EOD
$panel0_8 << EOD
4096 120.38760415417184
16384 501.0816523468702
65536 1393.8906252198544
262144 1520.1077358626937
EOD
$panel0_9 << EOD
4096 43.43728190086962
16384 175.858111878604
65536 712.8775472316232
262144 1280.3812678040051
EOD
$panel0_10 << EOD
4096 43.5563689963513
16384 176.27754859935138
65536 713.1123355286758
262144 1281.9520044685853
EOD
$panel0_11 << EOD
4096 69.92371469548459
16384 282.53985175317297
65536 1130.0166280446297
262144 1818.9641150251741
EOD
$panel0_12 << EOD
4096 845.9669163287062
16384 1249.048258587761
65536 1400.5669246870998
262144 1455.39131293299
EOD
$panel0_13 << EOD
4096 976.3277628067253
16384 1652.2766141426014
65536 1837.6676306182057
262144 1872.1420441004707
EOD
$panel0_14 << EOD
4096 868.7456547755208
16384 1778.000821715685
65536 1997.5253266151094
262144 2076.9082985237706
EOD
$panel0_15 << EOD
4096 44.822433514086406
16384 180.82404262022942
65536 625.6507561469152
262144 828.757121360684
EOD
$panel0_16 << EOD
4096 124.23886248466316
16384 507.47780797091525
65536 1447.20060038794
262144 1548.1610180305966
EOD
$panel0_17 << EOD
4096 50.10397752555058
16384 338.23668371284987
65536 1354.9818633576062
262144 1754.821269112944
EOD
$panel0_18 << EOD
4096 139.0684324874982
16384 570.7312678565643
65536 1506.912959548052
262144 1622.019221545419
EOD
$panel0_19 << EOD
4096 469.5116562012703
16384 2310.2748927102766
65536 2920.4431131264055
262144 3196.7876153008324
EOD
$panel0_20 << EOD
4096 482.4736328970385
16384 2331.4641966879276
65536 2919.1729154391132
262144 3205.0990281423824
EOD
$panel0_21 << EOD
4096 395.8384423682609
16384 2138.314644304081
65536 2955.2960270295143
262144 3198.311240514287
EOD
$panel0_22 << EOD
4096 399.9145779132421
16384 2167.0390605120283
65536 2960.1845595762147
262144 3202.021226204799
EOD
$panel0_23 << EOD
4096 371.0459885300425
16384 2129.0882174560084
65536 3165.363200344746
262144 3465.1253751692316
EOD
$panel0_24 << EOD
4096 383.6019625378613
16384 2150.3738044429033
65536 3163.9455374815775
262144 3459.6990200422424
EOD
$panel0_25 << EOD
4096 355.208684912258
16384 2099.251167443097
65536 3387.283509956245
262144 3728.6392463989405
EOD
$panel0_26 << EOD
4096 348.71166355829604
16384 2043.509952955388
65536 3122.5042764885666
262144 3458.4845149142134
EOD
$panel0_27 << EOD
4096 143.40481796956186
16384 587.6021401592872
65536 1651.7275923253474
262144 1798.3140215159995
EOD
$panel0_28 << EOD
4096 143.32641123730895
16384 587.6021401592872
65536 1650.143627240488
262144 1798.702585353807
EOD
$panel0_29 << EOD
4096 104.46065369259712
16384 425.25639720009264
65536 1527.8404477168929
262144 2045.6199854356971
EOD
$panel0_30 << EOD
4096 96.04103507682849
16384 390.6220200276197
65536 951.5479034389865
262144 1035.2856265076214
EOD
$panel0_31 << EOD
4096 63.71997859150165
16384 264.23310596375603
65536 921.3441214994523
262144 1125.5921980754752
EOD
$panel0_32 << EOD
4096 140.2214471383376
16384 587.1497333466353
65536 1314.210884632578
262144 1450.5535566024641
EOD
$panel0_33 << EOD
4096 70.87846220873422
16384 291.3722736815362
65536 989.6603008471086
262144 1148.4072535022003
EOD
$panel0_34 << EOD
4096 149.71102695704553
16384 631.0070623828485
65536 1375.5622132608767
262144 1517.2895939669897
EOD
$panel0_35 << EOD
4096 88.7871291412113
16384 365.67601613587345
65536 1040.4071780548122
262144 1130.3586772926221
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
  $panel0_19 with linespoints dashtype 1 linecolor rgb '#0072b2' linewidth 2 pointtype 5 pointsize 1 title 'cuda/symmetric-atomics' noenhanced, \
  $panel0_20 with linespoints dashtype 2 linecolor rgb '#0072b2' linewidth 2 pointtype 5 pointsize 1 title 'cuda/symmetric-atomics, any masses' noenhanced, \
  $panel0_21 with linespoints dashtype 1 linecolor rgb '#cc79a7' linewidth 2 pointtype 5 pointsize 1 title 'cuda/symmetric-fixed-point' noenhanced, \
  $panel0_22 with linespoints dashtype 2 linecolor rgb '#cc79a7' linewidth 2 pointtype 5 pointsize 1 title 'cuda/symmetric-fixed-point, any masses' noenhanced, \
  $panel0_23 with linespoints dashtype 1 linecolor rgb '#000000' linewidth 2 pointtype 13 pointsize 1 title 'cuda/scaled-source' noenhanced, \
  $panel0_24 with linespoints dashtype 2 linecolor rgb '#000000' linewidth 2 pointtype 13 pointsize 1 title 'cuda/scaled-source, any masses' noenhanced, \
  $panel0_25 with linespoints dashtype 1 linecolor rgb '#e69f00' linewidth 2 pointtype 13 pointsize 1 title 'cuda/equal-mass' noenhanced, \
  $panel0_26 with linespoints dashtype 2 linecolor rgb '#e69f00' linewidth 2 pointtype 13 pointsize 1 title 'cuda/equal-mass, any masses' noenhanced, \
  $panel0_27 with linespoints dashtype 1 linecolor rgb '#56b4e9' linewidth 2 pointtype 13 pointsize 1 title 'cuda/unroll-by-hand-whole' noenhanced, \
  $panel0_28 with linespoints dashtype 1 linecolor rgb '#009e73' linewidth 2 pointtype 13 pointsize 1 title 'cuda/ptx-whole' noenhanced, \
  $panel0_29 with linespoints dashtype 1 linecolor rgb '#d55e00' linewidth 2 pointtype 13 pointsize 1 title 'cuda/periodic-2d, plane' noenhanced, \
  $panel0_30 with linespoints dashtype 2 linecolor rgb '#d55e00' linewidth 2 pointtype 13 pointsize 1 title 'cuda/periodic-2d, periodic plane' noenhanced, \
  $panel0_31 with linespoints dashtype 1 linecolor rgb '#0072b2' linewidth 2 pointtype 13 pointsize 1 title 'cuda/naive-forces' noenhanced, \
  $panel0_32 with linespoints dashtype 1 linecolor rgb '#cc79a7' linewidth 2 pointtype 13 pointsize 1 title 'cuda/tile-forces' noenhanced, \
  $panel0_33 with linespoints dashtype 1 linecolor rgb '#000000' linewidth 2 pointtype 2 pointsize 1 title 'cuda/grid-stride-forces' noenhanced, \
  $panel0_34 with linespoints dashtype 1 linecolor rgb '#e69f00' linewidth 2 pointtype 2 pointsize 1 title 'cuda/grid-stride-tile-forces' noenhanced, \
  $panel0_35 with linespoints dashtype 1 linecolor rgb '#56b4e9' linewidth 2 pointtype 2 pointsize 1 title 'cuda/shuffle-forces' noenhanced
unset multiplot
