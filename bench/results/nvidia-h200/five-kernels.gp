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
set yrange [0.2621013323465983:177.64972686767578]
$panel0_0 << EOD
32 1.4919999837875366
64 1.4905279874801636
128 1.4937920570373537
256 1.5338239669799807
512 1.55513596534729
1024 1.6746879816055298
EOD
$panel0_1 << EOD
32 0.5362560153007507
64 0.46556800603866577
128 0.43884798884391785
256 0.46035200357437134
512 0.6250240206718445
1024 1.128000020980835
EOD
set title 'one thread per body' noenhanced
plot $panel0_0 with linespoints dashtype 1 linecolor rgb '#000000' linewidth 2 pointtype 7 pointsize 1 title 'cuda/naive' noenhanced, \
  $panel0_1 with linespoints dashtype 1 linecolor rgb '#e69f00' linewidth 2 pointtype 7 pointsize 1 title 'cuda/tile' noenhanced
set xlabel 'blocks in the grid'
set xrange [3.2:640]
set yrange [0.2621013323465983:177.64972686767578]
$panel1_0 << EOD
4 118.43315124511719
8 59.61423873901367
16 29.989152908325195
32 15.500127792358398
64 7.990752220153809
128 4.157599925994873
256 2.168544054031372
512 0.9995840191841127
EOD
$panel1_1 << EOD
4 59.793087005615234
8 30.276927947998047
16 15.359711647033691
32 8.01574420928955
64 4.179488182067871
128 2.1721599102020264
256 0.9910399913787842
512 0.9978079795837403
EOD
$panel1_2 << EOD
4 30.69152069091797
8 15.798239707946776
16 8.007488250732424
32 4.242559909820557
64 2.2073919773101807
128 1.008031964302063
256 1.0067840218544006
512 1.0283200144767761
EOD
$panel1_3 << EOD
4 16.742015838623047
8 8.71343994140625
16 4.440703868865967
32 2.326751947402954
64 1.0682560205459595
128 1.0762239694595337
256 1.1047040224075317
512 1.0998079776763916
EOD
$panel1_4 << EOD
4 8.39907169342041
8 4.435135841369629
16 2.275808095932007
32 1.0884480476379395
64 1.0851199626922607
128 1.0797759890556338
256 1.0838719606399536
512 1.0864319801330566
EOD
set title 'cuda/grid-stride' noenhanced
plot $panel1_0 with linespoints dashtype 1 linecolor rgb '#000000' linewidth 2 pointtype 7 pointsize 1 title '32 threads per block' noenhanced, \
  $panel1_1 with linespoints dashtype 1 linecolor rgb '#e69f00' linewidth 2 pointtype 7 pointsize 1 title '64 threads per block' noenhanced, \
  $panel1_2 with linespoints dashtype 1 linecolor rgb '#56b4e9' linewidth 2 pointtype 7 pointsize 1 title '128 threads per block' noenhanced, \
  $panel1_3 with linespoints dashtype 1 linecolor rgb '#009e73' linewidth 2 pointtype 7 pointsize 1 title '256 threads per block' noenhanced, \
  $panel1_4 with linespoints dashtype 1 linecolor rgb '#d55e00' linewidth 2 pointtype 7 pointsize 1 title '512 threads per block' noenhanced
