# Draws five-kernels: gnuplot five-kernels.gp
set terminal unknown
if (strstrt(GPVAL_TERMINALS, 'pngcairo') > 0) { set terminal pngcairo size 2160,1240 font 'sans,11' } else { set terminal png size 2160,1240 }
set output 'five-kernels.png'
set logscale x 4
set logscale y
set grid
set key below height 2
set ylabel 'milliseconds'
set format x '%.0f'
set format y '%g'
set multiplot layout 2,3 title 'Five kernels and their launch shapes' noenhanced
set xlabel 'threads per block'
set xrange [25.6:1280]
set yrange [0.2617173393567403:16.71]
$panel0_0 << EOD
32 1.0100480318069458
64 1.0086400508880615
128 1.0139199495315552
256 1.0535680055618288
512 1.2217919826507568
1024 1.7710399627685547
EOD
$panel0_1 << EOD
32 1.4978879690170288
64 1.4988160133361816
128 1.5014400482177734
256 1.534432053565979
512 1.568224012851715
1024 1.6750719547271729
EOD
$panel0_2 << EOD
32 0.5542399883270264
64 0.48419201374053955
128 0.4548479914665223
256 0.48991999030113226
512 0.7243199944496155
1024 1.3808319568634033
EOD
$panel0_3 << EOD
32 0.5353599786758423
64 0.4663360118865967
128 0.43929600715637207
256 0.4602879881858826
512 0.6249279975891113
1024 1.1280319690704346
EOD
set title 'one thread per body' noenhanced
plot $panel0_0 with linespoints dashtype 1 linecolor rgb '#000000' linewidth 2 pointtype 7 pointsize 1 title 'cuda/naive-forces' noenhanced, \
  $panel0_1 with linespoints dashtype 1 linecolor rgb '#e69f00' linewidth 2 pointtype 7 pointsize 1 title 'cuda/naive' noenhanced, \
  $panel0_2 with linespoints dashtype 1 linecolor rgb '#56b4e9' linewidth 2 pointtype 7 pointsize 1 title 'cuda/tile-forces' noenhanced, \
  $panel0_3 with linespoints dashtype 1 linecolor rgb '#009e73' linewidth 2 pointtype 7 pointsize 1 title 'cuda/tile' noenhanced
set xlabel 'blocks in the grid'
set xrange [3.2:640]
set yrange [0.2617173393567403:16.71]
$panel1_0 << EOD
4 8.228480339050293
8 4.178624153137208
16 2.1713280677795415
32 1.1673280000686646
EOD
$panel1_1 << EOD
16 3.4673919677734375
32 1.8004800081253052
64 0.978335976600647
EOD
$panel1_2 << EOD
32 3.276479959487915
64 1.6822400093078613
128 0.9193599820137024
EOD
$panel1_3 << EOD
64 3.2521278858184814
128 1.6740479469299316
256 0.9131199717521667
EOD
$panel1_4 << EOD
512 0.9109439849853517
EOD
set title 'cuda/grid-stride-forces' noenhanced
plot $panel1_0 with linespoints dashtype 1 linecolor rgb '#000000' linewidth 2 pointtype 7 pointsize 1 title '512 threads per block' noenhanced, \
  $panel1_1 with linespoints dashtype 1 linecolor rgb '#e69f00' linewidth 2 pointtype 7 pointsize 1 title '256 threads per block' noenhanced, \
  $panel1_2 with linespoints dashtype 1 linecolor rgb '#56b4e9' linewidth 2 pointtype 7 pointsize 1 title '128 threads per block' noenhanced, \
  $panel1_3 with linespoints dashtype 1 linecolor rgb '#009e73' linewidth 2 pointtype 7 pointsize 1 title '64 threads per block' noenhanced, \
  $panel1_4 with linespoints dashtype 1 linecolor rgb '#d55e00' linewidth 2 pointtype 7 pointsize 1 title '32 threads per block' noenhanced
