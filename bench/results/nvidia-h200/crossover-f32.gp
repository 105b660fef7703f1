# Draws crossover-f32: gnuplot crossover-f32.gp
set terminal unknown
if (strstrt(GPVAL_TERMINALS, 'pngcairo') > 0) { set terminal pngcairo size 860,620 font 'sans,11' } else { set terminal png size 860,620 }
set output 'crossover-f32.png'
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
set yrange [0.03130666667061632:39812.187424105105]
$panel0_0 << EOD
1000 0.046960000005924485
3000 0.05445300000417319
10000 0.11174700000537996
30000 0.3715349999993123
100000 2.8176650000091286
300000 24.08356000000822
1000000 265.46817300000214
EOD
$panel0_1 << EOD
1000 0.20356400000309804
3000 0.32420300000524094
10000 0.43010699999967983
30000 0.5211689999953251
100000 0.7454619999975876
300000 1.276206000000002
1000000 2.8986819999943236
3000000 6.198521000001733
10000000 18.834768999994367
EOD
$panel0_2 << EOD
1000 0.299671999997031
3000 0.505502000009983
10000 0.5959470000078682
30000 0.6452050000120835
100000 0.8486950000019533
300000 1.2006230000025653
1000000 2.159661000007418
3000000 4.402933999998027
10000000 12.304830999994465
EOD
$panel0_3 << EOD
1000 0.046960000005924485
3000 0.05445300000417319
10000 0.11174700000537996
30000 0.3715349999993123
100000 0.7511499999992566
300000 1.2789560000072697
1000000 2.211418000001686
3000000 4.730266999999344
10000000 12.304830999994465
EOD
$panel0_4 << EOD
3000000 2388.003902524315
10000000 26541.458282736738
EOD
set title '' noenhanced
plot $panel0_0 with linespoints dashtype 1 linecolor rgb '#000000' linewidth 2 pointtype 7 pointsize 1 title 'direct' noenhanced, \
  $panel0_1 with linespoints dashtype 1 linecolor rgb '#e69f00' linewidth 2 pointtype 7 pointsize 1 title 'barnes-hut' noenhanced, \
  $panel0_2 with linespoints dashtype 1 linecolor rgb '#56b4e9' linewidth 2 pointtype 7 pointsize 1 title 'fmm' noenhanced, \
  $panel0_3 with linespoints dashtype 2 linecolor rgb '#009e73' linewidth 2 pointtype 7 pointsize 1 title 'planner' noenhanced, \
  $panel0_4 with linespoints dashtype 2 linecolor rgb '#d55e00' linewidth 2 pointtype 7 pointsize 1 title 'direct, scaled' noenhanced
unset multiplot
