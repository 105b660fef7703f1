# Draws crossover-mixed: gnuplot crossover-mixed.gp
set terminal unknown
if (strstrt(GPVAL_TERMINALS, 'pngcairo') > 0) { set terminal pngcairo size 860,620 font 'sans,11' } else { set terminal png size 860,620 }
set output 'crossover-mixed.png'
set logscale x 4
set logscale y
set grid
set key bottom right
set ylabel 'ms of one evaluation'
set format x '%.0f'
set format y '%g'
set multiplot layout 1,1 title 'Direct sums, trees, and the planner''s choice: plummer, error 0.001, NVIDIA H200' noenhanced
set xlabel 'bodies'
set xrange [800:12500000]
set yrange [0.03575199999280206:40439.20466755745]
$panel0_0 << EOD
1000 0.05362799998920309
3000 0.05986600001506304
10000 0.12028000003283523
30000 0.4139130000453406
100000 2.9219940000189126
300000 24.407269999983328
1000000 269.68740000000935
EOD
$panel0_1 << EOD
1000 0.3361759999620517
3000 0.48543799999833936
10000 0.6296500000075866
30000 0.7390939999822876
100000 0.8943340000087119
300000 1.283720000003541
1000000 2.466228000002957
3000000 5.214541999976063
10000000 13.064553999981854
EOD
$panel0_2 << EOD
1000 0.05362799998920309
3000 0.05986600001506304
10000 0.12028000003283523
30000 0.4139130000453406
100000 0.8943340000087119
300000 1.3254670000151236
1000000 2.516826000032779
3000000 5.302544000016951
10000000 13.064553999981854
EOD
$panel0_3 << EOD
3000000 2426.787999865989
10000000 26959.469778371633
EOD
set title '' noenhanced
plot $panel0_0 with linespoints dashtype 1 linecolor rgb '#000000' linewidth 2 pointtype 7 pointsize 1 title 'direct' noenhanced, \
  $panel0_1 with linespoints dashtype 1 linecolor rgb '#e69f00' linewidth 2 pointtype 7 pointsize 1 title 'fmm' noenhanced, \
  $panel0_2 with linespoints dashtype 2 linecolor rgb '#56b4e9' linewidth 2 pointtype 7 pointsize 1 title 'planner' noenhanced, \
  $panel0_3 with linespoints dashtype 2 linecolor rgb '#009e73' linewidth 2 pointtype 7 pointsize 1 title 'direct, scaled' noenhanced
unset multiplot
