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
set yrange [28.39822417237227:1504.8449446561103]
$panel0_0 << EOD
128 55.22890624205028
EOD
$panel0_1 << EOD
1 42.59733625855841
2 44.62405201497187
3 44.55579177229982
4 44.50284506931931
8 45.02645066616374
16 44.65445786860571
30 44.013430482761734
31 44.017126563093846
32 44.12084523157917
33 44.84543546170624
64 44.150568975069255
65 44.76502818628997
96 44.124559375249795
127 43.84412017326681
128 43.9986558052995
129 43.97098215039733
192 44.37853362349689
256 43.792850381635496
384 42.73448283785169
512 47.86269831383445
640 48.02931374609499
768 47.220392754364774
896 47.47695357591957
992 45.13887318235232
1023 44.072628552325945
1024 44.191503708476574
EOD
set title 'one thread per body' noenhanced
plot $panel0_0 with linespoints dashtype 1 linecolor rgb '#000000' linewidth 2 pointtype 7 pointsize 1 title 'cuda/managed' noenhanced, \
  $panel0_1 with linespoints dashtype 1 linecolor rgb '#e69f00' linewidth 2 pointtype 7 pointsize 1 title 'cuda/naive' noenhanced
set xlabel 'blocks that share the sources (stride)'
set xrange [0.8:80]
set yrange [28.39822417237227:1504.8449446561103]
$panel1_0 << EOD
1 86.77391726755809
2 168.256740595521
4 313.75702523052956
8 547.5592714930341
16 834.853522340378
32 923.0422626503687
64 892.7850306784353
EOD
$panel1_1 << EOD
1 94.80795319494779
2 182.48799225874558
4 338.3594619073221
8 593.0021341047913
16 873.5221494734111
32 955.3352980619428
64 1003.2299631040735
EOD
$panel1_2 << EOD
1 99.22179813307409
2 190.09717671607805
4 353.7705821127854
8 612.8439545299163
16 903.3218537416167
32 980.3440153973179
64 773.8568513117681
EOD
$panel1_3 << EOD
1 97.81492837526463
2 187.3126188378588
4 347.55585908802743
8 622.115682137552
16 900.5290133232749
32 719.6815201859922
64 655.5648821465685
EOD
$panel1_4 << EOD
1 83.84583556657562
2 161.39387133172127
4 298.99515864753056
8 539.9464354497032
16 536.8136594394665
32 515.0176865184457
64 477.85630851378494
EOD
$panel1_5 << EOD
1 55.14757288172488
2 107.41405127813324
4 203.80486589228246
8 202.70172797298466
16 202.23258884276018
32 200.6844030013049
64 192.75294192093057
EOD
set title 'several blocks per block of bodies' noenhanced
plot $panel1_0 with linespoints dashtype 1 linecolor rgb '#000000' linewidth 2 pointtype 7 pointsize 1 title '32 threads per block' noenhanced, \
  $panel1_1 with linespoints dashtype 1 linecolor rgb '#e69f00' linewidth 2 pointtype 7 pointsize 1 title '64 threads per block' noenhanced, \
  $panel1_2 with linespoints dashtype 1 linecolor rgb '#56b4e9' linewidth 2 pointtype 7 pointsize 1 title '128 threads per block' noenhanced, \
  $panel1_3 with linespoints dashtype 1 linecolor rgb '#009e73' linewidth 2 pointtype 7 pointsize 1 title '256 threads per block' noenhanced, \
  $panel1_4 with linespoints dashtype 1 linecolor rgb '#d55e00' linewidth 2 pointtype 7 pointsize 1 title '512 threads per block' noenhanced, \
  $panel1_5 with linespoints dashtype 1 linecolor rgb '#0072b2' linewidth 2 pointtype 7 pointsize 1 title '1024 threads per block' noenhanced
unset multiplot
