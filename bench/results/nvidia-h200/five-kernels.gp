# Draws five-kernels: gnuplot five-kernels.gp
set terminal unknown
if (strstrt(GPVAL_TERMINALS, 'pngcairo') > 0) { set terminal pngcairo size 1440,1240 font 'sans,11' } else { set terminal png size 1440,1240 }
set output 'five-kernels.png'
set logscale x 4
set logscale y
set grid
set key below height 2
set ylabel 'milliseconds'
set format x '%.0f'
set format y '%g'
set multiplot layout 2,2 title 'Five kernels and their launch shapes' noenhanced
set xlabel 'threads per block'
set xrange [25.6:1280]
set yrange [0.2619306643803914:175.3677635192871]
$panel0_0 << EOD
32 1.493664026260376
64 1.4945600032806396
128 1.4974720478057861
256 1.5349760055541992
512 1.5609600543975832
1024 1.664031982421875
EOD
$panel0_1 << EOD
32 0.536191999912262
64 0.46639999747276306
128 0.43952000141143804
256 0.460895985364914
512 0.6250879764556885
1024 1.1280319690704346
EOD
set title 'one thread per body' noenhanced
plot $panel0_0 with linespoints dashtype 1 linecolor rgb '#000000' linewidth 2 pointtype 7 pointsize 1 title 'cuda/naive' noenhanced, \
  $panel0_1 with linespoints dashtype 1 linecolor rgb '#e69f00' linewidth 2 pointtype 7 pointsize 1 title 'cuda/tile' noenhanced
set xlabel 'blocks in the grid'
set xrange [3.2:640]
set yrange [0.2619306643803914:175.3677635192871]
$panel1_0 << EOD
4 116.9118423461914
8 58.86908721923828
16 29.82524871826172
32 15.508959770202637
64 7.976096153259277
128 4.156832218170166
256 2.164511919021607
512 1.0029120445251465
EOD
$panel1_1 << EOD
4 58.99468612670899
8 29.896799087524414
16 15.212703704833984
32 8.01801586151123
64 4.170303821563721
128 2.164799928665161
256 0.9921600222587585
512 0.9947199821472169
EOD
$panel1_2 << EOD
4 30.323871612548828
8 15.590847969055176
16 7.960544109344483
32 4.238527774810791
64 2.20086407661438
128 1.0038399696350098
256 1.006111979484558
512 1.025823950767517
EOD
$panel1_3 << EOD
4 16.58019256591797
8 8.611519813537598
16 4.427616119384766
32 2.3242878913879395
64 1.0668799877166748
128 1.101472020149231
256 1.1018880009651184
512 1.1018240451812744
EOD
$panel1_4 << EOD
4 8.317119598388672
8 4.406079769134522
16 2.2688961029052734
32 1.08787202835083
64 1.0830399990081787
128 1.0699359774589539
256 1.0788639783859253
512 1.0786719918251038
EOD
set title 'cuda/grid-stride' noenhanced
plot $panel1_0 with linespoints dashtype 1 linecolor rgb '#000000' linewidth 2 pointtype 7 pointsize 1 title '32 threads per block' noenhanced, \
  $panel1_1 with linespoints dashtype 1 linecolor rgb '#e69f00' linewidth 2 pointtype 7 pointsize 1 title '64 threads per block' noenhanced, \
  $panel1_2 with linespoints dashtype 1 linecolor rgb '#56b4e9' linewidth 2 pointtype 7 pointsize 1 title '128 threads per block' noenhanced, \
  $panel1_3 with linespoints dashtype 1 linecolor rgb '#009e73' linewidth 2 pointtype 7 pointsize 1 title '256 threads per block' noenhanced, \
  $panel1_4 with linespoints dashtype 1 linecolor rgb '#d55e00' linewidth 2 pointtype 7 pointsize 1 title '512 threads per block' noenhanced
