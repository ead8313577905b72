;; The loop of dot-products.ts: dot products of rows of 32-bit floats with a vector.
(module
  (memory (export "memory") 1 65536)
  ;; out[i] (f32) = rows[i] . vector for $count rows of $width floats each, one behind the other. $width is a multiple of 8.
  (func (export "dots") (param $rows i32) (param $count i32) (param $width i32) (param $vector i32) (param $out i32)
    (local $end i32) (local $rowEnd i32) (local $at i32) (local $even v128) (local $odd v128)
    (local.set $end (i32.add (local.get $out) (i32.shl (local.get $count) (i32.const 2))))
    (block $done (loop $row
      (br_if $done (i32.ge_u (local.get $out) (local.get $end)))
      (local.set $even (v128.const f32x4 0 0 0 0))
      (local.set $odd (v128.const f32x4 0 0 0 0))
      (local.set $at (local.get $vector))
      (local.set $rowEnd (i32.add (local.get $rows) (i32.shl (local.get $width) (i32.const 2))))
      (loop $part
        (local.set $even (f32x4.add (local.get $even) (f32x4.mul (v128.load (local.get $rows)) (v128.load (local.get $at)))))
        (local.set $odd (f32x4.add (local.get $odd) (f32x4.mul (v128.load offset=16 (local.get $rows)) (v128.load offset=16 (local.get $at)))))
        (local.set $rows (i32.add (local.get $rows) (i32.const 32)))
        (local.set $at (i32.add (local.get $at) (i32.const 32)))
        (br_if $part (i32.lt_u (local.get $rows) (local.get $rowEnd))))
      (local.set $even (f32x4.add (local.get $even) (local.get $odd)))
      (f32.store (local.get $out)
        (f32.add
          (f32.add (f32x4.extract_lane 0 (local.get $even)) (f32x4.extract_lane 1 (local.get $even)))
          (f32.add (f32x4.extract_lane 2 (local.get $even)) (f32x4.extract_lane 3 (local.get $even)))))
      (local.set $out (i32.add (local.get $out) (i32.const 4)))
      (br $row))))
)
