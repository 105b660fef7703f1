# Draws gpu-f64: gnuplot gpu-f64.gp
set terminal unknown
if (strstrt(GPVAL_TERMINALS, 'pngcairo') > 0) { set terminal pngcairo size 1100,620 font 'sans,11' } else { set terminal png size 1100,620 }
set output 'gpu-f64.png'
set logscale x 4
set logscale y
set grid
set key outside right center vertical Left reverse
set ylabel '10^9 interactions per second'
set format x '%.0f'
set format y '%g'
set multiplot layout 1,1 title 'Direct sums on NVIDIA H200' noenhanced
set xlabel 'bodies'
set xrange [3276.8:327680]
set yrange [12.061748215968025:2400.118538968752]
$panel0_0 << EOD
4096 18.367069758698285
16384 72.42672233272759
65536 290.1935891781221
262144 511.50426144217687
EOD
$panel0_1 << EOD
4096 52.27719493162473
16384 210.46234928315386
65536 651.1756692217167
262144 728.5003928121962
EOD
$panel0_2 << EOD
4096 18.242449560532144
16384 73.19519017018379
65536 288.544719077032
262144 509.61054636493355
EOD
$panel0_3 << EOD
4096 56.472210786801256
16384 227.34588285994323
65536 633.4042616074719
262144 714.9280091073315
EOD
$panel0_4 << EOD
4096 38.367215579354344
16384 154.03529785599977
65536 470.51838176709737
262144 523.6172644623756
EOD
$panel0_5 << EOD
4096 54.078184546473004
16384 217.99917571997898
65536 665.8583142766188
262144 732.9000355856709
EOD
$panel0_6 << EOD
4096 54.96257608393171
16384 221.49893486971206
65536 656.906032625562
262144 710.1465016097579
EOD
$panel0_7 << EOD
4096 44.879986260665085
16384 181.84712159234456
65536 600.9139303565697
262144 678.4253720159297
EOD
$panel0_8 << EOD
4096 18.315737819644937
16384 72.73506589811883
65536 289.30598339570685
262144 511.37323270101245
EOD
$panel0_9 << EOD
4096 18.36063723732943
16384 72.22343753971914
65536 289.8207454660802
262144 510.7807255421569
EOD
$panel0_10 << EOD
4096 18.09262232395204
16384 72.49682971013075
65536 289.3134732151177
262144 679.8202795361107
EOD
$panel0_11 << EOD
4096 337.16270829887014
16384 388.23565752661347
65536 622.8663482127577
262144 638.0676205478725
EOD
$panel0_12 << EOD
4096 503.6388037839895
16384 719.1879077173849
65536 779.0854442207656
262144 790.0606355923076
EOD
$panel0_13 << EOD
4096 365.4848430308769
16384 694.8813944427376
65536 771.9430040423474
262144 809.7570058785416
EOD
$panel0_14 << EOD
4096 31.3757029602298
16384 168.23143005246143
65536 611.94423602256
262144 714.1460549588519
EOD
$panel0_15 << EOD
4096 46.06290800462962
16384 187.70240036907373
65536 608.7551651122131
262144 700.9499583805864
EOD
$panel0_16 << EOD
4096 46.384852954467945
16384 186.94526314679496
65536 608.5398578871624
262144 690.4799096976967
EOD
$panel0_17 << EOD
4096 25.23162736329145
16384 101.13458723607782
65536 405.2161668064891
262144 787.6635788763735
EOD
$panel0_18 << EOD
4096 263.9919451482476
16384 1128.7147804156332
65536 1496.1873365071715
262144 1600.0790259791681
EOD
set title 'f64' noenhanced
plot $panel0_0 with linespoints dashtype 1 linecolor rgb '#000000' linewidth 2 pointtype 7 pointsize 1 title 'cuda/naive' noenhanced, \
  $panel0_1 with linespoints dashtype 1 linecolor rgb '#e69f00' linewidth 2 pointtype 7 pointsize 1 title 'cuda/tile' noenhanced, \
  $panel0_2 with linespoints dashtype 1 linecolor rgb '#56b4e9' linewidth 2 pointtype 7 pointsize 1 title 'cuda/grid-stride' noenhanced, \
  $panel0_3 with linespoints dashtype 1 linecolor rgb '#009e73' linewidth 2 pointtype 7 pointsize 1 title 'cuda/grid-stride-tile' noenhanced, \
  $panel0_4 with linespoints dashtype 1 linecolor rgb '#d55e00' linewidth 2 pointtype 7 pointsize 1 title 'cuda/shuffle' noenhanced, \
  $panel0_5 with linespoints dashtype 1 linecolor rgb '#0072b2' linewidth 2 pointtype 7 pointsize 1 title 'cuda/unroll' noenhanced, \
  $panel0_6 with linespoints dashtype 1 linecolor rgb '#cc79a7' linewidth 2 pointtype 7 pointsize 1 title 'cuda/unroll-by-hand' noenhanced, \
  $panel0_7 with linespoints dashtype 1 linecolor rgb '#000000' linewidth 2 pointtype 9 pointsize 1 title 'cuda/arrays' noenhanced, \
  $panel0_8 with linespoints dashtype 1 linecolor rgb '#e69f00' linewidth 2 pointtype 9 pointsize 1 title 'cuda/plain-loads' noenhanced, \
  $panel0_9 with linespoints dashtype 1 linecolor rgb '#56b4e9' linewidth 2 pointtype 9 pointsize 1 title 'cuda/read-only' noenhanced, \
  $panel0_10 with linespoints dashtype 1 linecolor rgb '#009e73' linewidth 2 pointtype 9 pointsize 1 title 'cuda/targets-in-registers' noenhanced, \
  $panel0_11 with linespoints dashtype 1 linecolor rgb '#d55e00' linewidth 2 pointtype 9 pointsize 1 title 'cuda/threads-per-body' noenhanced, \
  $panel0_12 with linespoints dashtype 1 linecolor rgb '#0072b2' linewidth 2 pointtype 9 pointsize 1 title 'cuda/split-atomics' noenhanced, \
  $panel0_13 with linespoints dashtype 1 linecolor rgb '#cc79a7' linewidth 2 pointtype 9 pointsize 1 title 'cuda/split-reduced' noenhanced, \
  $panel0_14 with linespoints dashtype 1 linecolor rgb '#000000' linewidth 2 pointtype 5 pointsize 1 title 'cuda/managed' noenhanced, \
  $panel0_15 with linespoints dashtype 1 linecolor rgb '#e69f00' linewidth 2 pointtype 5 pointsize 1 title 'cuda/force' noenhanced, \
  $panel0_16 with linespoints dashtype 1 linecolor rgb '#56b4e9' linewidth 2 pointtype 5 pointsize 1 title 'cuda/periodic-2d' noenhanced, \
  $panel0_17 with linespoints dashtype 1 linecolor rgb '#009e73' linewidth 2 pointtype 5 pointsize 1 title 'cuda/fp64-cube' noenhanced, \
  $panel0_18 with linespoints dashtype 1 linecolor rgb '#d55e00' linewidth 2 pointtype 5 pointsize 1 title 'cuda/fp64-symmetric' noenhanced
unset multiplot
