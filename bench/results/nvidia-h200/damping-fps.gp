# Draws damping-fps: gnuplot damping-fps.gp
set terminal unknown
if (strstrt(GPVAL_TERMINALS, 'pngcairo') > 0) { set terminal pngcairo size 1120,680 font 'sans,11' } else { set terminal png size 1120,680 }
set output 'damping-fps.png'
set logscale x 4
set logscale y
set grid
set key below height 2
set ylabel 'milliseconds per step'
set format x '%.0f'
set format y '%g'
set multiplot layout 1,2 title 'Damped system: time per step' noenhanced
set xlabel 'bodies'
set xrange [204.8:40960]
set yrange [0.0010960677083333332:489.29016750000005]
$panel0_0 << EOD
256 0.36379304296875
512 1.377293197080292
1024 7.0417495591397845
2048 20.404717916666666
4096 82.28025866666667
8192 323.2303735
EOD
$panel0_1 << EOD
256 0.363294505859375
512 1.3340825072992701
1024 5.2914501182795695
2048 20.583782083333332
4096 80.15676183333332
8192 326.19344500000005
EOD
$panel0_2 << EOD
256 0.012189953125
512 0.0349490390625
1024 0.08020368359374999
2048 0.17306951953125
4096 0.385699126953125
8192 0.772623861328125
16384 1.528560433121019
32768 3.0663821265822784
EOD
$panel0_3 << EOD
256 0.0106907890625
512 0.017836767578125
1024 0.032107484375
2048 0.060660994140624994
4096 0.118134693359375
8192 0.2323476484375
16384 0.460461396484375
32768 0.9167660255905512
EOD
$panel0_4 << EOD
256 0.0016441015625
512 0.002743171875
1024 0.00281366015625
2048 0.0046160624999999995
4096 0.012090240234375
8192 0.02765289453125
16384 0.0970672421875
32768 0.373705318359375
EOD
set title '' noenhanced
plot $panel0_0 with linespoints dashtype 1 linecolor rgb '#000000' linewidth 2 pointtype 7 pointsize 1 title 'serial loop' noenhanced, \
  $panel0_1 with linespoints dashtype 1 linecolor rgb '#e69f00' linewidth 2 pointtype 7 pointsize 1 title 'state on the stack' noenhanced, \
  $panel0_2 with linespoints dashtype 1 linecolor rgb '#56b4e9' linewidth 2 pointtype 7 pointsize 1 title 'one thread per body' noenhanced, \
  $panel0_3 with linespoints dashtype 1 linecolor rgb '#009e73' linewidth 2 pointtype 7 pointsize 1 title 'shared tiles' noenhanced, \
  $panel0_4 with linespoints dashtype 1 linecolor rgb '#d55e00' linewidth 2 pointtype 7 pointsize 1 title 'Pleiad''s choice' noenhanced, \
  323.2303735 * (x / 8192)**2 with lines dashtype 3 linecolor rgb '#808080' linewidth 2 title 'slope 2'
set xlabel 'threads per block'
set xrange [6.4:1280]
set yrange [0.0010960677083333332:489.29016750000005]
$panel1_0 << EOD
8 1.4823756873065017
16 1.4902119504643965
32 1.4942623602484473
64 1.4935396074766356
128 1.4914417070063692
256 1.5290431047619049
512 1.5411537275641025
1024 1.617566533557047
EOD
$panel1_1 << EOD
8 1.1110790515222482
16 0.670506369140625
32 0.5311345507812499
64 0.466142421875
128 0.4388407421875
256 0.460506869140625
512 0.6253983203125001
1024 1.1289530545023696
EOD
set title 'N = 16384' noenhanced
plot $panel1_0 with linespoints dashtype 1 linecolor rgb '#000000' linewidth 2 pointtype 7 pointsize 1 title 'one thread per body' noenhanced, \
  $panel1_1 with linespoints dashtype 1 linecolor rgb '#e69f00' linewidth 2 pointtype 7 pointsize 1 title 'shared tiles' noenhanced
unset multiplot