set xlabel 'blocks in the grid'
set xrange [3.2:640]
set yrange [0.2617173393567403:16.71]
$panel2_0 << EOD
4 5.528192043304443
8 2.767712116241455
16 1.388319969177246
32 0.7000319957733154
EOD
$panel2_1 << EOD
16 1.8730560541152954
32 0.9429119825363159
64 0.476639986038208
EOD
$panel2_2 << EOD
32 1.6651519536972046
64 0.8372799754142761
128 0.42553600668907166
EOD
$panel2_3 << EOD
64 1.758463978767395
128 0.8908159732818604
256 0.45596799254417425
EOD
$panel2_4 << EOD
512 0.5249279737472534
EOD
set title 'cuda/grid-stride-tile-forces' noenhanced
plot $panel2_0 with linespoints dashtype 1 linecolor rgb '#000000' linewidth 2 pointtype 7 pointsize 1 title '512 threads per block' noenhanced, \
  $panel2_1 with linespoints dashtype 1 linecolor rgb '#e69f00' linewidth 2 pointtype 7 pointsize 1 title '256 threads per block' noenhanced, \
  $panel2_2 with linespoints dashtype 1 linecolor rgb '#56b4e9' linewidth 2 pointtype 7 pointsize 1 title '128 threads per block' noenhanced, \
  $panel2_3 with linespoints dashtype 1 linecolor rgb '#009e73' linewidth 2 pointtype 7 pointsize 1 title '64 threads per block' noenhanced, \
  $panel2_4 with linespoints dashtype 1 linecolor rgb '#d55e00' linewidth 2 pointtype 7 pointsize 1 title '32 threads per block' noenhanced
set xlabel 'blocks in the grid'
set xrange [3.2:640]
set yrange [0.2617173393567403:16.71]
$panel3_0 << EOD
4 7.940415859222413
8 3.993695974349976
16 2.0241920948028564
32 1.0357760190963747
EOD
$panel3_1 << EOD
16 3.1024959087371826
32 1.5688320398330688
64 0.807200014591217
EOD
$panel3_2 << EOD
32 2.789504051208496
64 1.4149119853973389
128 0.7334399819374084
EOD
$panel3_3 << EOD
64 2.780319929122925
128 1.407039999961853
256 0.7244160175323487
EOD
$panel3_4 << EOD
512 0.727295994758606
EOD
set title 'cuda/shuffle-forces' noenhanced
plot $panel3_0 with linespoints dashtype 1 linecolor rgb '#000000' linewidth 2 pointtype 7 pointsize 1 title '512 threads per block' noenhanced, \
  $panel3_1 with linespoints dashtype 1 linecolor rgb '#e69f00' linewidth 2 pointtype 7 pointsize 1 title '256 threads per block' noenhanced, \
  $panel3_2 with linespoints dashtype 1 linecolor rgb '#56b4e9' linewidth 2 pointtype 7 pointsize 1 title '128 threads per block' noenhanced, \
  $panel3_3 with linespoints dashtype 1 linecolor rgb '#009e73' linewidth 2 pointtype 7 pointsize 1 title '64 threads per block' noenhanced, \
  $panel3_4 with linespoints dashtype 1 linecolor rgb '#d55e00' linewidth 2 pointtype 7 pointsize 1 title '32 threads per block' noenhanced
set xlabel '1 naive, 2 shared, 3 stride, 4 stride + shared, 5 stride + shuffle'
set xrange [0.8:6.25]
set yrange [0.2617173393567403:16.71]
$panel4_0 << EOD
1 10.07
2 7.04
3 11.14
4 7.2
5 6.84
EOD
$panel4_1 << EOD
1 1.0086400508880615
2 0.4548479914665223
3 0.9109439849853517
4 0.42553600668907166
5 0.7244160175323487
EOD
$panel4_2 << EOD
1 1.4978879690170288
2 0.43929600715637207
3 0.9960640072822571
4 0.3925760090351105
5 0.673088014125824
EOD
set title 'best of each' noenhanced
plot $panel4_0 with linespoints dashtype 1 linecolor rgb '#000000' linewidth 2 pointtype 7 pointsize 1 title 'Tesla K20c, published' noenhanced, \
  $panel4_1 with linespoints dashtype 1 linecolor rgb '#e69f00' linewidth 2 pointtype 7 pointsize 1 title 'as the account writes it' noenhanced, \
  $panel4_2 with linespoints dashtype 1 linecolor rgb '#56b4e9' linewidth 2 pointtype 7 pointsize 1 title 'accelerations of float4' noenhanced
unset multiplot
