# Draws damping-fps: gnuplot damping-fps.gp
set terminal unknown
if (strstrt(GPVAL_TERMINALS, 'pngcairo') > 0) { set terminal pngcairo size 1120,760 font 'sans,11' } else { set terminal png size 1120,760 }
set output 'damping-fps.png'
set logscale x 4
set logscale y
set grid
set key below height 2
set ylabel 'steps per second'
set format x '%.0f'
set format y '%g'
set multiplot layout 1,2 title 'Damped system: steps per second' noenhanced
set xlabel 'bodies'
set xrange [204.8:40960]
set yrange [0.9333333333333332:1644138.2617519493]
$panel0_0 << EOD
256 3439.814331184236
512 843.8965959902142
1024 204.539534463829
2048 52.19597687294394
4096 13.50559658754631
8192 3.2538863784396237
EOD
$panel0_1 << EOD
256 3413.79688143254
512 826.7452992466972
1024 149.9175287220137
2048 53.555061283993844
4096 13.173534408893136
8192 3.1036057785042837
EOD
$panel0_2 << EOD
256 45288.63321647038
512 21915.897145441555
1024 10188.010582000054
2048 5249.143285933801
4096 2662.525367087926
8192 1332.0168355510725
12800 853.1428899324336
16384 668.0184978982663
25600 424.11067956715016
32768 331.432646020938
EOD
$panel0_3 << EOD
256 60458.24277881198
512 32376.518676888034
1024 15332.670434909998
2048 7824.856389902814
4096 4108.602286635976
8192 2067.7745984630183
12800 1319.5386117188318
16384 1021.8303522035425
25600 630.1094383293605
32768 482.87585908093615
EOD
$panel0_4 << EOD
256 58917.24600999637
512 31816.419260864808
1024 15023.124167823087
2048 7721.198213501329
4096 4070.943512206979
8192 2056.456893279571
12800 1295.9221446566232
16384 1008.980152672456
25600 628.8024624272508
32768 483.1558070428504
EOD
$panel0_5 << EOD
256 95394.35317597986
512 56340.74663483707
1024 30918.389702630306
2048 16454.660789096113
4096 8466.535381142996
8192 4302.140234208515
12800 2775.062583061819
16384 2172.439956022574
25600 1391.3408383644164
32768 1090.7894503988975
EOD
$panel0_6 << EOD
256 1096092.1745012996
512 590710.3869268408
1024 455097.76157677156
2048 262239.86650351796
4096 94113.1490039079
8192 35050.19262887603
12800 15435.101337771086
16384 11446.962199805652
25600 4643.0708251056285
32768 2972.5277926071935
EOD
$panel0_7 << EOD
256 1523.8
512 321
1024 89.6
2048 21.9
4096 5.56
8192 1.4
EOD
$panel0_8 << EOD
256 3210
512 2419
1024 1729.6
2048 946.9
4096 375.3
8192 94.9
12800 39.1
16384 25.8
25600 10.44
32768 6.6
EOD
$panel0_9 << EOD
512 2790.19
1024 2140.02
2048 1145.73
4096 315.47
8192 96.2
12800 42.8
16384 26.34
25600 11.17
32768 6.87
EOD
set title '' noenhanced
plot $panel0_0 with linespoints dashtype 1 linecolor rgb '#000000' linewidth 2 pointtype 7 pointsize 1 title 'serial loop' noenhanced, \
  $panel0_1 with linespoints dashtype 1 linecolor rgb '#e69f00' linewidth 2 pointtype 7 pointsize 1 title 'state on the stack' noenhanced, \
  $panel0_2 with linespoints dashtype 1 linecolor rgb '#56b4e9' linewidth 2 pointtype 7 pointsize 1 title 'one thread per body, separate accelerations' noenhanced, \
  $panel0_3 with linespoints dashtype 1 linecolor rgb '#009e73' linewidth 2 pointtype 7 pointsize 1 title 'one thread per body, separate accelerations, loads together' noenhanced, \
  $panel0_4 with linespoints dashtype 1 linecolor rgb '#d55e00' linewidth 2 pointtype 7 pointsize 1 title 'one thread per body' noenhanced, \
  $panel0_5 with linespoints dashtype 1 linecolor rgb '#0072b2' linewidth 2 pointtype 7 pointsize 1 title 'shared tiles' noenhanced, \
  $panel0_6 with linespoints dashtype 1 linecolor rgb '#cc79a7' linewidth 2 pointtype 7 pointsize 1 title 'Pleiad''s choice' noenhanced, \
  $panel0_7 with linespoints dashtype 2 linecolor rgb '#000000' linewidth 2 pointtype 7 pointsize 1 title 'Core i5-4210M: serial loop' noenhanced, \
  $panel0_8 with linespoints dashtype 2 linecolor rgb '#d55e00' linewidth 2 pointtype 7 pointsize 1 title 'GeForce 840M: one thread per body' noenhanced, \
  $panel0_9 with linespoints dashtype 2 linecolor rgb '#0072b2' linewidth 2 pointtype 7 pointsize 1 title 'GeForce 840M: shared tiles' noenhanced, \
  3.2538863784396237 * (x / 8192)**-2 with lines dashtype 3 linecolor rgb '#808080' linewidth 2 title 'slope -2'
set xlabel 'threads per block'
set xrange [6.4:1280]
set yrange [0.9333333333333332:1644138.2617519493]
$panel1_0 << EOD
8 954.1144405750645
16 973.8195610343997
32 1012.5624325284392
64 1008.8087498690651
128 987.4046360804763
256 938.5164407417919
512 929.7239923811404
1024 691.925376924427
EOD
$panel1_1 << EOD
8 897.7991607886473
16 1487.669924852456
32 1880.7717690691973
64 2143.609255253916
128 2277.64747140199
256 2171.958716477989
512 1599.3587978656303
1024 886.3994290574649
EOD
$panel1_2 << EOD
8 6.2
16 12.3
32 22.9
64 25.8
128 25.8
256 25.4
512 25.1
1024 23.3
EOD
$panel1_3 << EOD
8 5.74
16 12.51
32 25.19
64 25.77
128 26.26
256 26.38
512 26.25
1024 23.56
EOD
set title 'N = 16384' noenhanced
plot $panel1_0 with linespoints dashtype 1 linecolor rgb '#000000' linewidth 2 pointtype 7 pointsize 1 title 'one thread per body' noenhanced, \
  $panel1_1 with linespoints dashtype 1 linecolor rgb '#e69f00' linewidth 2 pointtype 7 pointsize 1 title 'shared tiles' noenhanced, \
  $panel1_2 with linespoints dashtype 2 linecolor rgb '#000000' linewidth 2 pointtype 7 pointsize 1 title 'GeForce 840M: one thread per body' noenhanced, \
  $panel1_3 with linespoints dashtype 2 linecolor rgb '#e69f00' linewidth 2 pointtype 7 pointsize 1 title 'GeForce 840M: shared tiles' noenhanced
unset multiplot
