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
set yrange [0.2621440092722575:175.55923461914062]
$panel0_0 << EOD
32 1.4926719665527344
64 1.4952319860458374
128 1.492192029953003
256 1.5281599760055542
512 1.5606080293655396
1024 1.6665600538253784
EOD
$panel0_1 << EOD
32 0.5353919863700867
64 0.46697598695755005
128 0.43887999653816223
256 0.4602879881858826
512 0.6247680187225342
1024 1.1278719902038574
EOD
set title 'one thread per body' noenhanced
plot $panel0_0 with linespoints dashtype 1 linecolor rgb '#000000' linewidth 2 pointtype 7 pointsize 1 title 'cuda/naive' noenhanced, \
  $panel0_1 with linespoints dashtype 1 linecolor rgb '#e69f00' linewidth 2 pointtype 7 pointsize 1 title 'cuda/tile' noenhanced
set xlabel 'blocks in the grid'
set xrange [3.2:640]
set yrange [0.2621440092722575:175.55923461914062]
$panel1_0 << EOD
4 117.03948974609375
8 58.88496017456055
16 29.840959548950195
32 15.486720085144043
64 7.97980785369873
128 4.1611199378967285
256 2.166624069213867
512 0.9998400211334229
EOD
$panel1_1 << EOD
4 59.08671951293946
8 29.917823791503906
16 15.225728034973145
32 8.026432037353516
64 4.17625617980957
128 2.1683840751647954
256 0.9939200282096863
512 1.0013760328292847
EOD
$panel1_2 << EOD
4 30.31065559387207
8 15.57801628112793
16 7.975488185882569
32 4.24409580230713
64 2.2075839042663574
128 1.0115519762039185
256 1.0068800449371338
512 1.012063980102539
EOD
$panel1_3 << EOD
4 16.55196762084961
8 8.631775856018066
16 4.43993616104126
32 2.325376033782959
64 1.072991967201233
128 1.0992000102996826
256 1.083135962486267
512 1.1029119491577148
EOD
$panel1_4 << EOD
4 8.3570556640625
8 4.412032127380371
16 2.2696640491485596
32 1.0941760540008545
64 1.0844800472259521
128 1.0706559419631958
256 1.0801279544830322
512 1.078112006187439
EOD
set title 'cuda/grid-stride' noenhanced
plot $panel1_0 with linespoints dashtype 1 linecolor rgb '#000000' linewidth 2 pointtype 7 pointsize 1 title '32 threads per block' noenhanced, \
  $panel1_1 with linespoints dashtype 1 linecolor rgb '#e69f00' linewidth 2 pointtype 7 pointsize 1 title '64 threads per block' noenhanced, \
  $panel1_2 with linespoints dashtype 1 linecolor rgb '#56b4e9' linewidth 2 pointtype 7 pointsize 1 title '128 threads per block' noenhanced, \
  $panel1_3 with linespoints dashtype 1 linecolor rgb '#009e73' linewidth 2 pointtype 7 pointsize 1 title '256 threads per block' noenhanced, \
  $panel1_4 with linespoints dashtype 1 linecolor rgb '#d55e00' linewidth 2 pointtype 7 pointsize 1 title '512 threads per block' noenhanced
