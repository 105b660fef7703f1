# Draws cpu-amd-epyc: gnuplot cpu-amd-epyc.gp
set terminal unknown
if (strstrt(GPVAL_TERMINALS, 'pngcairo') > 0) { set terminal pngcairo size 1560,720 font 'sans,11' } else { set terminal png size 1560,720 }
set output 'cpu-amd-epyc.png'
set logscale x 4
set logscale y
set grid
set key below height 2
set xlabel 'bodies'
set ylabel '10^9 interactions per second'
set format x '%.0f'
set xrange [204.8:20480]
set yrange [0.22208731620674907:45.58926463676689]
set multiplot layout 1,3 title 'Direct sums on the CPU' noenhanced
$panel0_0 << EOD
256 0.34709474453559874
1024 0.34026203956813056
4096 0.34910549034300953
16384 0.3433203236295185
EOD
$panel0_1 << EOD
256 1.2694009975303862
1024 1.2996566725747078
4096 1.2940622843434055
16384 1.296658385604773
EOD
$panel0_2 << EOD
256 9.997660866293085
1024 10.374544878898211
4096 10.31580707838363
16384 10.505944545958924
EOD
$panel0_3 << EOD
256 10.048066234811605
1024 10.428300066632856
4096 10.472852209651606
16384 10.547439862681355
EOD
$panel0_4 << EOD
256 10.085273778265094
1024 17.894551815350486
4096 20.30257551500014
16384 20.502354060507106
EOD
$panel0_5 << EOD
256 11.243548728920466
1024 13.813592591128854
4096 14.744845478610277
16384 15.557985309962344
EOD
$panel0_6 << EOD
256 11.347993929331718
1024 25.565774983847312
4096 28.633530683751786
16384 30.392843091177927
EOD
set title 'f32' noenhanced
plot $panel0_0 with linespoints dashtype 1 linecolor rgb '#000000' linewidth 2 pointtype 7 pointsize 0.8 title 'cpu/scalar, 1 thread' noenhanced, \
  $panel0_1 with linespoints dashtype 1 linecolor rgb '#e69f00' linewidth 2 pointtype 7 pointsize 0.8 title 'cpu/blocked, 1 thread' noenhanced, \
  $panel0_2 with linespoints dashtype 1 linecolor rgb '#56b4e9' linewidth 2 pointtype 7 pointsize 0.8 title 'cpu/simd, 1 thread' noenhanced, \
  $panel0_3 with linespoints dashtype 2 linecolor rgb '#009e73' linewidth 2 pointtype 7 pointsize 0.8 title 'cpu/threads, 1 thread' noenhanced, \
  $panel0_4 with linespoints dashtype 1 linecolor rgb '#009e73' linewidth 2 pointtype 7 pointsize 0.8 title 'cpu/threads, 2 threads' noenhanced, \
  $panel0_5 with linespoints dashtype 2 linecolor rgb '#d55e00' linewidth 2 pointtype 7 pointsize 0.8 title 'cpu/symmetric, 1 thread' noenhanced, \
  $panel0_6 with linespoints dashtype 1 linecolor rgb '#d55e00' linewidth 2 pointtype 7 pointsize 0.8 title 'cpu/symmetric, 2 threads' noenhanced
