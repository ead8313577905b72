;; The inner loops of resize.ts, with WebAssembly's 128-bit vectors. resize.wasm is this file assembled, by
;; `node_modules/.bin/wat2wasm resize.wat -o resize.wasm`; a test compares the two.
;;
;; Pointers, lengths and strides are in bytes. Pixels are three bytes. Where things lie is the caller's affair; loops run
;; in whole vectors, so a kernel reads, and writes, at most 32 bytes past the end of an area. Every count is at least 1.
(module
  ;; At most 16 MiB: what a picture of the longest legal side needs for a result as long is 6.
  (memory (export "memory") 1 256)

  ;; Adds up `rows` rows of `bytes` bytes, one below the other: a sum of 16 bits for each byte of a row. 257 rows of 255
  ;; fit. Sixteen columns at a time.
  (func (export "rows") (param $src i32) (param $stride i32) (param $rows i32) (param $bytes i32) (param $sums i32)
    (local $end i32) (local $at i32) (local $left i32) (local $low v128) (local $high v128) (local $sixteen v128)
    (local.set $end (i32.add (local.get $src) (local.get $bytes)))
    (loop $columns
      (local.set $low (v128.const i32x4 0 0 0 0))
      (local.set $high (v128.const i32x4 0 0 0 0))
      (local.set $at (local.get $src))
      (local.set $left (local.get $rows))
      (loop $row
        (local.set $sixteen (v128.load align=1 (local.get $at)))
        (local.set $low (i16x8.add (local.get $low) (i16x8.extend_low_i8x16_u (local.get $sixteen))))
        (local.set $high (i16x8.add (local.get $high) (i16x8.extend_high_i8x16_u (local.get $sixteen))))
        (local.set $at (i32.add (local.get $at) (local.get $stride)))
        (br_if $row (local.tee $left (i32.sub (local.get $left) (i32.const 1)))))
      (v128.store (local.get $sums) (local.get $low))
      (v128.store offset=16 (local.get $sums) (local.get $high))
      (local.set $sums (i32.add (local.get $sums) (i32.const 32)))
      (br_if $columns (i32.lt_u (local.tee $src (i32.add (local.get $src) (i32.const 16))) (local.get $end)))))

  ;; Adds up the sums of `rows`, `across` neighbouring pixels at a time (fewer at the end), onto `totals`: four numbers of
  ;; 32 bits for each box of pixels, of which the last means nothing.
  (func (export "columns") (param $sums i32) (param $bytes i32) (param $across i32) (param $totals i32)
    (local $end i32) (local $last i32) (local $box i32) (local $total v128)
    (local.set $end (i32.add (local.get $sums) (local.get $bytes)))
    (local.set $box (i32.mul (local.get $across) (i32.const 6)))
    (loop $boxes
      (local.set $total (v128.load (local.get $totals)))
      (local.set $last (i32.add (local.get $sums) (local.get $box)))
      (if (i32.gt_u (local.get $last) (local.get $end)) (then (local.set $last (local.get $end))))
      (loop $pixel
        (local.set $total (i32x4.add (local.get $total) (v128.load16x4_u align=1 (local.get $sums))))
        (br_if $pixel (i32.lt_u (local.tee $sums (i32.add (local.get $sums) (i32.const 6))) (local.get $last))))
      (v128.store (local.get $totals) (local.get $total))
      (local.set $totals (i32.add (local.get $totals) (i32.const 16)))
      (br_if $boxes (i32.lt_u (local.get $sums) (local.get $end)))))

  ;; The totals of `count` boxes times `share`, rounded half up: pixels. In floats of 64 bits, as JavaScript has them. A
  ;; total becomes one by taking it for the last bits of 2^52, and its byte is found there again.
  (func (export "means") (param $totals i32) (param $count i32) (param $share f64) (param $out i32)
    (local $shares v128) (local $half v128) (local $whole v128) (local $redGreen v128) (local $blue v128)
    (local.set $shares (f64x2.splat (local.get $share)))
    (local.set $half (f64x2.splat (f64.const 0.5)))
    (local.set $whole (f64x2.splat (f64.const 0x1p52)))
    (loop $boxes
      (local.set $redGreen (f64x2.sub (v128.or (v128.load32x2_u (local.get $totals)) (local.get $whole)) (local.get $whole)))
      (local.set $blue (f64x2.sub (v128.or (v128.load32x2_u offset=8 (local.get $totals)) (local.get $whole)) (local.get $whole)))
      (local.set $redGreen (f64x2.floor (f64x2.add (f64x2.mul (local.get $redGreen) (local.get $shares)) (local.get $half))))
      (local.set $blue (f64x2.floor (f64x2.add (f64x2.mul (local.get $blue) (local.get $shares)) (local.get $half))))
      (local.set $redGreen (f64x2.add (local.get $redGreen) (local.get $whole)))
      (v128.store8_lane 0 (local.get $out) (local.get $redGreen))
      (v128.store8_lane offset=1 8 (local.get $out) (local.get $redGreen))
      (v128.store8_lane offset=2 0 (local.get $out) (f64x2.add (local.get $blue) (local.get $whole)))
      (local.set $totals (i32.add (local.get $totals) (i32.const 16)))
      (local.set $out (i32.add (local.get $out) (i32.const 3)))
      (br_if $boxes (local.tee $count (i32.sub (local.get $count) (i32.const 1))))))

  ;; One row filtered to `count` pixels. Each is made of the pixels of the row from `first` on (bytes), as many as `taps`
  ;; says: words of 32 bits, one a pixel. Their weights begin every `stride` bytes, and have 22 bits behind the point.
  (func (export "across")
    (param $row i32) (param $first i32) (param $taps i32) (param $weights i32) (param $stride i32) (param $count i32) (param $out i32)
    (local $left i32) (local $at i32) (local $weight i32) (local $sum v128)
    (loop $pixels
      (local.set $sum (i32x4.splat (i32.const 0x200000)))
      (local.set $at (i32.add (local.get $row) (i32.load (local.get $first))))
      (local.set $left (i32.load (local.get $taps)))
      (local.set $weight (local.get $weights))
      (loop $tap
        (local.set $sum (i32x4.add (local.get $sum) (i32x4.mul
          (v128.load32_splat (local.get $weight))
          (i32x4.extend_low_i16x8_u (v128.load8x8_u align=1 (local.get $at))))))
        (local.set $at (i32.add (local.get $at) (i32.const 3)))
        (local.set $weight (i32.add (local.get $weight) (i32.const 4)))
        (br_if $tap (local.tee $left (i32.sub (local.get $left) (i32.const 1)))))
      (local.set $sum (i32x4.shr_s (local.get $sum) (i32.const 22)))
      (local.set $sum (i16x8.narrow_i32x4_s (local.get $sum) (local.get $sum)))
      (v128.store32_lane align=1 0 (local.get $out) (i8x16.narrow_i16x8_u (local.get $sum) (local.get $sum)))
      (local.set $out (i32.add (local.get $out) (i32.const 3)))
      (local.set $first (i32.add (local.get $first) (i32.const 4)))
      (local.set $taps (i32.add (local.get $taps) (i32.const 4)))
      (local.set $weights (i32.add (local.get $weights) (local.get $stride)))
      (br_if $pixels (local.tee $count (i32.sub (local.get $count) (i32.const 1))))))

  ;; `taps` rows of `stride` bytes, one below the other, filtered to one. Eight columns at a time.
  (func (export "down") (param $src i32) (param $stride i32) (param $weights i32) (param $taps i32) (param $out i32)
    (local $end i32) (local $at i32) (local $weight i32) (local $left i32)
    (local $low v128) (local $high v128) (local $eight v128) (local $times v128)
    (local.set $end (i32.add (local.get $src) (local.get $stride)))
    (loop $columns
      (local.set $low (i32x4.splat (i32.const 0x200000)))
      (local.set $high (local.get $low))
      (local.set $at (local.get $src))
      (local.set $weight (local.get $weights))
      (local.set $left (local.get $taps))
      (loop $tap
        (local.set $eight (v128.load8x8_u align=1 (local.get $at)))
        (local.set $times (v128.load32_splat (local.get $weight)))
        (local.set $low (i32x4.add (local.get $low) (i32x4.mul (local.get $times) (i32x4.extend_low_i16x8_u (local.get $eight)))))
        (local.set $high (i32x4.add (local.get $high) (i32x4.mul (local.get $times) (i32x4.extend_high_i16x8_u (local.get $eight)))))
        (local.set $at (i32.add (local.get $at) (local.get $stride)))
        (local.set $weight (i32.add (local.get $weight) (i32.const 4)))
        (br_if $tap (local.tee $left (i32.sub (local.get $left) (i32.const 1)))))
      (local.set $eight (i16x8.narrow_i32x4_s
        (i32x4.shr_s (local.get $low) (i32.const 22))
        (i32x4.shr_s (local.get $high) (i32.const 22))))
      (v128.store64_lane align=1 0 (local.get $out) (i8x16.narrow_i16x8_u (local.get $eight) (local.get $eight)))
      (local.set $out (i32.add (local.get $out) (i32.const 8)))
      (br_if $columns (i32.lt_u (local.tee $src (i32.add (local.get $src) (i32.const 8))) (local.get $end)))))
)
