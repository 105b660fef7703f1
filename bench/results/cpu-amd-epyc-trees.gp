# Draws cpu-amd-epyc-trees: gnuplot cpu-amd-epyc-trees.gp
set terminal unknown
if (strstrt(GPVAL_TERMINALS, 'pngcairo') > 0) { set terminal pngcairo size 2880,1240 font 'sans,11' } else { set terminal png size 2880,1240 }
set output 'cpu-amd-epyc-trees.png'
set logscale x 4
set logscale y
set grid
set key below height 2
set ylabel 'ms'
set format x '%.0f'
set format y '%g'
set multiplot layout 2,4 title 'Trees and direct sums' noenhanced
set xlabel 'bodies'
set xrange [800:1310720]
set yrange [0.029744667699560523:60623.339518904686]
$panel0_0 << EOD
1000 0.0954630013438873
4000 0.6704760016873479
16000 9.60543799737934
64000 153.63973993043345
256000 2315.08398407243
1048576 37127.35641002655
EOD
$panel0_1 << EOD
1000 0.3285429993411526
4000 1.487260997237172
16000 6.7164640058763325
64000 25.392889001523145
256000 103.54492600163212
1048576 500.3477850041236
EOD
$panel0_2 << EOD
1000 0.26194300153292716
4000 1.758326994604431
16000 12.721712999336887
64000 52.55615400528768
256000 240.1267570021446
1048576 1149.4013760020607
EOD
$panel0_3 << EOD
1000 0.2813020037137903
4000 1.683615002548322
16000 8.140079997247085
64000 22.86551800352754
256000 63.17759599915007
1048576 222.83719300321536
EOD
$panel0_4 << EOD
1000 0.2479719987604767
4000 2.076475000649225
16000 12.358647996734362
64000 43.156995001481846
256000 128.9528969937237
1048576 425.18872099753935
EOD
set title 'plummer' noenhanced
plot $panel0_0 with linespoints dashtype 1 linecolor rgb '#000000' linewidth 2 pointtype 7 pointsize 1 title 'direct' noenhanced, \
  $panel0_1 with linespoints dashtype 1 linecolor rgb '#e69f00' linewidth 2 pointtype 7 pointsize 1 title 'barnes-hut, 0.001' noenhanced, \
  $panel0_2 with linespoints dashtype 1 linecolor rgb '#56b4e9' linewidth 2 pointtype 7 pointsize 1 title 'barnes-hut, 0.0001' noenhanced, \
  $panel0_3 with linespoints dashtype 1 linecolor rgb '#009e73' linewidth 2 pointtype 7 pointsize 1 title 'fmm, 0.001' noenhanced, \
  $panel0_4 with linespoints dashtype 1 linecolor rgb '#d55e00' linewidth 2 pointtype 7 pointsize 1 title 'fmm, 0.0001' noenhanced
set xlabel 'bodies'
set xrange [800:1310720]
set yrange [0.029744667699560523:60623.339518904686]
$panel1_0 << EOD
1000 0.044617001549340785
4000 0.6027039999025874
16000 8.8420220054104
64000 139.6824951260811
256000 2254.2775877099075
1048576 38483.28396677971
EOD
$panel1_1 << EOD
1000 0.21361000108299777
4000 1.3434850043267943
16000 6.049062998499721
64000 23.370205002720468
256000 89.71863700571703
1048576 407.741076000093
EOD
$panel1_2 << EOD
1000 0.2266000010422431
4000 1.7553830039105378
16000 10.303564995410852
64000 53.4328479989199
256000 234.60985199926654
1048576 1131.0027979998267
EOD
$panel1_3 << EOD
1000 0.2000499953282997
4000 3.6338409991003573
16000 9.006819993373938
64000 23.549484001705423
256000 67.71247700089589
1048576 265.68895899981726
EOD
$panel1_4 << EOD
1000 0.1927190023707226
4000 3.1833550019655377
16000 21.028032002504915
64000 54.10112100071274
256000 179.24705900077242
1048576 567.9049800019129
EOD
set title 'galaxy' noenhanced
plot $panel1_0 with linespoints dashtype 1 linecolor rgb '#000000' linewidth 2 pointtype 7 pointsize 1 title 'direct' noenhanced, \
  $panel1_1 with linespoints dashtype 1 linecolor rgb '#e69f00' linewidth 2 pointtype 7 pointsize 1 title 'barnes-hut, 0.001' noenhanced, \
  $panel1_2 with linespoints dashtype 1 linecolor rgb '#56b4e9' linewidth 2 pointtype 7 pointsize 1 title 'barnes-hut, 0.0001' noenhanced, \
  $panel1_3 with linespoints dashtype 1 linecolor rgb '#009e73' linewidth 2 pointtype 7 pointsize 1 title 'fmm, 0.001' noenhanced, \
  $panel1_4 with linespoints dashtype 1 linecolor rgb '#d55e00' linewidth 2 pointtype 7 pointsize 1 title 'fmm, 0.0001' noenhanced
