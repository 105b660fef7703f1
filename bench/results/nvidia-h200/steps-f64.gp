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
set yrange [0.3192784665221284:2399.1767303408396]
$panel0_0 << EOD
64 3.289466597657377
256 6.349144144850985
1024 6.561390284005949
EOD
$panel0_1 << EOD
64 3.28637559634543
256 29.150825752984236
1024 83.90257609970774
EOD
$panel0_2 << EOD
64 1.0927344868568818
256 17.14831092463532
1024 222.00952709120807
4096 716.4678372405627
16384 814.3755802114671
EOD
$panel0_3 << EOD
16384 1170.779727400372
65536 1496.3456560397735
262144 1599.4511535605598
1048576 1537.2796069276758
EOD
$panel0_4 << EOD
64 0.47891769978319254
256 2.7279803439632087
1024 12.50886216940181
4096 51.82600418733813
16384 209.71507712007204
65536 649.1136087439821
262144 726.7776587142675
EOD
set title 'f64' noenhanced
plot $panel0_0 with linespoints dashtype 1 linecolor rgb '#000000' linewidth 2 pointtype 7 pointsize 1 title 'cuda/block-steps' noenhanced, \
  $panel0_1 with linespoints dashtype 1 linecolor rgb '#e69f00' linewidth 2 pointtype 7 pointsize 1 title 'cuda/cluster-steps' noenhanced, \
  $panel0_2 with linespoints dashtype 1 linecolor rgb '#56b4e9' linewidth 2 pointtype 7 pointsize 1 title 'cuda/grid-steps' noenhanced, \
  $panel0_3 with linespoints dashtype 1 linecolor rgb '#009e73' linewidth 2 pointtype 7 pointsize 1 title 'cuda/fp64-symmetric' noenhanced, \
  $panel0_4 with linespoints dashtype 1 linecolor rgb '#d55e00' linewidth 2 pointtype 7 pointsize 1 title 'cuda/tile' noenhanced
unset multiplot