set xlabel 'blocks in the grid'
set xrange [3.2:640]
set yrange [0.2619306643803914:175.3677635192871]
$panel2_0 << EOD
4 58.299072265625
8 29.567167282104496
16 15.011391639709474
32 7.692831993103027
64 3.883552074432373
128 1.9776639938354494
256 1.0079360008239746
512 0.4896320104598999
EOD
$panel2_1 << EOD
4 26.159584045410156
8 13.17311954498291
16 6.634880065917969
32 3.36080002784729
64 1.698815941810608
128 0.8563839793205261
256 0.4251520037651062
512 0.45049598813056946
EOD
$panel2_2 << EOD
4 12.436351776123049
8 6.225088119506836
16 3.114272117614746
32 1.5703680515289309
64 0.7896000146865845
128 0.39318400621414185
256 0.39289599657058716
512 0.4410240054130554
EOD
$panel2_3 << EOD
4 6.774303913116455
8 3.401567935943604
16 1.7023359537124636
32 0.8546559810638428
64 0.4277440011501312
128 0.42719998955726624
256 0.42735999822616577
512 0.42803201079368597
EOD
$panel2_4 << EOD
4 4.779391765594482
8 2.394592046737671
16 1.1996159553527832
32 0.6007040143013
64 0.601152002811432
128 0.6004480123519897
256 0.6008639931678772
512 0.6010879874229431
EOD
set title 'cuda/grid-stride-tile' noenhanced
plot $panel2_0 with linespoints dashtype 1 linecolor rgb '#000000' linewidth 2 pointtype 7 pointsize 1 title '32 threads per block' noenhanced, \
  $panel2_1 with linespoints dashtype 1 linecolor rgb '#e69f00' linewidth 2 pointtype 7 pointsize 1 title '64 threads per block' noenhanced, \
  $panel2_2 with linespoints dashtype 1 linecolor rgb '#56b4e9' linewidth 2 pointtype 7 pointsize 1 title '128 threads per block' noenhanced, \
  $panel2_3 with linespoints dashtype 1 linecolor rgb '#009e73' linewidth 2 pointtype 7 pointsize 1 title '256 threads per block' noenhanced, \
  $panel2_4 with linespoints dashtype 1 linecolor rgb '#d55e00' linewidth 2 pointtype 7 pointsize 1 title '512 threads per block' noenhanced
set xlabel 'blocks in the grid'
set xrange [3.2:640]
set yrange [0.2619306643803914:175.3677635192871]
$panel3_0 << EOD
4 80.78781127929688
8 40.48828887939453
16 20.43881607055664
32 10.324704170227053
64 5.257631778717041
128 2.684704065322876
256 1.3720320463180542
512 0.6757439970970155
EOD
$panel3_1 << EOD
4 42.23574447631836
8 21.173311233520508
16 10.614432334899902
32 5.3671040534973145
64 2.7114880084991455
128 1.3715200424194336
256 0.6754559874534607
512 0.6832320094108582
EOD
$panel3_2 << EOD
4 21.253759384155273
8 10.673760414123535
16 5.3520002365112305
32 2.713184118270874
64 1.3719040155410767
128 0.6744959950447083
256 0.6756160259246826
512 0.717024028301239
EOD
$panel3_3 << EOD
4 11.760607719421387
8 5.92633581161499
16 2.977440118789673
32 1.5075199604034424
64 0.741536021232605
128 0.744928002357483
256 0.7485439777374268
512 0.7445120215415955
EOD
$panel3_4 << EOD
4 7.710559844970703
8 3.897567987442017
16 1.9627840518951418
32 0.9825279712677001
64 0.9824960231781005
128 0.9794239997863771
256 0.981343984603882
512 0.980288028717041
EOD
set title 'cuda/shuffle' noenhanced
plot $panel3_0 with linespoints dashtype 1 linecolor rgb '#000000' linewidth 2 pointtype 7 pointsize 1 title '32 threads per block' noenhanced, \
  $panel3_1 with linespoints dashtype 1 linecolor rgb '#e69f00' linewidth 2 pointtype 7 pointsize 1 title '64 threads per block' noenhanced, \
  $panel3_2 with linespoints dashtype 1 linecolor rgb '#56b4e9' linewidth 2 pointtype 7 pointsize 1 title '128 threads per block' noenhanced, \
  $panel3_3 with linespoints dashtype 1 linecolor rgb '#009e73' linewidth 2 pointtype 7 pointsize 1 title '256 threads per block' noenhanced, \
  $panel3_4 with linespoints dashtype 1 linecolor rgb '#d55e00' linewidth 2 pointtype 7 pointsize 1 title '512 threads per block' noenhanced
unset multiplot
