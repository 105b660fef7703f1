# Draws path: gnuplot path.gp
set terminal unknown
if (strstrt(GPVAL_TERMINALS, 'pngcairo') > 0) { set terminal pngcairo size 1100,620 font 'sans,11' } else { set terminal png size 1100,620 }
set output 'path.png'
set logscale x 4
set logscale y
set grid
set key outside right center vertical Left reverse
set xlabel 'bodies'
set ylabel '10^9 interactions per second'
set format x '%.0f'
set xrange [3276.8:163840]
set yrange [0.18993360119094316:4694.5141737406075]
set multiplot layout 1,1 title 'The optimisation path' noenhanced
$panel0_0 << EOD
4096 0.28490040178641474
EOD
$panel0_1 << EOD
4096 43.487725399909195
131072 1336.6435695861019
EOD
$panel0_2 << EOD
4096 142.39217441716445
131072 1723.7843980851035
EOD
$panel0_3 << EOD
4096 195.33830481290164
131072 1864.7760366448217
EOD
$panel0_4 << EOD
4096 145.79755657864087
131072 1704.2223183743042
EOD
$panel0_5 << EOD
4096 145.79755657864087
131072 1704.211516359178
EOD
$panel0_6 << EOD
4096 862.173988733634
131072 1442.5149997327062
EOD
$panel0_7 << EOD
4096 70.10135133566303
131072 1714.4921259671746
EOD
$panel0_8 << EOD
4096 863.7363749958878
131072 2035.4831656567987
EOD
$panel0_9 << EOD
4096 64.58339586754707
131072 3014.0798132031287
EOD
$panel0_10 << EOD
4096 44.009738463639955
131072 3129.6761158270715
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
  $panel0_10 with linespoints dashtype 1 linecolor rgb '#009e73' linewidth 2 pointtype 9 pointsize 1 title 'Pleiad: scaled sources' noenhanced
unset multiplot