set xlabel 'bodies'
set xrange [800:1310720]
set yrange [0.029744667699560523:60623.339518904686]
$panel2_0 << EOD
1000 0.04872299905400723
4000 0.6424029998015612
16000 9.104415999900084
64000 142.27165223701377
256000 2282.747802340168
1048576 37861.68318986893
EOD
$panel2_1 << EOD
1000 0.14683000335935503
4000 1.212979004776571
16000 6.1239459973876365
64000 22.792709001805633
256000 93.77188699727412
1048576 391.02931399975205
EOD
$panel2_2 << EOD
1000 0.1587979932082817
4000 1.3601199971162714
16000 8.806509998976253
64000 48.9279810062726
256000 214.61595100117847
1048576 1002.0999370026402
EOD
$panel2_3 << EOD
1000 0.16828299703774974
4000 1.0590589954517782
16000 10.517386006540619
64000 28.566929999215063
256000 67.12410599720897
1048576 313.46781799948076
EOD
$panel2_4 << EOD
1000 0.20192300144117326
4000 1.1664390040095896
16000 17.077887001505587
64000 56.22883300384274
256000 156.83916599664371
1048576 503.4031280010822
EOD
set title 'merger' noenhanced
plot $panel2_0 with linespoints dashtype 1 linecolor rgb '#000000' linewidth 2 pointtype 7 pointsize 1 title 'direct' noenhanced, \
  $panel2_1 with linespoints dashtype 1 linecolor rgb '#e69f00' linewidth 2 pointtype 7 pointsize 1 title 'barnes-hut, 0.001' noenhanced, \
  $panel2_2 with linespoints dashtype 1 linecolor rgb '#56b4e9' linewidth 2 pointtype 7 pointsize 1 title 'barnes-hut, 0.0001' noenhanced, \
  $panel2_3 with linespoints dashtype 1 linecolor rgb '#009e73' linewidth 2 pointtype 7 pointsize 1 title 'fmm, 0.001' noenhanced, \
  $panel2_4 with linespoints dashtype 1 linecolor rgb '#d55e00' linewidth 2 pointtype 7 pointsize 1 title 'fmm, 0.0001' noenhanced
