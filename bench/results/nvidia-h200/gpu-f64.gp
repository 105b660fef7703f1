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
set yrange [12.06466251209573:2397.599646381438]
$panel0_0 << EOD
4096 18.417719454655913
16384 72.61103652006041
65536 290.76630494790186
262144 511.3264364021509
EOD
$panel0_1 << EOD
4096 52.33982157705367
16384 210.58386609166
65536 651.2736506989444
262144 728.3874588428943
EOD
$panel0_2 << EOD
4096 18.33367192593398
16384 73.34687006375974
65536 287.0924427651306
262144 511.32777166169114
EOD
$panel0_3 << EOD
4096 56.673654698634664
16384 228.30492789964399
65536 634.3292385887169
262144 715.8316942425176
EOD
$panel0_4 << EOD
4096 38.41219177762127
16384 154.489178428378
65536 470.54645260860406
262144 524.1002981807536
EOD
$panel0_5 << EOD
4096 54.25727128178267
16384 218.75527033203514
65536 666.7116649266565
262144 734.0152905800135
EOD
$panel0_6 << EOD
4096 55.11279286744871
16384 222.314898119016
65536 658.1461932518375
262144 711.3082202210331
EOD
$panel0_7 << EOD
4096 44.91843574367662
16384 182.4602079587312
65536 602.0109041794548
262144 678.3990058357438
EOD
$panel0_8 << EOD
4096 18.34778689791948
16384 72.64122033406088
65536 290.3668630086407
262144 511.2104695961074
EOD
$panel0_9 << EOD
4096 18.28890413349449
16384 72.81777902862176
65536 290.1020122186381
262144 510.9971886268619
EOD
$panel0_10 << EOD
4096 18.096993768143594
16384 72.57523077511203
65536 290.0255461143938
262144 681.1917752349041
EOD
$panel0_11 << EOD
4096 334.4740149384812
16384 387.07125747034837
65536 621.0362073778596
262144 638.1393166627046
EOD
$panel0_12 << EOD
4096 510.3387490297711
16384 720.9804969557312
65536 779.1352468888904
262144 791.0897575632719
EOD
$panel0_13 << EOD
4096 364.02568398561243
16384 696.6703925300048
65536 772.0806366889361
262144 809.7851068952923
EOD
$panel0_14 << EOD
4096 30.441153340005677
16384 168.4746995904809
65536 608.3192181390735
262144 714.5636022301152
EOD
$panel0_15 << EOD
4096 45.99824647114383
16384 187.82428541063175
65536 608.9429583589442
262144 701.853520460599
EOD
$panel0_16 << EOD
4096 46.43003772724901
16384 187.15797734432866
65536 607.2733144604975
262144 690.7766640252278
EOD
$panel0_17 << EOD
4096 25.287608258836606
16384 101.43542141088709
65536 405.4083278822937
262144 787.8369874540144
EOD
$panel0_18 << EOD
4096 264.3913308667039
16384 1135.129645994203
65536 1499.5388865501634
262144 1598.399764254292
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