set xlabel 'blocks in the grid'
set xrange [3.2:640]
set yrange [0.2621440092722575:175.55923461914062]
$panel2_0 << EOD
4 58.31692886352539
8 29.57187271118164
16 15.013952255249023
32 7.694176197052002
64 3.885535955429077
128 1.9769599437713623
256 1.0068479776382446
512 0.4884800016880036
EOD
$panel2_1 << EOD
4 26.155391693115234
8 13.165023803710938
16 6.64031982421875
32 3.3596160411834717
64 1.6976959705352783
128 0.8559679985046387
256 0.4248639941215515
512 0.44854399561882025
EOD
$panel2_2 << EOD
4 12.394207954406738
8 6.207071781158447
16 3.1199359893798833
32 1.5699520111083984
64 0.7895359992980957
128 0.39321601390838623
256 0.393312007188797
512 0.4403519928455353
EOD
$panel2_3 << EOD
4 6.793951988220215
8 3.396608114242554
16 1.703776001930237
32 0.8546879887580872
64 0.42681598663330084
128 0.4277760088443756
256 0.42735999822616577
512 0.42691200971603394
EOD
$panel2_4 << EOD
4 4.794528007507324
8 2.393631935119629
16 1.2004159688949585
32 0.6004480123519897
64 0.6002560257911682
128 0.6015040278434753
256 0.6004160046577455
512 0.601152002811432
EOD
set title 'cuda/grid-stride-tile' noenhanced
plot $panel2_0 with linespoints dashtype 1 linecolor rgb '#000000' linewidth 2 pointtype 7 pointsize 1 title '32 threads per block' noenhanced, \
  $panel2_1 with linespoints dashtype 1 linecolor rgb '#e69f00' linewidth 2 pointtype 7 pointsize 1 title '64 threads per block' noenhanced, \
  $panel2_2 with linespoints dashtype 1 linecolor rgb '#56b4e9' linewidth 2 pointtype 7 pointsize 1 title '128 threads per block' noenhanced, \
  $panel2_3 with linespoints dashtype 1 linecolor rgb '#009e73' linewidth 2 pointtype 7 pointsize 1 title '256 threads per block' noenhanced, \
  $panel2_4 with linespoints dashtype 1 linecolor rgb '#d55e00' linewidth 2 pointtype 7 pointsize 1 title '512 threads per block' noenhanced
set xlabel 'blocks in the grid'
set xrange [3.2:640]
set yrange [0.2621440092722575:175.55923461914062]
$panel3_0 << EOD
4 80.79821014404297
8 40.59571075439453
16 20.343008041381836
32 10.325216293334961
64 5.262847900390625
128 2.6854400634765625
256 1.3731199502944946
512 0.6734079718589783
EOD
$panel3_1 << EOD
4 42.25187301635742
8 21.179840087890625
16 10.617088317871094
32 5.367648124694824
64 2.7106239795684814
128 1.371616005897522
256 0.6755840182304382
512 0.6837120056152344
EOD
$panel3_2 << EOD
4 21.21673583984375
8 10.655136108398438
16 5.349567890167236
32 2.715167999267578
64 1.3712639808654787
128 0.6760640144348145
256 0.6763200163841248
512 0.7175359725952148
EOD
$panel3_3 << EOD
4 11.766688346862793
8 5.925568103790283
16 2.976223945617676
32 1.5088319778442383
64 0.7408000230789185
128 0.7488639950752259
256 0.7493759989738465
512 0.7460799813270569
EOD
$panel3_4 << EOD
4 7.711584091186523
8 3.895807981491089
16 1.962847948074341
32 0.9822720289230347
64 0.980288028717041
128 0.9810240268707274
256 0.9810879826545715
512 0.9838079810142518
EOD
set title 'cuda/shuffle' noenhanced
plot $panel3_0 with linespoints dashtype 1 linecolor rgb '#000000' linewidth 2 pointtype 7 pointsize 1 title '32 threads per block' noenhanced, \
  $panel3_1 with linespoints dashtype 1 linecolor rgb '#e69f00' linewidth 2 pointtype 7 pointsize 1 title '64 threads per block' noenhanced, \
  $panel3_2 with linespoints dashtype 1 linecolor rgb '#56b4e9' linewidth 2 pointtype 7 pointsize 1 title '128 threads per block' noenhanced, \
  $panel3_3 with linespoints dashtype 1 linecolor rgb '#009e73' linewidth 2 pointtype 7 pointsize 1 title '256 threads per block' noenhanced, \
  $panel3_4 with linespoints dashtype 1 linecolor rgb '#d55e00' linewidth 2 pointtype 7 pointsize 1 title '512 threads per block' noenhanced
unset multiplot
