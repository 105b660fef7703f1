# Draws steps-f32: gnuplot steps-f32.gp
set terminal unknown
if (strstrt(GPVAL_TERMINALS, 'pngcairo') > 0) { set terminal pngcairo size 860,620 font 'sans,11' } else { set terminal png size 860,620 }
set output 'steps-f32.png'
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
set yrange [0.3367222186082241:5659.621475286448]
$panel0_0 << EOD
64 5.233869867837667
256 12.947625590565302
1024 11.30411832111655
EOD
$panel0_1 << EOD
64 3.7349544072948335
256 38.76777071965035
1024 154.81112120713806
EOD
$panel0_2 << EOD
64 1.5011003436160766
256 23.590260996609505
1024 356.7928842286437
4096 1372.8185909500041
16384 1661.4730027623175
EOD
$panel0_3 << EOD
64 0.5050833279123361
256 5.1358096735479455
1024 81.29486284452024
4096 1252.9966807729186
16384 2742.445847828748
EOD
$panel0_4 << EOD
65536 3337.258616849231
262144 3733.92093786028
1048576 3773.0809835242985
EOD
$panel0_5 << EOD
64 0.8061579019688996
256 6.262328490331786
1024 32.7691900018352
4096 140.68271789105262
16384 577.9189164962276
65536 1628.0466223792919
262144 1799.375176770581
EOD
set title 'f32' noenhanced
plot $panel0_0 with linespoints dashtype 1 linecolor rgb '#000000' linewidth 2 pointtype 7 pointsize 1 title 'cuda/block-steps' noenhanced, \
  $panel0_1 with linespoints dashtype 1 linecolor rgb '#e69f00' linewidth 2 pointtype 7 pointsize 1 title 'cuda/cluster-steps' noenhanced, \
  $panel0_2 with linespoints dashtype 1 linecolor rgb '#56b4e9' linewidth 2 pointtype 7 pointsize 1 title 'cuda/grid-steps' noenhanced, \
  $panel0_3 with linespoints dashtype 1 linecolor rgb '#009e73' linewidth 2 pointtype 7 pointsize 1 title 'cuda/symmetric-steps' noenhanced, \
  $panel0_4 with linespoints dashtype 1 linecolor rgb '#d55e00' linewidth 2 pointtype 7 pointsize 1 title 'cuda/equal-mass' noenhanced, \
  $panel0_5 with linespoints dashtype 1 linecolor rgb '#0072b2' linewidth 2 pointtype 7 pointsize 1 title 'cuda/tile' noenhanced
unset multiplot
