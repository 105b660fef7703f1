# Draws steps-mixed: gnuplot steps-mixed.gp
set terminal unknown
if (strstrt(GPVAL_TERMINALS, 'pngcairo') > 0) { set terminal pngcairo size 860,620 font 'sans,11' } else { set terminal png size 860,620 }
set output 'steps-mixed.png'
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
set yrange [0.19666719291777304:5575.534478973851]
$panel0_0 << EOD
64 5.2808504853595535
256 48.19035499677365
1024 133.17963712184758
EOD
$panel0_1 << EOD
64 1.7379654738703565
256 28.059087353123203
1024 337.76404513614085
4096 1458.920063479641
16384 1775.6512737042483
EOD
$panel0_2 << EOD
64 0.2950007893766596
256 3.48478485540998
1024 55.158636135853435
4096 853.3310238339775
16384 2660.3690199210464
EOD
$panel0_3 << EOD
65536 3336.340910609205
262144 3677.920504182944
1048576 3717.022985982567
EOD
$panel0_4 << EOD
64 0.4312389979308389
256 2.3369042087633045
1024 10.453873461713378
4096 43.1717836840427
16384 174.06329711060022
65536 425.8095594627006
262144 454.0223411084459
EOD
$panel0_5 << EOD
64 3.985465765754396
256 8.822862672391583
1024 8.141844108558447
EOD
set title 'mixed' noenhanced
plot $panel0_0 with linespoints dashtype 1 linecolor rgb '#000000' linewidth 2 pointtype 7 pointsize 1 title 'cuda/cluster-steps' noenhanced, \
  $panel0_1 with linespoints dashtype 1 linecolor rgb '#e69f00' linewidth 2 pointtype 7 pointsize 1 title 'cuda/grid-steps' noenhanced, \
  $panel0_2 with linespoints dashtype 1 linecolor rgb '#56b4e9' linewidth 2 pointtype 7 pointsize 1 title 'cuda/symmetric-steps' noenhanced, \
  $panel0_3 with linespoints dashtype 1 linecolor rgb '#009e73' linewidth 2 pointtype 7 pointsize 1 title 'cuda/mixed-symmetric' noenhanced, \
  $panel0_4 with linespoints dashtype 1 linecolor rgb '#d55e00' linewidth 2 pointtype 7 pointsize 1 title 'cuda/tile' noenhanced, \
  $panel0_5 with linespoints dashtype 1 linecolor rgb '#0072b2' linewidth 2 pointtype 7 pointsize 1 title 'cuda/block-steps' noenhanced
unset multiplot
