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
set yrange [0.3104549398697929:5661.146030124585]
$panel0_0 << EOD
64 6.489246765789711
256 67.29592899758514
1024 189.7216030630142
EOD
$panel0_1 << EOD
64 2.277661076100608
256 36.74596614342067
1024 450.4065404366797
4096 1543.014468747632
16384 1822.8405338735263
EOD
$panel0_2 << EOD
64 0.46568240980468933
256 4.875267357525182
1024 76.79643955900876
4096 1182.3973487227074
16384 3017.3945513226863
EOD
$panel0_3 << EOD
65536 3386.279507767609
262144 3729.754272669041
1048576 3774.09735341639
EOD
$panel0_4 << EOD
64 0.8073536750605735
256 6.1337014192425325
1024 32.53929283499569
4096 141.94240395406499
16384 582.1383040531576
65536 1636.2475190850962
262144 1803.3291550816366
1048576 1871.7321080181298
EOD
$panel0_5 << EOD
64 5.925366656271172
256 13.048620124176978
1024 12.113741081420791
EOD
set title 'f32' noenhanced
plot $panel0_0 with linespoints dashtype 1 linecolor rgb '#000000' linewidth 2 pointtype 7 pointsize 1 title 'cuda/cluster-steps' noenhanced, \
  $panel0_1 with linespoints dashtype 1 linecolor rgb '#e69f00' linewidth 2 pointtype 7 pointsize 1 title 'cuda/grid-steps' noenhanced, \
  $panel0_2 with linespoints dashtype 1 linecolor rgb '#56b4e9' linewidth 2 pointtype 7 pointsize 1 title 'cuda/symmetric-steps' noenhanced, \
  $panel0_3 with linespoints dashtype 1 linecolor rgb '#009e73' linewidth 2 pointtype 7 pointsize 1 title 'cuda/equal-mass' noenhanced, \
  $panel0_4 with linespoints dashtype 1 linecolor rgb '#d55e00' linewidth 2 pointtype 7 pointsize 1 title 'cuda/tile' noenhanced, \
  $panel0_5 with linespoints dashtype 1 linecolor rgb '#0072b2' linewidth 2 pointtype 7 pointsize 1 title 'cuda/block-steps' noenhanced
unset multiplot
