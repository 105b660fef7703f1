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
set yrange [0.03658133209683001:55278.33584965265]
$panel0_0 << EOD
1000 0.054871998145245016
3000 0.4030550044262782
10000 3.839940000034403
30000 32.3558439995395
100000 400.92960900074104
EOD
$panel0_1 << EOD
1000 0.13468200631905347
3000 0.6772460037609562
10000 3.327630998683162
30000 11.155533000419382
100000 37.43453100469196
300000 104.80969800119055
1000000 344.2107910013874
EOD
$panel0_2 << EOD
1000 0.1835450020735152
3000 1.0751129957498051
10000 4.72089099639561
30000 9.292729002481792
100000 27.860861002409365
300000 64.65400000161026
1000000 192.23605099978158
EOD
$panel0_3 << EOD
1000 0.054871998145245016
3000 0.4030550044262782
10000 3.5307259968249127
30000 9.907380997901782
100000 28.212347999215126
300000 64.65400000161026
1000000 192.23605099978158
EOD
$panel0_4 << EOD
300000 3520.60967701982
1000000 36852.22389976843
EOD
set title '' noenhanced
plot $panel0_0 with linespoints dashtype 1 linecolor rgb '#000000' linewidth 2 pointtype 7 pointsize 1 title 'direct' noenhanced, \
  $panel0_1 with linespoints dashtype 1 linecolor rgb '#e69f00' linewidth 2 pointtype 7 pointsize 1 title 'barnes-hut' noenhanced, \
  $panel0_2 with linespoints dashtype 1 linecolor rgb '#56b4e9' linewidth 2 pointtype 7 pointsize 1 title 'fmm' noenhanced, \
  $panel0_3 with linespoints dashtype 2 linecolor rgb '#009e73' linewidth 2 pointtype 7 pointsize 1 title 'planner' noenhanced, \
  $panel0_4 with linespoints dashtype 2 linecolor rgb '#d55e00' linewidth 2 pointtype 7 pointsize 1 title 'direct, scaled' noenhanced
unset multiplot
