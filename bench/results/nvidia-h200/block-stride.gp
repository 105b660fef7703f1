# Draws block-stride: gnuplot block-stride.gp
set terminal unknown
if (strstrt(GPVAL_TERMINALS, 'pngcairo') > 0) { set terminal pngcairo size 1120,696 font 'sans,11' } else { set terminal png size 1120,696 }
set output 'block-stride.png'
set logscale x 4
set logscale y
set grid
set key below height 2
set ylabel '10^9 interactions per second'
set format x '%.0f'
set format y '%g'
set multiplot layout 1,2 title 'Block and stride, N = 4096' noenhanced
set xlabel 'threads per block'
set xrange [0.8:1280]
set yrange [28.42593898182272:1549.9251126562003]
$panel0_0 << EOD
1 42.63890847273408
2 44.42742233418374
3 44.56715338546217
4 44.51417969254272
8 44.83776671355367
16 44.68109611451124
30 43.987582164373
31 43.935976502333226
32 44.277341224784905
64 44.176609256137255
96 44.32975239052015
128 44.08745295977724
192 43.92125377080024
256 43.44448238600343
384 42.68751044411408
512 47.76241232496125
640 47.32695403053945
768 47.97657251837542
896 47.55878031054606
992 45.20893310131878
1023 44.091161483339114
1024 43.9986558052995
EOD
set title 'one thread per body' noenhanced
plot $panel0_0 with linespoints dashtype 1 linecolor rgb '#000000' linewidth 2 pointtype 7 pointsize 1 title 'cuda/naive' noenhanced
set xlabel 'blocks that share the sources (stride)'
set xrange [0.8:80]
set yrange [28.42593898182272:1549.9251126562003]
$panel1_0 << EOD
1 86.75955440482001
2 168.85282378478323
4 317.6540452170017
8 570.6535986741636
16 851.6699372458797
32 945.6854530505848
64 928.9298147161702
EOD
$panel1_1 << EOD
1 94.73942506254107
2 183.83169297551498
4 340.88947722558936
8 608.2227475367586
16 906.4453971808525
32 992.2179813307409
64 1033.283408437467
EOD
$panel1_2 << EOD
1 99.46651760463192
2 190.7889395009094
4 362.32755547873614
8 623.2249607416394
16 924.3441657677243
32 1003.2299631040735
64 797.5174650195339
EOD
$panel1_3 << EOD
1 98.29171163455001
2 189.3078161221578
4 357.3878488045035
8 638.985968991598
16 915.7869096043651
32 727.6724348188116
64 672.595254820445
EOD
$panel1_4 << EOD
1 83.93980063066492
2 162.97419710233677
4 305.9749035723433
8 550.1448282444956
16 549.3761952947182
32 521.6796180014114
64 482.32567910408426
EOD
$panel1_5 << EOD
1 55.06069963833856
2 107.3041353260343
4 204.40078184669358
8 205.84530261540456
16 204.3211238810789
32 201.9988372090221
64 195.26555256134506
EOD
set title 'several blocks per block of bodies' noenhanced
plot $panel1_0 with linespoints dashtype 1 linecolor rgb '#000000' linewidth 2 pointtype 7 pointsize 1 title '32 threads per block' noenhanced, \
  $panel1_1 with linespoints dashtype 1 linecolor rgb '#e69f00' linewidth 2 pointtype 7 pointsize 1 title '64 threads per block' noenhanced, \
  $panel1_2 with linespoints dashtype 1 linecolor rgb '#56b4e9' linewidth 2 pointtype 7 pointsize 1 title '128 threads per block' noenhanced, \
  $panel1_3 with linespoints dashtype 1 linecolor rgb '#009e73' linewidth 2 pointtype 7 pointsize 1 title '256 threads per block' noenhanced, \
  $panel1_4 with linespoints dashtype 1 linecolor rgb '#d55e00' linewidth 2 pointtype 7 pointsize 1 title '512 threads per block' noenhanced, \
  $panel1_5 with linespoints dashtype 1 linecolor rgb '#0072b2' linewidth 2 pointtype 7 pointsize 1 title '1024 threads per block' noenhanced
unset multiplot
