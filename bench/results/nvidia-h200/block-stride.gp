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
set yrange [8.749507363937136:1529.4282266844348]
$panel0_0 << EOD
128 58.81624176996333
EOD
$panel0_1 << EOD
1 42.71185300272523
2 45.010988168678445
3 44.91459033943386
4 44.96852190595551
8 45.33794700072982
16 44.891513834259676
30 44.25118208883927
31 44.48396450901671
32 44.50662028985889
33 44.76120544304191
64 44.58231239641904
65 45.21868155593821
96 44.32600711431189
127 44.22878207942719
128 44.40108561403225
129 44.57852079446715
192 44.299790459991684
256 43.45888716531941
384 41.716105146477084
512 46.80725001677994
640 46.89097706755009
768 46.941357229579324
896 47.2033869907733
992 45.16998490332339
1023 44.22505384437572
1024 43.94702417233386
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
set yrange [8.749507363937136:1529.4282266844348]
$panel1_0 << EOD
1 14.032277841599736
2 13.124261045905705
4 13.935675555694536
8 15.278237736110794
16 16.02837010129783
32 16.465815198792875
64 16.67264585956558
128 16.581947476365887
EOD
$panel1_1 << EOD
1 22.1555109362048
2 38.807402037501625
4 38.16612182484125
8 38.94577445896619
16 40.172246033088456
32 41.99679568199587
64 43.42648899729598
128 44.91843574367662
EOD
$panel1_2 << EOD
1 40.91524815169554
2 73.73952053147893
4 109.38618951808613
8 121.04074698483907
16 124.63758421175484
32 128.1721040880318
64 130.45234802573916
128 129.10317795687456
EOD
$panel1_3 << EOD
1 59.31530705104773
2 114.79920963430692
4 200.66519597297662
8 259.35593543504586
16 283.3223446436116
32 294.08946647992957
64 297.80630205761827
128 293.3900413870802
EOD
$panel1_4 << EOD
1 76.2157291056666
2 149.24224419349983
4 273.63673786596604
8 453.5363194683233
16 522.7198240434692
32 563.5990433946016
64 592.7507180529431
128 576.986052714851
EOD
$panel1_5 << EOD
1 86.53045338400072
2 167.87960126132984
4 314.2271472134697
8 547.1782915378834
16 848.0879917860905
32 935.3934257203339
64 915.3072875527012
128 786.0389767869066
EOD
$panel1_6 << EOD
1 94.2794427206596
2 181.28907943617048
4 338.14123422090006
8 596.459613699858
16 886.520142286238
32 958.4789398881732
64 1019.6188177896231
128 709.9363794377425
EOD
$panel1_7 << EOD
1 98.84766447616431
2 191.0670596123886
4 359.6761945524841
8 617.1724489638723
16 898.6766941422973
32 989.222670573381
64 787.9586670488121
128 648.0692291809752
EOD
$panel1_8 << EOD
1 98.08943021550438
2 187.9505330386439
4 355.77110030022806
8 631.6723078826985
16 905.8189615725836
32 739.9971963986499
64 665.4456575194595
128 533.8981735048875
EOD
$panel1_9 << EOD
1 83.65852893851398
2 161.31938128698232
4 302.79410398395856
8 543.3974927614559
16 536.8136594394665
32 509.34715064495094
64 470.4243942342363
128 404.3352132196416
EOD
$panel1_10 << EOD
1 55.118588288570585
2 107.59039417540438
4 203.52794579432017
8 200.9536162538138
16 200.6844030013049
32 201.0306696054912
64 194.45080412255498
128 187.61424396029625
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
set yrange [8.749507363937136:1529.4282266844348]
$panel2_0 << EOD
1 13.935675555694536
2 38.16612182484125
4 109.38618951808613
8 200.66519597297662
16 273.63673786596604
32 314.2271472134697
64 338.14123422090006
128 359.6761945524841
256 355.77110030022806
512 302.79410398395856
1024 203.52794579432017
EOD
$panel2_1 << EOD
1 16.465815198792875
2 41.99679568199587
4 128.1721040880318
8 294.08946647992957
16 563.5990433946016
32 935.3934257203339
64 958.4789398881732
128 989.222670573381
256 739.9971963986499
512 509.34715064495094
1024 201.0306696054912
EOD
$panel2_2 << EOD
1 16.581947476365887
2 44.91843574367662
4 129.10317795687456
8 293.3900413870802
16 576.986052714851
32 786.0389767869066
64 709.9363794377425
128 648.0692291809752
256 533.8981735048875
512 404.3352132196416
1024 187.61424396029625
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
