# Draws path: gnuplot path.gp
set terminal unknown
if (strstrt(GPVAL_TERMINALS, 'pngcairo') > 0) { set terminal pngcairo size 1100,620 font 'sans,11' } else { set terminal png size 1100,620 }
set output 'path.png'
set logscale x 4
set logscale y
set grid
set key outside right center vertical Left reverse
set ylabel '10^9 interactions per second'
set format x '%.0f'
set format y '%g'
set multiplot layout 1,1 title 'The optimisation path' noenhanced
set xlabel 'bodies'
set xrange [3276.8:163840]
set yrange [0.1277611997628167:5504.010306695529]
$panel0_0 << EOD
4096 0.19164179964422504
EOD
$panel0_1 << EOD
4096 43.774567329738886
131072 1337.0363271489398
EOD
$panel0_2 << EOD
4096 142.35351211615412
131072 1724.5983039957052
EOD
$panel0_3 << EOD
4096 193.25028099177172
131072 1868.813570257701
EOD
$panel0_4 << EOD
4096 145.95990644027873
131072 1702.3525482873315
EOD
$panel0_5 << EOD
4096 145.71651229299547
131072 1696.7732078789406
EOD
$panel0_6 << EOD
4096 819.2000206947332
131072 1443.585534996878
EOD
$panel0_7 << EOD
4096 69.51577690556066
131072 1712.2338377865874
EOD
$panel0_8 << EOD
4096 818.5605154064451
131072 2049.986345426777
EOD
$panel0_9 << EOD
4096 373.42450660055783
131072 3153.148910610098
EOD
$panel0_10 << EOD
4096 349.81684655112934
131072 3387.3265024478287
EOD
$panel0_11 << EOD
4096 1369.8401770459698
131072 3669.340204463686
EOD
set title '' noenhanced
plot $panel0_0 with linespoints dashtype 1 linecolor rgb '#000000' linewidth 2 pointtype 7 pointsize 1 title 'serial loop on the CPU' noenhanced, \
  $panel0_1 with linespoints dashtype 1 linecolor rgb '#e69f00' linewidth 2 pointtype 7 pointsize 1 title 'naive' noenhanced, \
  $panel0_2 with linespoints dashtype 1 linecolor rgb '#56b4e9' linewidth 2 pointtype 7 pointsize 1 title 'tiles in shared memory' noenhanced, \
  $panel0_3 with linespoints dashtype 1 linecolor rgb '#009e73' linewidth 2 pointtype 7 pointsize 1 title 'unrolled 32 times' noenhanced, \
  $panel0_4 with linespoints dashtype 1 linecolor rgb '#d55e00' linewidth 2 pointtype 7 pointsize 1 title 'unrolled by hand' noenhanced, \
  $panel0_5 with linespoints dashtype 1 linecolor rgb '#0072b2' linewidth 2 pointtype 7 pointsize 1 title 'PTX' noenhanced, \
  $panel0_6 with linespoints dashtype 1 linecolor rgb '#cc79a7' linewidth 2 pointtype 7 pointsize 1 title 'several threads per body' noenhanced, \
  $panel0_7 with linespoints dashtype 1 linecolor rgb '#000000' linewidth 2 pointtype 9 pointsize 1 title 'Pleiad: targets in registers' noenhanced, \
  $panel0_8 with linespoints dashtype 1 linecolor rgb '#e69f00' linewidth 2 pointtype 9 pointsize 1 title 'Pleiad: split and reduced' noenhanced, \
  $panel0_9 with linespoints dashtype 1 linecolor rgb '#56b4e9' linewidth 2 pointtype 9 pointsize 1 title 'Pleiad: symmetric pairs' noenhanced, \
  $panel0_10 with linespoints dashtype 1 linecolor rgb '#009e73' linewidth 2 pointtype 9 pointsize 1 title 'Pleiad: scaled sources' noenhanced, \
  $panel0_11 with linespoints dashtype 1 linecolor rgb '#d55e00' linewidth 2 pointtype 9 pointsize 1 title 'Pleiad, one GPU' noenhanced
unset multiplot
