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
set yrange [0.3221037724570677:2400.1238328034183]
$panel0_0 << EOD
64 3.2812301500210426
256 6.3546950813906635
1024 6.678034034170035
EOD
$panel0_1 << EOD
64 3.326397717800854
256 27.939853517208736
1024 84.41466931110445
EOD
$panel0_2 << EOD
64 1.394781283942955
256 21.69850539719438
1024 265.8801834363162
4096 743.6920062445517
16384 810.5271353844383
EOD
$panel0_3 << EOD
16384 1164.9092891228843
65536 1495.5396091632533
262144 1600.0825552022789
1048576 1539.3683083037263
EOD
$panel0_4 << EOD
64 0.4831556586856016
256 2.7324883255503667
1024 12.552798497079113
4096 51.93966362816341
16384 209.97972523980408
65536 648.6932162182695
262144 727.9000750827441
EOD
set title 'f64' noenhanced
plot $panel0_0 with linespoints dashtype 1 linecolor rgb '#000000' linewidth 2 pointtype 7 pointsize 1 title 'cuda/block-steps' noenhanced, \
  $panel0_1 with linespoints dashtype 1 linecolor rgb '#e69f00' linewidth 2 pointtype 7 pointsize 1 title 'cuda/cluster-steps' noenhanced, \
  $panel0_2 with linespoints dashtype 1 linecolor rgb '#56b4e9' linewidth 2 pointtype 7 pointsize 1 title 'cuda/grid-steps' noenhanced, \
  $panel0_3 with linespoints dashtype 1 linecolor rgb '#009e73' linewidth 2 pointtype 7 pointsize 1 title 'cuda/fp64-symmetric' noenhanced, \
  $panel0_4 with linespoints dashtype 1 linecolor rgb '#d55e00' linewidth 2 pointtype 7 pointsize 1 title 'cuda/tile' noenhanced
unset multiplot
