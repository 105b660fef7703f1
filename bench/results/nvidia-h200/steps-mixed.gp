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
set yrange [0.19487399683758422:5577.867795991477]
$panel0_0 << EOD
64 3.804291227287706
256 8.812492694769093
1024 8.307077964708057
EOD
$panel0_1 << EOD
64 3.4437973817210357
256 29.82159957153615
1024 106.26597679126306
EOD
$panel0_2 << EOD
64 0.9947887464563705
256 15.681489630140648
1024 239.4835443202587
4096 1198.5219750951098
16384 1584.6893685798905
EOD
$panel0_3 << EOD
64 0.2923109952563763
256 3.479786800235957
1024 55.15647518135053
4096 857.0584585398824
16384 2686.68262890409
EOD
$panel0_4 << EOD
65536 3325.287861664907
262144 3680.943379407076
1048576 3718.5785306609846
EOD
$panel0_5 << EOD
64 0.43212788448313477
256 2.3594843607635476
1024 10.458802991608437
4096 43.1163179267838
16384 174.06693721076095
65536 425.31027298987874
262144 454.2471582366954
EOD
set title 'mixed' noenhanced
plot $panel0_0 with linespoints dashtype 1 linecolor rgb '#000000' linewidth 2 pointtype 7 pointsize 1 title 'cuda/block-steps' noenhanced, \
  $panel0_1 with linespoints dashtype 1 linecolor rgb '#e69f00' linewidth 2 pointtype 7 pointsize 1 title 'cuda/cluster-steps' noenhanced, \
  $panel0_2 with linespoints dashtype 1 linecolor rgb '#56b4e9' linewidth 2 pointtype 7 pointsize 1 title 'cuda/grid-steps' noenhanced, \
  $panel0_3 with linespoints dashtype 1 linecolor rgb '#009e73' linewidth 2 pointtype 7 pointsize 1 title 'cuda/symmetric-steps' noenhanced, \
  $panel0_4 with linespoints dashtype 1 linecolor rgb '#d55e00' linewidth 2 pointtype 7 pointsize 1 title 'cuda/mixed-symmetric' noenhanced, \
  $panel0_5 with linespoints dashtype 1 linecolor rgb '#0072b2' linewidth 2 pointtype 7 pointsize 1 title 'cuda/tile' noenhanced
unset multiplot
