# Draws block-stride: gnuplot block-stride.gp
set terminal unknown
if (strstrt(GPVAL_TERMINALS, 'pngcairo') > 0) { set terminal pngcairo size 1680,792 font 'sans,11' } else { set terminal png size 1680,792 }
set output 'block-stride.png'
set logscale x 4
set logscale y
set grid
set key below height 2
set ylabel '10^9 interactions per second'
set format x '%.0f'
set format y '%g'
set multiplot layout 1,3 title 'Block and stride, N = 4096' noenhanced
set xlabel 'threads per block'
set xrange [0.8:1280]
set yrange [8.763986977539563:1495.1178691976352]
$panel0_0 << EOD
128 51.738095335898045
EOD
$panel0_1 << EOD
1 42.68403427592397
2 45.13498632571452
3 45.14664528369787
4 45.103922781413765
8 45.39683208560072
16 45.27530341744823
30 44.2923036910423
31 44.26052009408218
32 44.391684707850885
33 45.12721462024975
64 44.66967633913123
65 45.37914794496705
96 44.87230569232382
127 44.243711739349145
128 44.24744659878721
129 44.14685045162495
192 44.37102371485891
256 43.40491927249602
384 41.745997546727196
512 46.87001626037202
640 46.4794317595946
768 46.00631735325516
896 46.52893099834688
992 45.197241954100406
1023 44.18405696100563
1024 44.00234940450165
EOD
$panel0_2 << EOD
1 14.749
2 27.311
3 29.439
4 32.508
8 33.737
16 31.649
30 33.268
31 33.852
32 32.32
64 32.704
128 32.981
256 31.359
512 28.857
1023 20.423
1024 20.092
EOD
set title 'one thread per body' noenhanced
plot $panel0_0 with linespoints dashtype 1 linecolor rgb '#000000' linewidth 2 pointtype 7 pointsize 1 title 'cuda/managed' noenhanced, \
  $panel0_1 with linespoints dashtype 1 linecolor rgb '#e69f00' linewidth 2 pointtype 7 pointsize 1 title 'cuda/naive' noenhanced, \
  $panel0_2 with linespoints dashtype 2 linecolor rgb '#56b4e9' linewidth 2 pointtype 7 pointsize 1 title 'A100 (published)' noenhanced
