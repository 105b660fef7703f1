# Draws steps-mixed: gnuplot steps-mixed.gp
set terminal unknown
if (strstrt(GPVAL_TERMINALS, 'pngcairo') > 0) { set terminal pngcairo size 860,620 font 'sans,11' } else { set terminal png size 860,620 }
set output 'steps-mixed.png'
set logscale x 4
set logscale y
set grid
set key bottom right
set ylabel '10^9 interactions per second'
set format x '%.0f'
set format y '%g'
set multiplot layout 1,1 title 'Direct sums on NVIDIA H200' noenhanced
set xlabel 'bodies'
set xrange [51.2:1310720]
set yrange [0.1995532176781362:5626.842996899979]
$panel0_0 << EOD
64 4.103807434794686
256 8.94656584907235
1024 8.720070861766247
EOD
$panel0_1 << EOD
64 3.5994639028666184
256 32.326110308040754
1024 106.38844553901136
EOD
$panel0_2 << EOD
64 1.2338833702812173
256 19.316455612124592
1024 288.5218656695184
4096 1258.483468307658
16384 1594.3086524449614
EOD
$panel0_3 << EOD
64 0.2993298265172043
256 3.5351197318542162
1024 56.381318789942476
4096 890.0443481431881
16384 2612.3370711044436
EOD
$panel0_4 << EOD
65536 3277.5193245384417
262144 3708.0307555218756
1048576 3751.228664599986
EOD
$panel0_5 << EOD
64 0.43309630557486234
256 2.3534762900076553
1024 10.448341598767989
4096 43.08031048885522
16384 173.64227268618194
65536 424.91558717993695
262144 453.9962394132252
EOD
set title 'mixed' noenhanced
plot $panel0_0 with linespoints dashtype 1 linecolor rgb '#000000' linewidth 2 pointtype 7 pointsize 1 title 'cuda/block-steps' noenhanced, \
  $panel0_1 with linespoints dashtype 1 linecolor rgb '#e69f00' linewidth 2 pointtype 7 pointsize 1 title 'cuda/cluster-steps' noenhanced, \
  $panel0_2 with linespoints dashtype 1 linecolor rgb '#56b4e9' linewidth 2 pointtype 7 pointsize 1 title 'cuda/grid-steps' noenhanced, \
  $panel0_3 with linespoints dashtype 1 linecolor rgb '#009e73' linewidth 2 pointtype 7 pointsize 1 title 'cuda/symmetric-steps' noenhanced, \
  $panel0_4 with linespoints dashtype 1 linecolor rgb '#d55e00' linewidth 2 pointtype 7 pointsize 1 title 'cuda/mixed-symmetric' noenhanced, \
  $panel0_5 with linespoints dashtype 1 linecolor rgb '#0072b2' linewidth 2 pointtype 7 pointsize 1 title 'cuda/tile' noenhanced
unset multiplot