set xlabel 'bodies'
set xrange [800:1310720]
set yrange [0.029744667699560523:60623.339518904686]
$panel3_0 << EOD
1000 0.07921899668872356
4000 0.6091539980843663
16000 8.65761600289261
64000 149.81961049542747
256000 2329.2043458411626
1048576 40415.55967926979
EOD
$panel3_1 << EOD
1000 0.21818700042786077
4000 1.5180980044533499
16000 5.817416000354569
64000 23.648411995964125
256000 86.37745500163874
1048576 390.2655079946271
EOD
$panel3_2 << EOD
1000 0.23558300017612055
4000 1.805117994081229
16000 9.345318001578562
64000 47.60985399479978
256000 201.19198500469793
1048576 824.4485770046595
EOD
$panel3_3 << EOD
1000 0.2028439994319342
4000 3.408732998650521
16000 24.367851998249535
64000 50.34286300360691
256000 73.7775350062293
1048576 256.8029910034966
EOD
$panel3_4 << EOD
1000 0.2248680029879324
4000 7.896924995293375
16000 44.92525700334227
64000 89.33213700220222
256000 158.97697299806168
1048576 448.1285369984107
EOD
set title 'cluster in halo' noenhanced
plot $panel3_0 with linespoints dashtype 1 linecolor rgb '#000000' linewidth 2 pointtype 7 pointsize 1 title 'direct' noenhanced, \
  $panel3_1 with linespoints dashtype 1 linecolor rgb '#e69f00' linewidth 2 pointtype 7 pointsize 1 title 'barnes-hut, 0.001' noenhanced, \
  $panel3_2 with linespoints dashtype 1 linecolor rgb '#56b4e9' linewidth 2 pointtype 7 pointsize 1 title 'barnes-hut, 0.0001' noenhanced, \
  $panel3_3 with linespoints dashtype 1 linecolor rgb '#009e73' linewidth 2 pointtype 7 pointsize 1 title 'fmm, 0.001' noenhanced, \
  $panel3_4 with linespoints dashtype 1 linecolor rgb '#d55e00' linewidth 2 pointtype 7 pointsize 1 title 'fmm, 0.0001' noenhanced
set xlabel 'bodies'
set xrange [800:1310720]
set yrange [0.029744667699560523:60623.339518904686]
$panel4_0 << EOD
10000 3.7070300022605807
30000 31.49214797628936
100000 349.97805949945825
EOD
$panel4_1 << EOD
10000 3.9948619960341603
30000 11.874720999912824
100000 39.6401899997727
EOD
$panel4_2 << EOD
10000 9.435842999664601
30000 28.58158200251637
100000 111.0024119989248
EOD
$panel4_3 << EOD
10000 4.534430998319294
30000 11.843674998090137
100000 47.506799004622735
EOD
$panel4_4 << EOD
10000 4.8612719983793795
30000 9.835353004746139
100000 30.886549997376278
EOD
$panel4_5 << EOD
10000 18.964916998811532
30000 53.07700499542989
100000 155.11389899620553
EOD
$panel4_6 << EOD
10000 5.7270909965154715
30000 20.05834799638251
100000 53.22302400600165
EOD
set title 'plummer, 0.001: structures' noenhanced
plot $panel4_0 with linespoints dashtype 1 linecolor rgb '#000000' linewidth 2 pointtype 7 pointsize 1 title 'direct' noenhanced, \
  $panel4_1 with linespoints dashtype 1 linecolor rgb '#e69f00' linewidth 2 pointtype 7 pointsize 1 title 'barnes-hut, octree' noenhanced, \
  $panel4_2 with linespoints dashtype 1 linecolor rgb '#56b4e9' linewidth 2 pointtype 7 pointsize 1 title 'barnes-hut, kd' noenhanced, \
  $panel4_3 with linespoints dashtype 1 linecolor rgb '#009e73' linewidth 2 pointtype 7 pointsize 1 title 'barnes-hut, bvh' noenhanced, \
  $panel4_4 with linespoints dashtype 1 linecolor rgb '#d55e00' linewidth 2 pointtype 7 pointsize 1 title 'fmm, octree' noenhanced, \
  $panel4_5 with linespoints dashtype 1 linecolor rgb '#0072b2' linewidth 2 pointtype 7 pointsize 1 title 'fmm, kd' noenhanced, \
  $panel4_6 with linespoints dashtype 1 linecolor rgb '#cc79a7' linewidth 2 pointtype 7 pointsize 1 title 'fmm, bvh' noenhanced