$panel1_0 << EOD
256 0.36313867601996996
1024 0.3599755433485908
4096 0.3592352141989204
16384 0.34607903415013946
EOD
$panel1_1 << EOD
256 1.0048836585272358
1024 1.0276927690857922
4096 1.0235610632305752
16384 1.0162846355091228
EOD
$panel1_2 << EOD
256 9.723249787343477
1024 10.154224567859393
4096 10.334068787781355
16384 10.477623470523671
EOD
$panel1_3 << EOD
256 9.593067509807366
1024 10.049029191344184
4096 10.31148938471741
16384 10.306797756117932
EOD
$panel1_4 << EOD
256 9.741922468438434
1024 19.590214010144695
4096 20.365988254231077
16384 20.512945099432997
EOD
$panel1_5 << EOD
256 11.11666334065057
1024 13.476714670368157
4096 14.48825936733314
16384 15.55757774776662
EOD
$panel1_6 << EOD
256 11.197630709648022
1024 21.769593290011834
4096 27.95876481077208
16384 30.016415826759722
EOD
set title 'mixed' noenhanced
plot $panel1_0 with linespoints dashtype 1 linecolor rgb '#000000' linewidth 2 pointtype 7 pointsize 0.8 title 'cpu/scalar, 1 thread' noenhanced, \
  $panel1_1 with linespoints dashtype 1 linecolor rgb '#e69f00' linewidth 2 pointtype 7 pointsize 0.8 title 'cpu/blocked, 1 thread' noenhanced, \
  $panel1_2 with linespoints dashtype 1 linecolor rgb '#56b4e9' linewidth 2 pointtype 7 pointsize 0.8 title 'cpu/simd, 1 thread' noenhanced, \
  $panel1_3 with linespoints dashtype 2 linecolor rgb '#009e73' linewidth 2 pointtype 7 pointsize 0.8 title 'cpu/threads, 1 thread' noenhanced, \
  $panel1_4 with linespoints dashtype 1 linecolor rgb '#009e73' linewidth 2 pointtype 7 pointsize 0.8 title 'cpu/threads, 2 threads' noenhanced, \
  $panel1_5 with linespoints dashtype 2 linecolor rgb '#d55e00' linewidth 2 pointtype 7 pointsize 0.8 title 'cpu/symmetric, 1 thread' noenhanced, \
  $panel1_6 with linespoints dashtype 1 linecolor rgb '#d55e00' linewidth 2 pointtype 7 pointsize 0.8 title 'cpu/symmetric, 2 threads' noenhanced
$panel2_0 << EOD
256 0.3358701946977035
1024 0.335437087471877
4096 0.33389301868678267
16384 0.3331309743101236
EOD
$panel2_1 << EOD
256 0.642679925078207
1024 0.6392820562844461
4096 0.6317575859451506
16384 0.6315642101749422
EOD
$panel2_2 << EOD
256 4.2790038242701245
1024 4.34675333289116
4096 4.33162741822632
16384 4.309260319576136
EOD
$panel2_3 << EOD
256 4.2005255784567765
1024 4.2614646834105505
4096 4.2285862055146595
16384 4.274300029525239
EOD
$panel2_4 << EOD
256 4.242910785964003
1024 8.433372340382752
4096 8.362350220308233
16384 8.358037173096093
EOD
$panel2_5 << EOD
256 5.426014001453502
1024 6.1415050135882305
4096 6.4163944282074485
16384 6.485469399773105
EOD
$panel2_6 << EOD
256 5.467813705132008
1024 11.593520924318646
4096 12.236264738101942
16384 12.876220225275311
EOD
set title 'f64' noenhanced
plot $panel2_0 with linespoints dashtype 1 linecolor rgb '#000000' linewidth 2 pointtype 7 pointsize 0.8 title 'cpu/scalar, 1 thread' noenhanced, \
  $panel2_1 with linespoints dashtype 1 linecolor rgb '#e69f00' linewidth 2 pointtype 7 pointsize 0.8 title 'cpu/blocked, 1 thread' noenhanced, \
  $panel2_2 with linespoints dashtype 1 linecolor rgb '#56b4e9' linewidth 2 pointtype 7 pointsize 0.8 title 'cpu/simd, 1 thread' noenhanced, \
  $panel2_3 with linespoints dashtype 2 linecolor rgb '#009e73' linewidth 2 pointtype 7 pointsize 0.8 title 'cpu/threads, 1 thread' noenhanced, \
  $panel2_4 with linespoints dashtype 1 linecolor rgb '#009e73' linewidth 2 pointtype 7 pointsize 0.8 title 'cpu/threads, 2 threads' noenhanced, \
  $panel2_5 with linespoints dashtype 2 linecolor rgb '#d55e00' linewidth 2 pointtype 7 pointsize 0.8 title 'cpu/symmetric, 1 thread' noenhanced, \
  $panel2_6 with linespoints dashtype 1 linecolor rgb '#d55e00' linewidth 2 pointtype 7 pointsize 0.8 title 'cpu/symmetric, 2 threads' noenhanced
unset multiplot
