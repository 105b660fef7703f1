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
set yrange [0.030801333328630182:39796.50300607529]
$panel0_0 << EOD
1000 0.046201999992945275
3000 0.04861499999719854
10000 0.09881099998665377
30000 0.3569229999982326
100000 2.803866000022026
300000 24.05996500002061
1000000 265.40527000000225
EOD
$panel0_1 << EOD
1000 0.3897619999975177
3000 0.7835750000140251
10000 1.1476840000170796
30000 0.9953410000207441
100000 1.1731019999956516
300000 1.459001000000626
1000000 10.157066999994413
3000000 5.4603709999980765
10000000 101.44931600001428
EOD
$panel0_2 << EOD
1000 0.046201999992945275
3000 0.04861499999719854
10000 0.09881099998665377
30000 0.3569229999982326
100000 1.173329000010881
300000 1.5076079999971626
1000000 10.245986999990464
3000000 5.608269999981985
10000000 113.46385300001316
EOD
$panel0_3 << EOD
3000000 2387.9295458753736
10000000 26531.002004050195
EOD
set title '' noenhanced
plot $panel0_0 with linespoints dashtype 1 linecolor rgb '#000000' linewidth 2 pointtype 7 pointsize 1 title 'direct' noenhanced, \
  $panel0_1 with linespoints dashtype 1 linecolor rgb '#e69f00' linewidth 2 pointtype 7 pointsize 1 title 'fmm' noenhanced, \
  $panel0_2 with linespoints dashtype 2 linecolor rgb '#56b4e9' linewidth 2 pointtype 7 pointsize 1 title 'planner' noenhanced, \
  $panel0_3 with linespoints dashtype 2 linecolor rgb '#009e73' linewidth 2 pointtype 7 pointsize 1 title 'direct, scaled' noenhanced
unset multiplot
