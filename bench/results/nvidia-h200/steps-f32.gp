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
set yrange [0.31411448435108896:5659.6664947765985]
$panel0_0 << EOD
64 5.048272077318253
256 13.115286164267703
1024 12.148585229765064
EOD
$panel0_1 << EOD
64 3.6947679783371714
256 41.605453561534304
1024 163.33024833042077
EOD
$panel0_2 << EOD
64 1.165932187676683
256 18.20939602030991
1024 278.07090681729983
4096 1329.0235222804195
16384 1738.4023567820782
EOD
$panel0_3 << EOD
64 0.47117172652663347
256 4.842549453360814
1024 76.11750643874984
4096 1182.5931141067601
16384 3054.060974694559
EOD
$panel0_4 << EOD
65536 3349.819167663041
262144 3733.7610711585735
1048576 3773.110996517732
EOD
$panel0_5 << EOD
64 0.7843008193834893
256 6.195570140484717
1024 32.634988342867324
4096 141.3598793607502
16384 580.1066851391953
65536 1636.493782895633
262144 1801.5202129773832
EOD
set title 'f32' noenhanced
plot $panel0_0 with linespoints dashtype 1 linecolor rgb '#000000' linewidth 2 pointtype 7 pointsize 1 title 'cuda/block-steps' noenhanced, \
  $panel0_1 with linespoints dashtype 1 linecolor rgb '#e69f00' linewidth 2 pointtype 7 pointsize 1 title 'cuda/cluster-steps' noenhanced, \
  $panel0_2 with linespoints dashtype 1 linecolor rgb '#56b4e9' linewidth 2 pointtype 7 pointsize 1 title 'cuda/grid-steps' noenhanced, \
  $panel0_3 with linespoints dashtype 1 linecolor rgb '#009e73' linewidth 2 pointtype 7 pointsize 1 title 'cuda/symmetric-steps' noenhanced, \
  $panel0_4 with linespoints dashtype 1 linecolor rgb '#d55e00' linewidth 2 pointtype 7 pointsize 1 title 'cuda/equal-mass' noenhanced, \
  $panel0_5 with linespoints dashtype 1 linecolor rgb '#0072b2' linewidth 2 pointtype 7 pointsize 1 title 'cuda/tile' noenhanced
unset multiplot
