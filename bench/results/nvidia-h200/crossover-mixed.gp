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
set yrange [0.03303266667368613:40419.8391152011]
$panel0_0 << EOD
1000 0.0495490000105292
3000 0.05553299999405681
10000 0.1229819999934989
30000 0.4030139999997573
100000 2.8589420000173504
300000 24.424206000020376
1000000 269.77391099998727
EOD
$panel0_1 << EOD
1000 0.4153620000124647
3000 0.826136000000588
10000 1.2207940000052986
30000 1.0011429999963184
100000 1.1770389999981035
300000 1.4682409999977608
1000000 9.346878999991759
3000000 5.617051999990963
10000000 180.91262899997673
EOD
$panel0_2 << EOD
1000 0.0495490000105292
3000 0.05553299999405681
10000 0.1229819999934989
30000 0.4030139999997573
100000 1.3452949999930297
300000 1.5110980000088148
1000000 14.85567500000684
3000000 5.876246000013907
10000000 180.91262899997673
EOD
$panel0_3 << EOD
3000000 2425.502458208932
10000000 26946.55941013407
EOD
set title '' noenhanced
plot $panel0_0 with linespoints dashtype 1 linecolor rgb '#000000' linewidth 2 pointtype 7 pointsize 1 title 'direct' noenhanced, \
  $panel0_1 with linespoints dashtype 1 linecolor rgb '#e69f00' linewidth 2 pointtype 7 pointsize 1 title 'fmm' noenhanced, \
  $panel0_2 with linespoints dashtype 2 linecolor rgb '#56b4e9' linewidth 2 pointtype 7 pointsize 1 title 'planner' noenhanced, \
  $panel0_3 with linespoints dashtype 2 linecolor rgb '#009e73' linewidth 2 pointtype 7 pointsize 1 title 'direct, scaled' noenhanced
unset multiplot
