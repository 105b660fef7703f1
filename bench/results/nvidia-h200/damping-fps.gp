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
set yrange [0.0010255625:705.33250425]
$panel0_0 << EOD
256 0.40560190039062505
512 1.39465669921875
1024 5.680896865384616
2048 21.55191904347826
4096 92.59271075
8192 364.6981
EOD
$panel0_1 << EOD
256 0.3718960390625
512 1.3948030234375
1024 5.451492365384615
2048 25.345363173913043
4096 85.90174400000001
8192 470.2216695
EOD
$panel0_2 << EOD
256 0.0122476767578125
512 0.035204195312500006
1024 0.081778837890625
2048 0.17643997851562498
4096 0.38358893359375
8192 0.770127939453125
16384 1.5246459606557377
32768 3.063390240506329
EOD
$panel0_3 << EOD
256 0.01071044140625
512 0.0180426640625
1024 0.032154603515625
2048 0.060810291015625
4096 0.118239119140625
8192 0.232117064453125
16384 0.460640171875
32768 0.917646986328125
EOD
$panel0_4 << EOD
256 0.00153834375
512 0.003514142578125
1024 0.003611080078125
2048 0.00542831640625
4096 0.012481515625
8192 0.028838162109375
16384 0.087110244140625
32768 0.334964140625
EOD
set title '' noenhanced
plot $panel0_0 with linespoints dashtype 1 linecolor rgb '#000000' linewidth 2 pointtype 7 pointsize 1 title 'serial loop' noenhanced, \
  $panel0_1 with linespoints dashtype 1 linecolor rgb '#e69f00' linewidth 2 pointtype 7 pointsize 1 title 'state on the stack' noenhanced, \
  $panel0_2 with linespoints dashtype 1 linecolor rgb '#56b4e9' linewidth 2 pointtype 7 pointsize 1 title 'one thread per body' noenhanced, \
  $panel0_3 with linespoints dashtype 1 linecolor rgb '#009e73' linewidth 2 pointtype 7 pointsize 1 title 'shared tiles' noenhanced, \
  $panel0_4 with linespoints dashtype 1 linecolor rgb '#d55e00' linewidth 2 pointtype 7 pointsize 1 title 'Pleiad''s choice' noenhanced, \
  364.6981 * (x / 8192)**2 with lines dashtype 3 linecolor rgb '#808080' linewidth 2 title 'slope 2'
set xlabel 'threads per block'
set xrange [6.4:1280]
set yrange [0.0010255625:705.33250425]
$panel1_0 << EOD
8 1.4798258878504673
16 1.4888760560747663
32 1.4932758625
64 1.490988907120743
128 1.490911425925926
256 1.5258528690095847
512 1.5408388842443732
1024 1.618177882154882
EOD
$panel1_1 << EOD
8 1.1106763552941177
16 0.67097533984375
32 0.531811013671875
64 0.46658257617187504
128 0.4393449140625
256 0.46059944335937497
512 0.625004716796875
1024 1.128303924882629
EOD
set title 'N = 16384' noenhanced
plot $panel1_0 with linespoints dashtype 1 linecolor rgb '#000000' linewidth 2 pointtype 7 pointsize 1 title 'one thread per body' noenhanced, \
  $panel1_1 with linespoints dashtype 1 linecolor rgb '#e69f00' linewidth 2 pointtype 7 pointsize 1 title 'shared tiles' noenhanced
unset multiplot
