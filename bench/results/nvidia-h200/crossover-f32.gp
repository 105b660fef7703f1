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
set yrange [0.03411533335414182:39802.11454290611]
$panel0_0 << EOD
1000 0.05117300003121272
3000 0.05805200004260769
10000 0.10808899997982735
30000 0.3731610000272667
100000 2.8468489999795565
300000 24.187818000029893
1000000 265.57341199998064
EOD
$panel0_1 << EOD
1000 0.3401100000246515
3000 0.5082459999812272
10000 0.6162679999874854
30000 0.7453480000094714
100000 0.8797129999607023
300000 1.2293260000433293
1000000 2.3406850000355917
3000000 5.027885999993487
10000000 12.654362999967361
EOD
$panel0_2 << EOD
1000 0.05117300003121272
3000 0.05805200004260769
10000 0.10808899997982735
30000 0.3731610000272667
100000 0.9016230000042924
300000 1.3250199999674805
1000000 2.4077140000144936
3000000 5.098966999980803
10000000 12.654362999967361
EOD
$panel0_3 << EOD
3000000 2388.374114161351
10000000 26534.743028604073
EOD
set title '' noenhanced
plot $panel0_0 with linespoints dashtype 1 linecolor rgb '#000000' linewidth 2 pointtype 7 pointsize 1 title 'direct' noenhanced, \
  $panel0_1 with linespoints dashtype 1 linecolor rgb '#e69f00' linewidth 2 pointtype 7 pointsize 1 title 'fmm' noenhanced, \
  $panel0_2 with linespoints dashtype 2 linecolor rgb '#56b4e9' linewidth 2 pointtype 7 pointsize 1 title 'planner' noenhanced, \
  $panel0_3 with linespoints dashtype 2 linecolor rgb '#009e73' linewidth 2 pointtype 7 pointsize 1 title 'direct, scaled' noenhanced
unset multiplot
