# Draws steps-f64: gnuplot steps-f64.gp
set terminal unknown
if (strstrt(GPVAL_TERMINALS, 'pngcairo') > 0) { set terminal pngcairo size 860,620 font 'sans,11' } else { set terminal png size 860,620 }
set output 'steps-f64.png'
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
set yrange [0.31275969032996903:2390.2706594941]
$panel0_0 << EOD
64 4.865617274706198
256 36.13254149550134
1024 94.79777274537304
EOD
$panel0_1 << EOD
64 1.7707589271703585
256 28.5387385666612
1024 273.6129916774896
4096 774.7262512849455
16384 803.8747474622446
EOD
$panel0_2 << EOD
16384 1177.430380183083
65536 1501.7029497062042
262144 1593.5137729960666
1048576 1534.1745762531846
EOD
$panel0_3 << EOD
64 0.4691395354949536
256 2.759591951012846
1024 12.60229034287671
4096 51.956043302648645
16384 209.8368808006049
65536 648.2769883010395
262144 727.3657060250366
EOD
$panel0_4 << EOD
64 3.102785387160923
256 6.397829224913241
1024 6.660361431013248
EOD
set title 'f64' noenhanced
plot $panel0_0 with linespoints dashtype 1 linecolor rgb '#000000' linewidth 2 pointtype 7 pointsize 1 title 'cuda/cluster-steps' noenhanced, \
  $panel0_1 with linespoints dashtype 1 linecolor rgb '#e69f00' linewidth 2 pointtype 7 pointsize 1 title 'cuda/grid-steps' noenhanced, \
  $panel0_2 with linespoints dashtype 1 linecolor rgb '#56b4e9' linewidth 2 pointtype 7 pointsize 1 title 'cuda/fp64-symmetric' noenhanced, \
  $panel0_3 with linespoints dashtype 1 linecolor rgb '#009e73' linewidth 2 pointtype 7 pointsize 1 title 'cuda/tile' noenhanced, \
  $panel0_4 with linespoints dashtype 1 linecolor rgb '#d55e00' linewidth 2 pointtype 7 pointsize 1 title 'cuda/block-steps' noenhanced
unset multiplot
