# Draws block-stride: gnuplot block-stride.gp
set terminal unknown
if (strstrt(GPVAL_TERMINALS, 'pngcairo') > 0) { set terminal pngcairo size 1120,696 font 'sans,11' } else { set terminal png size 1120,696 }
set output 'block-stride.png'
set logscale x 4
set logscale y
set grid
set key below height 2
set ylabel '10^9 interactions per second'
set format x '%.0f'
set format y '%g'
set multiplot layout 1,2 title 'Block and stride, N = 4096' noenhanced
set xlabel 'threads per block'
set xrange [0.8:1280]
set yrange [28.338359355158527:1505.4210764886398]
$panel0_0 << EOD
128 50.609392007267544
EOD
$panel0_1 << EOD
1 42.50753903273779
2 44.51796035693388
3 44.52552009096606
4 44.552004679825586
8 45.123333387943994
16 44.7841445755384
30 44.06522181111732
31 44.06151764967901
32 44.1357020988676
33 44.787971238101456
64 44.11341881972965
65 44.76120544304191
96 44.243711739349145
127 44.39356457060565
128 44.34850224403772
129 44.1357020988676
192 44.30727627313182
256 43.708879306517716
384 42.68403427592397
512 47.25018135202022
640 47.05088453257411
768 47.07200746105904
896 46.70093117087793
992 44.92228539114008
1023 43.961764188695675
1024 43.811148712251125
EOD
set title 'one thread per body' noenhanced
plot $panel0_0 with linespoints dashtype 1 linecolor rgb '#000000' linewidth 2 pointtype 7 pointsize 1 title 'cuda/managed' noenhanced, \
  $panel0_1 with linespoints dashtype 1 linecolor rgb '#e69f00' linewidth 2 pointtype 7 pointsize 1 title 'cuda/naive' noenhanced
set xlabel 'blocks that share the sources (stride)'
set xrange [0.8:80]
set yrange [28.338359355158527:1505.4210764886398]
$panel1_0 << EOD
1 86.60191612178943
2 167.71848717623416
4 311.33491369922785
8 540.967838024807
16 805.0487384459241
32 912.7576656511598
64 908.0152102380188
EOD
$panel1_1 << EOD
1 94.77367674106337
2 181.44592492670188
4 335.97436545596696
8 578.68433218986
16 858.0818388991981
32 936.6466954418221
64 1003.6140509924264
EOD
$panel1_2 << EOD
1 99.16550069401094
2 190.37327416063863
4 350.8703435084128
8 602.8608487614413
16 881.7490591955448
32 970.1850174973034
64 757.6416487893431
EOD
$panel1_3 << EOD
1 97.90625528261414
2 186.9786066235876
4 345.6084317667323
8 619.542700985537
16 893.4696692794042
32 721.9111873113304
64 647.6689363034168
EOD
$panel1_4 << EOD
1 83.67187711674848
2 161.31938128698232
4 298.48448838699966
8 535.5342163977099
16 531.1935225315543
32 505.2566728684343
64 473.3265229531744
EOD
$panel1_5 << EOD
1 55.031806267429864
2 107.08496671535922
4 201.26218461148102
8 201.88217296217132
16 202.42780462589087
32 199.8239151376787
64 191.80098943742274
EOD
set title 'several blocks per block of bodies' noenhanced
plot $panel1_0 with linespoints dashtype 1 linecolor rgb '#000000' linewidth 2 pointtype 7 pointsize 1 title '32 threads per block' noenhanced, \
  $panel1_1 with linespoints dashtype 1 linecolor rgb '#e69f00' linewidth 2 pointtype 7 pointsize 1 title '64 threads per block' noenhanced, \
  $panel1_2 with linespoints dashtype 1 linecolor rgb '#56b4e9' linewidth 2 pointtype 7 pointsize 1 title '128 threads per block' noenhanced, \
  $panel1_3 with linespoints dashtype 1 linecolor rgb '#009e73' linewidth 2 pointtype 7 pointsize 1 title '256 threads per block' noenhanced, \
  $panel1_4 with linespoints dashtype 1 linecolor rgb '#d55e00' linewidth 2 pointtype 7 pointsize 1 title '512 threads per block' noenhanced, \
  $panel1_5 with linespoints dashtype 1 linecolor rgb '#0072b2' linewidth 2 pointtype 7 pointsize 1 title '1024 threads per block' noenhanced
unset multiplot
