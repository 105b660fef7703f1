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
set yrange [28.953391435114067:5604.090238814695]
$panel0_0 << EOD
4096 43.4300871526711
16384 175.858111878604
65536 712.627690194358
262144 1281.7163170376903
EOD
$panel0_1 << EOD
4096 142.50828742814213
16384 583.1902263145635
65536 1642.027996393888
262144 1805.59886737932
EOD
$panel0_2 << EOD
4096 64.2903708812175
16384 264.7417743091175
65536 1026.9224275992372
262144 1357.940440958448
EOD
$panel0_3 << EOD
4096 166.12420523749782
16384 683.3339659039289
65536 1605.9170421864367
262144 1760.1373480085047
EOD
$panel0_4 << EOD
4096 97.83317672342024
16384 397.16905705416485
65536 1095.9143877942383
262144 1192.4197900954687
EOD
$panel0_5 << EOD
4096 195.04762059598826
16384 807.6064547139783
65536 1821.4079462630805
262144 1900.9293612043593
EOD
$panel0_6 << EOD
4096 145.71651229299547
16384 597.9050522782613
65536 1642.3696195767498
262144 1766.4352861011744
EOD
$panel0_7 << EOD
4096 145.91929217960842
16384 597.5643145126959
65536 1642.2088204081897
262144 1767.6988982282664
EOD
$panel0_8 << EOD
4096 120.58141547135236
16384 499.11396374059063
65536 1394.0498364099271
262144 1518.2485417064102
EOD
$panel0_9 << EOD
4096 43.78188008028211
16384 176.16463733498728
65536 712.9835778936913
262144 1281.4249287533105
EOD
$panel0_10 << EOD
4096 43.80016583464722
16384 175.78441900155318
65536 712.43480537134
262144 1281.765289838189
EOD
$panel0_11 << EOD
4096 69.97971382730168
16384 283.1119832814864
65536 1131.8272152295804
262144 1818.9872572211593
EOD
$panel0_12 << EOD
4096 855.2822031495749
16384 1265.440950438085
65536 1405.5830945412777
262144 1452.1652179446685
EOD
$panel0_13 << EOD
4096 933.1735232063278
16384 1649.3527078837008
65536 1837.8185502409428
262144 1873.2526782981693
EOD
$panel0_14 << EOD
4096 869.4660132164206
16384 1778.7548566350745
65536 2000.2641024695715
262144 2076.259591652084
EOD
$panel0_15 << EOD
4096 44.76502818628997
16384 180.27610584727321
65536 626.1527995050529
262144 828.6339888392171
EOD
$panel0_16 << EOD
4096 124.15060993500744
16384 507.07903461431675
65536 1448.043758142814
262144 1547.4415559940849
EOD
$panel0_17 << EOD
4096 54.2741201866301
16384 358.2272607078724
65536 1417.6381964602076
262144 1748.9617295641085
EOD
$panel0_18 << EOD
4096 138.9578551049983
16384 567.6800409222893
65536 1498.1998554296554
262144 1618.469160909775
EOD
$panel0_19 << EOD
4096 104.5022966878481
16384 424.9763385251139
65536 1527.7708667038792
262144 2050.536339811224
EOD
$panel0_20 << EOD
4096 96.04103507682849
16384 390.6220200276197
65536 952.9260758311145
262144 1035.0859905343489
EOD
$panel0_21 << EOD
4096 143.40481796956186
16384 587.6844534274446
65536 1651.2804940900687
262144 1796.9476614892415
EOD
$panel0_22 << EOD
4096 143.44405351379982
16384 587.0264392463229
65536 1651.585245591728
262144 1796.1646948558762
EOD
$panel0_23 << EOD
4096 64.75889184364732
16384 264.43299722992947
65536 923.0042004873044
262144 1125.3834261864686
EOD
$panel0_24 << EOD
4096 140.78625319377798
16384 589.9161642518314
65536 1317.6039528035535
262144 1453.2658397536768
EOD
$panel0_25 << EOD
4096 71.06099373071599
16384 292.1943643756996
65536 991.1072189610774
262144 1149.8030180596897
EOD
$panel0_26 << EOD
4096 150.4845011700507
16384 631.1969831834954
65536 1376.366213003201
262144 1517.9223200156712
EOD
$panel0_27 << EOD
4096 88.63702296427485
16384 365.24614274790537
65536 1037.5039240717579
262144 1131.5349508980964
EOD
$panel0_28 << EOD
4096 482.10391847778243
16384 2312.822775303079
65536 2915.938293267233
262144 3201.0380326724653
EOD
$panel0_29 << EOD
4096 483.36323075159964
16384 2269.6450396624086
65536 2908.167138822839
262144 3200.8759320176255
EOD
$panel0_30 << EOD
4096 417.4267456941158
16384 2131.7936858318717
65536 2956.2725384507935
262144 3198.7303572011715
EOD
$panel0_31 << EOD
4096 431.3943982490666
16384 2149.271887853534
65536 2959.9887855945994
262144 3201.434253021624
EOD
$panel0_32 << EOD
4096 388.3614714077506
16384 2129.628862332598
65536 3168.950549700133
262144 3463.5604089391077
EOD
$panel0_33 << EOD
4096 406.5298641299105
16384 2122.086481708392
65536 3174.121580665242
262144 3464.823464472157
EOD
$panel0_34 << EOD
4096 368.82729579126845
16384 2086.1993921368194
65536 3385.404053803315
262144 3736.0601592097964
EOD
$panel0_35 << EOD
4096 382.22698363258496
16384 2032.1241453831153
65536 3115.6906785474434
262144 3458.278362881401
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
  $panel0_19 with linespoints dashtype 1 linecolor rgb '#0072b2' linewidth 2 pointtype 5 pointsize 1 title 'cuda/periodic-2d, plane' noenhanced, \
  $panel0_20 with linespoints dashtype 2 linecolor rgb '#0072b2' linewidth 2 pointtype 5 pointsize 1 title 'cuda/periodic-2d, periodic plane' noenhanced, \
  $panel0_21 with linespoints dashtype 1 linecolor rgb '#cc79a7' linewidth 2 pointtype 5 pointsize 1 title 'cuda/unroll-by-hand-whole' noenhanced, \
  $panel0_22 with linespoints dashtype 1 linecolor rgb '#000000' linewidth 2 pointtype 13 pointsize 1 title 'cuda/ptx-whole' noenhanced, \
  $panel0_23 with linespoints dashtype 1 linecolor rgb '#e69f00' linewidth 2 pointtype 13 pointsize 1 title 'cuda/naive-forces' noenhanced, \
  $panel0_24 with linespoints dashtype 1 linecolor rgb '#56b4e9' linewidth 2 pointtype 13 pointsize 1 title 'cuda/tile-forces' noenhanced, \
  $panel0_25 with linespoints dashtype 1 linecolor rgb '#009e73' linewidth 2 pointtype 13 pointsize 1 title 'cuda/grid-stride-forces' noenhanced, \
  $panel0_26 with linespoints dashtype 1 linecolor rgb '#d55e00' linewidth 2 pointtype 13 pointsize 1 title 'cuda/grid-stride-tile-forces' noenhanced, \
  $panel0_27 with linespoints dashtype 1 linecolor rgb '#0072b2' linewidth 2 pointtype 13 pointsize 1 title 'cuda/shuffle-forces' noenhanced, \
  $panel0_28 with linespoints dashtype 1 linecolor rgb '#cc79a7' linewidth 2 pointtype 13 pointsize 1 title 'cuda/symmetric-atomics' noenhanced, \
  $panel0_29 with linespoints dashtype 2 linecolor rgb '#cc79a7' linewidth 2 pointtype 13 pointsize 1 title 'cuda/symmetric-atomics, any masses' noenhanced, \
  $panel0_30 with linespoints dashtype 1 linecolor rgb '#000000' linewidth 2 pointtype 2 pointsize 1 title 'cuda/symmetric-fixed-point' noenhanced, \
  $panel0_31 with linespoints dashtype 2 linecolor rgb '#000000' linewidth 2 pointtype 2 pointsize 1 title 'cuda/symmetric-fixed-point, any masses' noenhanced, \
  $panel0_32 with linespoints dashtype 1 linecolor rgb '#e69f00' linewidth 2 pointtype 2 pointsize 1 title 'cuda/scaled-source' noenhanced, \
  $panel0_33 with linespoints dashtype 2 linecolor rgb '#e69f00' linewidth 2 pointtype 2 pointsize 1 title 'cuda/scaled-source, any masses' noenhanced, \
  $panel0_34 with linespoints dashtype 1 linecolor rgb '#56b4e9' linewidth 2 pointtype 2 pointsize 1 title 'cuda/equal-mass' noenhanced, \
  $panel0_35 with linespoints dashtype 2 linecolor rgb '#56b4e9' linewidth 2 pointtype 2 pointsize 1 title 'cuda/equal-mass, any masses' noenhanced
unset multiplot
