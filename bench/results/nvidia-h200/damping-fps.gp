# Draws damping-fps: gnuplot damping-fps.gp
set terminal unknown
if (strstrt(GPVAL_TERMINALS, 'pngcairo') > 0) { set terminal pngcairo size 860,620 font 'sans,11' } else { set terminal png size 860,620 }
set output 'damping-fps.png'
set logscale x 4
set logscale y
set grid
set key bottom right
set xlabel 'bodies'
set ylabel 'milliseconds per step'
set format x '%.0f'
set xrange [204.8:40960]
set yrange [0.007177457031250001:353.59970969999995]
set multiplot layout 1,1 title 'Damped system: time per step' noenhanced
$panel0_0 << EOD
256 0.23204068261718752
512 0.9130253740234375
1024 3.69306788277512
2048 14.586946309999998
4096 60.405458800000005
8192 235.73313979999998
EOD
$panel0_1 << EOD
256 0.010766185546875001
512 0.011513578125
1024 0.01223145703125
2048 0.01447308984375
4096 0.020880244140625
8192 0.048706798828124995
16384 0.15080352734375
32768 0.553687568359375
EOD
set title 'Intel(R) Xeon(R) Processor' noenhanced
plot $panel0_0 with linespoints dashtype 1 linecolor rgb '#000000' linewidth 2 pointtype 7 pointsize 0.8 title 'serial scalar loop' noenhanced, \
  $panel0_1 with linespoints dashtype 1 linecolor rgb '#009e73' linewidth 2 pointtype 7 pointsize 0.8 title 'best rung' noenhanced, \
  235.73313979999998 * (x / 8192)**2 with lines dashtype 3 linecolor rgb '#808080' linewidth 2 title 'slope 2'
unset multiplot
