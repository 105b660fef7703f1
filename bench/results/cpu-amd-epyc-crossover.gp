# Draws cpu-amd-epyc-crossover: gnuplot cpu-amd-epyc-crossover.gp
set terminal unknown
if (strstrt(GPVAL_TERMINALS, 'pngcairo') > 0) { set terminal pngcairo size 860,620 font 'sans,11' } else { set terminal png size 860,620 }
set output 'cpu-amd-epyc-crossover.png'
set logscale x 4
set logscale y
set grid
set key bottom right
set ylabel 'ms of one evaluation'
set format x '%.0f'
set format y '%g'
set multiplot layout 1,1 title 'Direct sums, trees, and the planner''s choice: plummer, error 0.001, AMD EPYC' noenhanced
set xlabel 'bodies'
set xrange [800:1250000]
set yrange [0.034364667953923345:61334.421749415924]
$panel0_0 << EOD
1000 0.05154700193088502
3000 0.3816719981841743
10000 3.816865006228909
30000 32.96479699929478
100000 390.3122830015491
EOD
$panel0_1 << EOD
1000 0.13124700490152463
3000 0.6585480005014688
10000 3.387101001862902
30000 11.551196999789681
100000 40.957545999845024
300000 108.68867200042587
1000000 381.7996750003658
EOD
$panel0_2 << EOD
1000 0.16574899927945808
3000 1.0810710009536706
10000 4.787871999724302
30000 9.522724001726601
100000 29.096124002535362
300000 68.1147810028051
1000000 229.51198499504244
EOD
$panel0_3 << EOD
1000 0.05154700193088502
3000 0.3816719981841743
10000 3.7093540013302118
30000 10.919560001639184
100000 30.54130099917529
300000 70.88615899556316
1000000 237.9767320016981
EOD
$panel0_4 << EOD
300000 3427.5032639925485
1000000 40889.614499610616
EOD
set title '' noenhanced
plot $panel0_0 with linespoints dashtype 1 linecolor rgb '#000000' linewidth 2 pointtype 7 pointsize 1 title 'direct' noenhanced, \
  $panel0_1 with linespoints dashtype 1 linecolor rgb '#e69f00' linewidth 2 pointtype 7 pointsize 1 title 'barnes-hut' noenhanced, \
  $panel0_2 with linespoints dashtype 1 linecolor rgb '#56b4e9' linewidth 2 pointtype 7 pointsize 1 title 'fmm' noenhanced, \
  $panel0_3 with linespoints dashtype 2 linecolor rgb '#009e73' linewidth 2 pointtype 7 pointsize 1 title 'planner' noenhanced, \
  $panel0_4 with linespoints dashtype 2 linecolor rgb '#d55e00' linewidth 2 pointtype 7 pointsize 1 title 'direct, scaled' noenhanced
unset multiplot
