# Draws gpus: gnuplot gpus.gp
set terminal unknown
if (strstrt(GPVAL_TERMINALS, 'pngcairo') > 0) { set terminal pngcairo size 1100,620 font 'sans,11' } else { set terminal png size 1100,620 }
set output 'gpus.png'
set logscale x 4
set logscale y
set grid
set key outside right center vertical Left reverse
set ylabel '10^9 interactions per second'
set format x '%.0f'
set format y '%g'
set multiplot layout 1,1 title 'Whole steps on NVIDIA H200' noenhanced
set xlabel 'bodies'
set xrange [204.8:1310720]
set yrange [23.664441210650423:21985.449108072728]
$panel0_0 << EOD
256 47.967441399076115
1024 335.94079050726674
4096 1461.4543772198838
16384 2654.9269076675946
65536 3333.3525776732367
262144 3672.790992657355
1048576 3715.236709456505
EOD
$panel0_1 << EOD
256 48.0110271283112
1024 336.6763256822173
4096 1461.5665514960187
16384 3478.7366114989813
65536 6260.007279695361
262144 7275.270480884008
1048576 7391.944347442963
EOD
$panel0_2 << EOD
256 48.129191680465915
1024 339.39477636416996
4096 1450.0849715571146
16384 4156.036378274308
65536 11469.679044643359
262144 14159.27466049522
1048576 14656.966072048484
EOD
$panel0_3 << EOD
1024 43.569909778948094
4096 328.9410679144788
16384 475.57771615445535
65536 506.66126569902474
EOD
$panel0_4 << EOD
1024 35.94559126159562
4096 355.2534738109684
16384 862.1004231463303
65536 997.4044171883004
EOD
$panel0_5 << EOD
1024 35.496661815975635
4096 357.8484692156663
16384 1551.0142708530382
65536 1925.5209818752328
EOD
$panel0_6 << EOD
16384 2205.1386657150874
65536 3328.727560756522
262144 3673.4502746716134
1048576 3715.8734061855594
EOD
$panel0_7 << EOD
16384 3082.3191794301333
65536 6271.195785657595
262144 7281.560963245956
1048576 7396.168994330902
EOD
$panel0_8 << EOD
16384 4084.8588748976376
65536 11505.18435992884
262144 14214.934200301986
1048576 14632.414904836745
EOD
set title 'mixed' noenhanced
plot $panel0_0 with linespoints dashtype 1 linecolor rgb '#000000' linewidth 2 pointtype 7 pointsize 1 title 'auto, 1 GPU' noenhanced, \
  $panel0_1 with linespoints dashtype 1 linecolor rgb '#e69f00' linewidth 2 pointtype 7 pointsize 1 title 'auto, 2 GPUs' noenhanced, \
  $panel0_2 with linespoints dashtype 1 linecolor rgb '#56b4e9' linewidth 2 pointtype 7 pointsize 1 title 'auto, 4 GPUs' noenhanced, \
  $panel0_3 with linespoints dashtype 1 linecolor rgb '#009e73' linewidth 2 pointtype 7 pointsize 1 title 'cuda/split-reduced, 1 GPU' noenhanced, \
  $panel0_4 with linespoints dashtype 1 linecolor rgb '#d55e00' linewidth 2 pointtype 7 pointsize 1 title 'cuda/split-reduced, 2 GPUs' noenhanced, \
  $panel0_5 with linespoints dashtype 1 linecolor rgb '#0072b2' linewidth 2 pointtype 7 pointsize 1 title 'cuda/split-reduced, 4 GPUs' noenhanced, \
  $panel0_6 with linespoints dashtype 1 linecolor rgb '#cc79a7' linewidth 2 pointtype 7 pointsize 1 title 'cuda/mixed-symmetric, 1 GPU' noenhanced, \
  $panel0_7 with linespoints dashtype 1 linecolor rgb '#000000' linewidth 2 pointtype 9 pointsize 1 title 'cuda/mixed-symmetric, 2 GPUs' noenhanced, \
  $panel0_8 with linespoints dashtype 1 linecolor rgb '#e69f00' linewidth 2 pointtype 9 pointsize 1 title 'cuda/mixed-symmetric, 4 GPUs' noenhanced
unset multiplot