set xlabel 'bodies'
set xrange [800:1310720]
set yrange [0.029744667699560523:60623.339518904686]
$panel5_0 << EOD
10000 3.65251800394617
30000 31.51800444169562
100000 336.6487099395847
EOD
$panel5_1 << EOD
10000 3.4995290043298155
30000 11.021532001905143
100000 34.79486199648818
EOD
$panel5_2 << EOD
10000 6.665278000582475
30000 24.055242996837478
100000 100.06718899967382
EOD
$panel5_3 << EOD
10000 3.4623140018084086
30000 11.135503002151381
100000 40.63041500194231
EOD
$panel5_4 << EOD
10000 4.75649500003783
30000 13.52345500345109
100000 29.36829200189095
EOD
$panel5_5 << EOD
10000 12.676475002081133
30000 58.866168998065405
100000 259.5639730061521
EOD
$panel5_6 << EOD
10000 5.260621001070831
30000 19.259198998042848
100000 94.31129600125132
EOD
set title 'two clumps, 0.001: structures' noenhanced
plot $panel5_0 with linespoints dashtype 1 linecolor rgb '#000000' linewidth 2 pointtype 7 pointsize 1 title 'direct' noenhanced, \
  $panel5_1 with linespoints dashtype 1 linecolor rgb '#e69f00' linewidth 2 pointtype 7 pointsize 1 title 'barnes-hut, octree' noenhanced, \
  $panel5_2 with linespoints dashtype 1 linecolor rgb '#56b4e9' linewidth 2 pointtype 7 pointsize 1 title 'barnes-hut, kd' noenhanced, \
  $panel5_3 with linespoints dashtype 1 linecolor rgb '#009e73' linewidth 2 pointtype 7 pointsize 1 title 'barnes-hut, bvh' noenhanced, \
  $panel5_4 with linespoints dashtype 1 linecolor rgb '#d55e00' linewidth 2 pointtype 7 pointsize 1 title 'fmm, octree' noenhanced, \
  $panel5_5 with linespoints dashtype 1 linecolor rgb '#0072b2' linewidth 2 pointtype 7 pointsize 1 title 'fmm, kd' noenhanced, \
  $panel5_6 with linespoints dashtype 1 linecolor rgb '#cc79a7' linewidth 2 pointtype 7 pointsize 1 title 'fmm, bvh' noenhanced
set xlabel 'bodies'
set xrange [800:1310720]
set yrange [0.029744667699560523:60623.339518904686]
$panel6_0 << EOD
10000 3.688052005600184
30000 30.81534951526483
100000 357.5293346428331
EOD
$panel6_1 << EOD
10000 2.319970000826288
30000 8.372128002520185
100000 30.53956900112098
EOD
$panel6_2 << EOD
10000 4.346889996668324
30000 13.935773000412155
100000 48.8237149984343
EOD
$panel6_3 << EOD
10000 2.3857689957367256
30000 7.947391000925563
100000 29.981983003381174
EOD
$panel6_4 << EOD
10000 1.8516679992899299
30000 6.06158199661877
100000 22.02707099786494
EOD
$panel6_5 << EOD
10000 3.7480319952010177
30000 11.521742002514657
100000 48.13089599338127
EOD
$panel6_6 << EOD
10000 2.2097850014688447
30000 5.514030999620445
100000 24.25786599633284
EOD
set title 'uniform, 0.001: structures' noenhanced
plot $panel6_0 with linespoints dashtype 1 linecolor rgb '#000000' linewidth 2 pointtype 7 pointsize 1 title 'direct' noenhanced, \
  $panel6_1 with linespoints dashtype 1 linecolor rgb '#e69f00' linewidth 2 pointtype 7 pointsize 1 title 'barnes-hut, octree' noenhanced, \
  $panel6_2 with linespoints dashtype 1 linecolor rgb '#56b4e9' linewidth 2 pointtype 7 pointsize 1 title 'barnes-hut, kd' noenhanced, \
  $panel6_3 with linespoints dashtype 1 linecolor rgb '#009e73' linewidth 2 pointtype 7 pointsize 1 title 'barnes-hut, bvh' noenhanced, \
  $panel6_4 with linespoints dashtype 1 linecolor rgb '#d55e00' linewidth 2 pointtype 7 pointsize 1 title 'fmm, octree' noenhanced, \
  $panel6_5 with linespoints dashtype 1 linecolor rgb '#0072b2' linewidth 2 pointtype 7 pointsize 1 title 'fmm, kd' noenhanced, \
  $panel6_6 with linespoints dashtype 1 linecolor rgb '#cc79a7' linewidth 2 pointtype 7 pointsize 1 title 'fmm, bvh' noenhanced
unset multiplot
