# Draws trees: gnuplot trees.gp
set terminal unknown
if (strstrt(GPVAL_TERMINALS, 'pngcairo') > 0) { set terminal pngcairo size 860,620 font 'sans,11' } else { set terminal png size 860,620 }
set output 'trees.png'
set logscale x 4
set logscale y
set grid
set key bottom right
set ylabel 'ms'
set format x '%.0f'
set format y '%g'
set multiplot layout 1,1 title 'Trees and direct sums' noenhanced
set xlabel 'bodies'
set xrange [13107.2:5242880]
set yrange [0.10338466666344932:7134.404735999851]
$panel0_0 << EOD
16384 0.155076999995174
65536 1.2948079999972606
262144 18.46110800000389
1048576 294.66537600001175
4194304 4756.269823999901
EOD
$panel0_1 << EOD
16384 0.46378800000468345
65536 0.6536019999998643
262144 1.1592050000004406
1048576 2.997895000000028
4194304 10.909042999998064
EOD
$panel0_2 << EOD
16384 0.58659099999403
65536 1.1094669999991424
262144 2.879599999999982
1048576 9.827816999994354
4194304 38.75778699999444
EOD
$panel0_3 << EOD
16384 0.6041469999971127
65536 0.7911920000012174
262144 1.1674029999966251
1048576 2.1821160000001782
4194304 6.104679000003443
EOD
$panel0_4 << EOD
16384 1.1758310000047345
65536 2.1176679999967973
262144 2.345113000004062
1048576 4.824334999995017
4194304 13.19269799999745
EOD
set title 'plummer' noenhanced
plot $panel0_0 with linespoints dashtype 1 linecolor rgb '#000000' linewidth 2 pointtype 7 pointsize 1 title 'direct' noenhanced, \
  $panel0_1 with linespoints dashtype 1 linecolor rgb '#e69f00' linewidth 2 pointtype 7 pointsize 1 title 'barnes-hut, 0.001' noenhanced, \
  $panel0_2 with linespoints dashtype 1 linecolor rgb '#56b4e9' linewidth 2 pointtype 7 pointsize 1 title 'barnes-hut, 0.0001' noenhanced, \
  $panel0_3 with linespoints dashtype 1 linecolor rgb '#009e73' linewidth 2 pointtype 7 pointsize 1 title 'fmm, 0.001' noenhanced, \
  $panel0_4 with linespoints dashtype 1 linecolor rgb '#d55e00' linewidth 2 pointtype 7 pointsize 1 title 'fmm, 0.0001' noenhanced
unset multiplot
