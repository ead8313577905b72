;; The inner loop of a scan over vectors (vector-codes.ts): dot products of rows of 8-bit integers with a query of 16-bit ones.
(module
  (memory (export "memory") 1 65536)
  ;; out[i] (i32) = rows[i] . query for $count rows of $dims int8 each, one behind the other. $dims is a multiple of 16, and the
  ;; query's $dims int16 are small enough that no sum leaves 32 bits.
  (func (export "dots") (param $rows i32) (param $count i32) (param $dims i32) (param $query i32) (param $out i32)
    (local $end i32) (local $rowEnd i32) (local $at i32) (local $low v128) (local $high v128) (local $values v128)
    (local.set $end (i32.add (local.get $out) (i32.shl (local.get $count) (i32.const 2))))
    (block $done (loop $row
      (br_if $done (i32.ge_u (local.get $out) (local.get $end)))
      (local.set $low (v128.const i32x4 0 0 0 0))
      (local.set $high (v128.const i32x4 0 0 0 0))
      (local.set $at (local.get $query))
      (local.set $rowEnd (i32.add (local.get $rows) (local.get $dims)))
      (loop $part
        (local.set $values (v128.load (local.get $rows)))
        (local.set $low (i32x4.add (local.get $low)
          (i32x4.dot_i16x8_s (i16x8.extend_low_i8x16_s (local.get $values)) (v128.load (local.get $at)))))
        (local.set $high (i32x4.add (local.get $high)
          (i32x4.dot_i16x8_s (i16x8.extend_high_i8x16_s (local.get $values)) (v128.load offset=16 (local.get $at)))))
        (local.set $rows (i32.add (local.get $rows) (i32.const 16)))
        (local.set $at (i32.add (local.get $at) (i32.const 32)))
        (br_if $part (i32.lt_u (local.get $rows) (local.get $rowEnd))))
      (local.set $low (i32x4.add (local.get $low) (local.get $high)))
      (i32.store (local.get $out)
        (i32.add
          (i32.add (i32x4.extract_lane 0 (local.get $low)) (i32x4.extract_lane 1 (local.get $low)))
          (i32.add (i32x4.extract_lane 2 (local.get $low)) (i32x4.extract_lane 3 (local.get $low)))))
      (local.set $out (i32.add (local.get $out) (i32.const 4)))
      (br $row))))
)