set xlabel 'blocks in the grid'
set xrange [3.2:640]
set yrange [0.2621013323465983:177.64972686767578]
$panel2_0 << EOD
4 58.46409606933594
8 29.657184600830078
16 15.094816207885742
32 7.7205119132995605
64 3.885760068893433
128 1.9839040040969849
256 1.0076479911804201
512 0.49120000004768377
EOD
$panel2_1 << EOD
4 26.21651268005371
8 13.193984031677246
16 6.672736167907715
32 3.372351884841919
64 1.7066240310668945
128 0.8573439717292787
256 0.4248960018157959
512 0.45110398530960083
EOD
$panel2_2 << EOD
4 12.40931224822998
8 6.2184319496154785
16 3.119071960449219
32 1.5694719552993774
64 0.7920960187911988
128 0.39321601390838623
256 0.39315199851989746
512 0.44207999110221863
EOD
$panel2_3 << EOD
4 6.781568050384522
8 3.3980801105499268
16 1.7028800249099731
32 0.8547520041465759
64 0.4283199906349182
128 0.4275200068950653
256 0.42847999930381775
512 0.4288640022277832
EOD
$panel2_4 << EOD
4 4.781536102294922
8 2.394239902496338
16 1.1995199918746948
32 0.6008319854736328
64 0.601535975933075
128 0.6007680296897888
256 0.6019840240478516
512 0.6016960144042969
EOD
set title 'cuda/grid-stride-tile' noenhanced
plot $panel2_0 with linespoints dashtype 1 linecolor rgb '#000000' linewidth 2 pointtype 7 pointsize 1 title '32 threads per block' noenhanced, \
  $panel2_1 with linespoints dashtype 1 linecolor rgb '#e69f00' linewidth 2 pointtype 7 pointsize 1 title '64 threads per block' noenhanced, \
  $panel2_2 with linespoints dashtype 1 linecolor rgb '#56b4e9' linewidth 2 pointtype 7 pointsize 1 title '128 threads per block' noenhanced, \
  $panel2_3 with linespoints dashtype 1 linecolor rgb '#009e73' linewidth 2 pointtype 7 pointsize 1 title '256 threads per block' noenhanced, \
  $panel2_4 with linespoints dashtype 1 linecolor rgb '#d55e00' linewidth 2 pointtype 7 pointsize 1 title '512 threads per block' noenhanced
set xlabel 'blocks in the grid'
set xrange [3.2:640]
set yrange [0.2621013323465983:177.64972686767578]
$panel3_0 << EOD
4 80.86598205566406
8 40.6657600402832
16 20.40124893188477
32 10.413536071777344
64 5.279839992523193
128 2.6867520809173584
256 1.3753600120544434
512 0.6739199757575989
EOD
$panel3_1 << EOD
4 42.35084915161133
8 21.234624862670902
16 10.642239570617676
32 5.368703842163086
64 2.7176320552825928
128 1.3722560405731203
256 0.6754239797592163
512 0.6842880249023438
EOD
$panel3_2 << EOD
4 21.268447875976562
8 10.679488182067873
16 5.364960193634033
32 2.714143991470337
64 1.374079942703247
128 0.6757439970970155
256 0.678719997406006
512 0.7198079824447632
EOD
$panel3_3 << EOD
4 11.798527717590332
8 5.941919803619385
16 2.982304096221924
32 1.5077120065689087
64 0.7414399981498718
128 0.7492480278015137
256 0.7501119971275331
512 0.7478399872779846
EOD
$panel3_4 << EOD
4 7.721504211425781
8 3.9131839275360103
16 1.9627840518951418
32 0.9820160269737243
64 0.9807999730110168
128 0.9823359847068788
256 0.9761919975280762
512 0.9846720099449158
EOD
set title 'cuda/shuffle' noenhanced
plot $panel3_0 with linespoints dashtype 1 linecolor rgb '#000000' linewidth 2 pointtype 7 pointsize 1 title '32 threads per block' noenhanced, \
  $panel3_1 with linespoints dashtype 1 linecolor rgb '#e69f00' linewidth 2 pointtype 7 pointsize 1 title '64 threads per block' noenhanced, \
  $panel3_2 with linespoints dashtype 1 linecolor rgb '#56b4e9' linewidth 2 pointtype 7 pointsize 1 title '128 threads per block' noenhanced, \
  $panel3_3 with linespoints dashtype 1 linecolor rgb '#009e73' linewidth 2 pointtype 7 pointsize 1 title '256 threads per block' noenhanced, \
  $panel3_4 with linespoints dashtype 1 linecolor rgb '#d55e00' linewidth 2 pointtype 7 pointsize 1 title '512 threads per block' noenhanced
unset multiplot