set xlabel 'blocks that share the sources (stride)'
set xrange [0.8:160]
set yrange [8.763986977539563:1495.1178691976352]
$panel1_0 << EOD
1 14.049199264737597
2 13.145980466309345
4 13.938640202188962
8 15.292943589429838
16 16.036705768409153
32 16.464780762668244
64 16.641949452851325
128 16.564135071707366
EOD
$panel1_1 << EOD
1 22.17425112201886
2 38.79878706975174
4 38.13558231479664
8 39.03275808086753
16 40.218473123978065
32 42.00016081010607
64 43.4300871526711
128 45.014853697220445
EOD
$panel1_2 << EOD
1 41.00164140748148
2 73.52236661998239
4 109.29497665749007
8 122.6117877693805
16 124.8304806414755
32 128.34467128390895
64 130.45234802573916
128 128.97613819161714
EOD
$panel1_3 << EOD
1 59.503803394355565
2 114.8746756713521
4 199.31116590361248
8 257.73035925337945
16 278.95078591773466
32 286.7311986388541
64 295.12411664562774
128 289.3421629967087
EOD
$panel1_4 << EOD
1 76.26007314049588
2 149.8607983329398
4 270.6701133718473
8 450.0970010657936
16 506.0695115647271
32 550.3372778266413
64 574.2475562817093
128 563.5485358911843
EOD
$panel1_5 << EOD
1 86.88896477200686
2 168.58135414943507
4 309.862891189066
8 546.1333250540276
16 818.2411370366874
32 925.8132035763613
64 900.5290133232749
128 774.857564229384
EOD
$panel1_6 << EOD
1 94.6539080610789
2 182.48799225874558
4 331.82783967506987
8 561.3362053868591
16 874.9799745771817
32 959.8828010562582
64 996.7452461317569
128 708.7367481467178
EOD
$panel1_7 << EOD
1 98.84766447616431
2 189.6845089021705
4 349.4088597893644
8 613.2920087981313
16 893.3174327016683
32 971.4433733778369
64 778.452851167722
128 643.890719195868
EOD
$panel1_8 << EOD
1 97.66915240645082
2 185.98367919863048
4 344.9263046898674
8 624.3382022646744
16 886.5575672875852
32 716.4851540624567
64 655.1552789669762
128 529.583832950188
EOD
$panel1_9 << EOD
1 83.67187711674848
2 162.31827053719496
4 297.55277603763716
8 538.2833863820479
16 533.898152407153
32 511.00196234752786
64 474.3256787375176
128 392.7250826850043
EOD
$panel1_10 << EOD
1 55.031806267429864
2 107.28217299088641
4 203.0156832454931
8 203.3306217481476
16 200.60761481243418
32 199.38694695288925
64 193.03682176267446
128 188.72858405905015
EOD
$panel1_11 << EOD
4 197.147
8 227.026
16 246.724
32 256.532
64 184.163
128 126.716
EOD
set title 'several blocks per block of bodies' noenhanced
plot $panel1_0 with linespoints dashtype 1 linecolor rgb '#000000' linewidth 2 pointtype 7 pointsize 1 title '1 threads per block' noenhanced, \
  $panel1_1 with linespoints dashtype 1 linecolor rgb '#e69f00' linewidth 2 pointtype 7 pointsize 1 title '2 threads per block' noenhanced, \
  $panel1_2 with linespoints dashtype 1 linecolor rgb '#56b4e9' linewidth 2 pointtype 7 pointsize 1 title '4 threads per block' noenhanced, \
  $panel1_3 with linespoints dashtype 1 linecolor rgb '#009e73' linewidth 2 pointtype 7 pointsize 1 title '8 threads per block' noenhanced, \
  $panel1_4 with linespoints dashtype 1 linecolor rgb '#d55e00' linewidth 2 pointtype 7 pointsize 1 title '16 threads per block' noenhanced, \
  $panel1_5 with linespoints dashtype 1 linecolor rgb '#0072b2' linewidth 2 pointtype 7 pointsize 1 title '32 threads per block' noenhanced, \
  $panel1_6 with linespoints dashtype 1 linecolor rgb '#cc79a7' linewidth 2 pointtype 7 pointsize 1 title '64 threads per block' noenhanced, \
  $panel1_7 with linespoints dashtype 1 linecolor rgb '#000000' linewidth 2 pointtype 9 pointsize 1 title '128 threads per block' noenhanced, \
  $panel1_8 with linespoints dashtype 1 linecolor rgb '#e69f00' linewidth 2 pointtype 9 pointsize 1 title '256 threads per block' noenhanced, \
  $panel1_9 with linespoints dashtype 1 linecolor rgb '#56b4e9' linewidth 2 pointtype 9 pointsize 1 title '512 threads per block' noenhanced, \
  $panel1_10 with linespoints dashtype 1 linecolor rgb '#009e73' linewidth 2 pointtype 9 pointsize 1 title '1024 threads per block' noenhanced, \
  $panel1_11 with linespoints dashtype 2 linecolor rgb '#d55e00' linewidth 2 pointtype 9 pointsize 1 title 'A100, 128 (published)' noenhanced
set xlabel 'threads per block'
set xrange [0.8:1280]
set yrange [8.763986977539563:1495.1178691976352]
$panel2_0 << EOD
1 13.938640202188962
2 38.13558231479664
4 109.29497665749007
8 199.31116590361248
16 270.6701133718473
32 309.862891189066
64 331.82783967506987
128 349.4088597893644
256 344.9263046898674
512 297.55277603763716
1024 203.0156832454931
EOD
$panel2_1 << EOD
1 16.464780762668244
2 42.00016081010607
4 128.34467128390895
8 286.7311986388541
16 550.3372778266413
32 925.8132035763613
64 959.8828010562582
128 971.4433733778369
256 716.4851540624567
512 511.00196234752786
1024 199.38694695288925
EOD
$panel2_2 << EOD
1 16.564135071707366
2 45.014853697220445
4 128.97613819161714
8 289.3421629967087
16 563.5485358911843
32 774.857564229384
64 708.7367481467178
128 643.890719195868
256 529.583832950188
512 392.7250826850043
1024 188.72858405905015
EOD
$panel2_3 << EOD
8 112.448
16 168.277
32 202.379
64 201.166
128 197.147
256 178.102
512 113.207
EOD
set title 'the same against the block' noenhanced
plot $panel2_0 with linespoints dashtype 1 linecolor rgb '#000000' linewidth 2 pointtype 7 pointsize 1 title 'stride 4' noenhanced, \
  $panel2_1 with linespoints dashtype 1 linecolor rgb '#e69f00' linewidth 2 pointtype 7 pointsize 1 title 'stride 32' noenhanced, \
  $panel2_2 with linespoints dashtype 1 linecolor rgb '#56b4e9' linewidth 2 pointtype 7 pointsize 1 title 'stride 128' noenhanced, \
  $panel2_3 with linespoints dashtype 2 linecolor rgb '#009e73' linewidth 2 pointtype 7 pointsize 1 title 'A100, stride 4 (published)' noenhanced
unset multiplot
