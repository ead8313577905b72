;; The inner loops of a search over vectors (vector-codes.ts). Rows stand in blocks of 4,096, and have numbers over all blocks.
(module
  (memory (export "memory") 1 65536)

  ;; The rough distances (u16, from 0 to $farthest) of $groups times 16 rows to $count queries.
  ;; The signs of 16 rows stand together: the first byte of each, the second of each, and so on, $columns (a multiple of 4) in all. The
  ;; factors (Q15) and terms (i16) of these rows follow. $queries has 64 bytes for each query: the address of its tables, how far behind
  ;; $out its distances begin, $even, $shift, $unit (Q15) and $scale (i32 each), and from 24 on room, that for the steps of 16 rows among it.
  ;; The tables tell what half a byte of signs adds to a row's steps from the query: 16 bytes, each below 32, for the lower halves of
  ;; the first bytes, 16 for their upper halves, and so on. Then the distance of row i is
  ;; $farthest / 2 - ((($even - steps[i]) << $shift) * factor[i] * $unit << $scale) - term[i].
  (func (export "estimate") (param $signs i32) (param $groups i32) (param $columns i32) (param $queries i32) (param $count i32)
    (param $farthest i32) (param $out i32)
    (local $end i32) (local $groupEnd i32) (local $bytes i32) (local $column i32) (local $asked i32) (local $askedEnd i32) (local $touched i32)
    (local $query i32) (local $queriesEnd i32) (local $table i32) (local $distances i32)
    (local $half v128) (local $sixteenth v128) (local $sum v128)
    (local $l0 v128) (local $u0 v128) (local $l1 v128) (local $u1 v128) (local $l2 v128) (local $u2 v128) (local $l3 v128) (local $u3 v128)
    (local.set $half (i8x16.splat (i32.const 15)))
    ;; In Q15. To multiply by it takes JavaScriptCore one instruction, to shift by 4 it takes three.
    (local.set $sixteenth (i16x8.splat (i32.const 2048)))
    (local.set $bytes (i32.shl (local.get $columns) (i32.const 4)))
    (local.set $queriesEnd (i32.add (local.get $queries) (i32.shl (local.get $count) (i32.const 6))))
    (local.set $end (i32.add (local.get $signs) (i32.mul (local.get $groups) (i32.add (local.get $bytes) (i32.const 64)))))
    (local.set $asked (local.get $signs))
    (block $done (loop $group
      (br_if $done (i32.ge_u (local.get $signs) (local.get $end)))
      (if (i32.ge_u (local.get $signs) (local.get $asked)) (then
        ;; All lines of the next 1,536 bytes are read first, so that they come from memory at once. The last may lie behind the signs.
        (local.set $askedEnd (i32.add (local.get $asked) (i32.const 1536)))
        (loop $line
          (local.set $touched (i32.or (local.get $touched) (i32.or
            (i32.or (i32.load (local.get $asked)) (i32.load offset=64 (local.get $asked)))
            (i32.or (i32.load offset=128 (local.get $asked)) (i32.load offset=192 (local.get $asked))))))
          (br_if $line (i32.lt_u (local.tee $asked (i32.add (local.get $asked) (i32.const 256))) (local.get $askedEnd))))
        (i32.store offset=24 (local.get $queries) (local.get $touched))))
      (local.set $query (local.get $queries))
      (loop $each
        (v128.store offset=32 (local.get $query) (v128.const i32x4 0 0 0 0))
        (v128.store offset=48 (local.get $query) (v128.const i32x4 0 0 0 0))
        (br_if $each (i32.lt_u (local.tee $query (i32.add (local.get $query) (i32.const 64))) (local.get $queriesEnd))))
      (local.set $column (i32.const 0))
      (local.set $groupEnd (i32.add (local.get $signs) (local.get $bytes)))
      (loop $four
        (local.set $u0 (v128.load (local.get $signs)))
        (local.set $l0 (v128.and (local.get $u0) (local.get $half)))
        (local.set $u0 (v128.and (i16x8.relaxed_q15mulr_s (v128.andnot (local.get $u0) (local.get $half)) (local.get $sixteenth)) (local.get $half)))
        (local.set $u1 (v128.load offset=16 (local.get $signs)))
        (local.set $l1 (v128.and (local.get $u1) (local.get $half)))
        (local.set $u1 (v128.and (i16x8.relaxed_q15mulr_s (v128.andnot (local.get $u1) (local.get $half)) (local.get $sixteenth)) (local.get $half)))
        (local.set $u2 (v128.load offset=32 (local.get $signs)))
        (local.set $l2 (v128.and (local.get $u2) (local.get $half)))
        (local.set $u2 (v128.and (i16x8.relaxed_q15mulr_s (v128.andnot (local.get $u2) (local.get $half)) (local.get $sixteenth)) (local.get $half)))
        (local.set $u3 (v128.load offset=48 (local.get $signs)))
        (local.set $l3 (v128.and (local.get $u3) (local.get $half)))
        (local.set $u3 (v128.and (i16x8.relaxed_q15mulr_s (v128.andnot (local.get $u3) (local.get $half)) (local.get $sixteenth)) (local.get $half)))
        (local.set $query (local.get $queries))
        (loop $each
          (local.set $table (i32.add (i32.load (local.get $query)) (local.get $column)))
          (local.set $sum (i8x16.add
            (i8x16.add
              (i8x16.add (i8x16.relaxed_swizzle (v128.load (local.get $table)) (local.get $l0)) (i8x16.relaxed_swizzle (v128.load offset=16 (local.get $table)) (local.get $u0)))
              (i8x16.add (i8x16.relaxed_swizzle (v128.load offset=32 (local.get $table)) (local.get $l1)) (i8x16.relaxed_swizzle (v128.load offset=48 (local.get $table)) (local.get $u1))))
            (i8x16.add
              (i8x16.add (i8x16.relaxed_swizzle (v128.load offset=64 (local.get $table)) (local.get $l2)) (i8x16.relaxed_swizzle (v128.load offset=80 (local.get $table)) (local.get $u2)))
              (i8x16.add (i8x16.relaxed_swizzle (v128.load offset=96 (local.get $table)) (local.get $l3)) (i8x16.relaxed_swizzle (v128.load offset=112 (local.get $table)) (local.get $u3))))))
          (v128.store offset=32 (local.get $query) (i16x8.add (v128.load offset=32 (local.get $query)) (i16x8.extend_low_i8x16_u (local.get $sum))))
          (v128.store offset=48 (local.get $query) (i16x8.add (v128.load offset=48 (local.get $query)) (i16x8.extend_high_i8x16_u (local.get $sum))))
          (br_if $each (i32.lt_u (local.tee $query (i32.add (local.get $query) (i32.const 64))) (local.get $queriesEnd))))
        (local.set $column (i32.add (local.get $column) (i32.const 128)))
        (local.set $signs (i32.add (local.get $signs) (i32.const 64)))
        (br_if $four (i32.lt_u (local.get $signs) (local.get $groupEnd))))
      (local.set $query (local.get $queries))
      (loop $each
        (local.set $distances (i32.add (local.get $out) (i32.load offset=4 (local.get $query))))
        (v128.store (local.get $distances) (call $rough (local.get $query) (v128.load offset=32 (local.get $query))
          (v128.load (local.get $signs)) (v128.load offset=32 (local.get $signs)) (local.get $farthest)))
        (v128.store offset=16 (local.get $distances) (call $rough (local.get $query) (v128.load offset=48 (local.get $query))
          (v128.load offset=16 (local.get $signs)) (v128.load offset=48 (local.get $signs)) (local.get $farthest)))
        (br_if $each (i32.lt_u (local.tee $query (i32.add (local.get $query) (i32.const 64))) (local.get $queriesEnd))))
      (local.set $out (i32.add (local.get $out) (i32.const 32)))
      (local.set $signs (i32.add (local.get $signs) (i32.const 64)))
      (br $group))))

  ;; As estimate tells it, of 8 rows.
  (func $rough (param $query i32) (param $steps v128) (param $factors v128) (param $terms v128) (param $farthest i32) (result v128)
    (i16x8.max_s (v128.const i32x4 0 0 0 0) (i16x8.min_s (i16x8.splat (local.get $farthest))
      (i16x8.sub (i16x8.splat (i32.shr_u (local.get $farthest) (i32.const 1)))
        (i16x8.add (local.get $terms) (i16x8.shl
          (i16x8.relaxed_q15mulr_s
            (i16x8.relaxed_q15mulr_s
              (i16x8.shl (i16x8.sub (i16x8.splat (i32.load offset=8 (local.get $query))) (local.get $steps)) (i32.load offset=12 (local.get $query)))
              (local.get $factors))
            (i16x8.splat (i32.load offset=16 (local.get $query))))
          (i32.load offset=20 (local.get $query))))))))

  ;; Whether a row is allowed: $classes (u32 a row) leads into $allowed (u8 a class), and $mask, unless 0, has a byte for the row.
  (func $passes (param $row i32) (param $classes i32) (param $allowed i32) (param $mask i32) (result i32)
    (if (i32.eqz (i32.load8_u (i32.add (local.get $allowed)
          (i32.load (i32.add (local.get $classes) (i32.shl (local.get $row) (i32.const 2)))))))
      (then (return (i32.const 0))))
    (if (i32.eqz (local.get $mask)) (then (return (i32.const 1))))
    (i32.load8_u (i32.add (local.get $mask) (local.get $row))))

  ;; The rows among the next 8 whose distance is at most $cut, as bits.
  (func $near (param $distances i32) (param $cut i32) (result i32)
    (i16x8.bitmask (i16x8.le_u (v128.load (local.get $distances)) (i16x8.splat (local.get $cut)))))

  ;; Counts rows that are allowed by their distance in $histogram (u32 a distance), beginning with those that earlier blocks left
  ;; there, whose number is in $state[0]. Distances above $state[1] are left out, which falls so that at least $wanted rows are counted up to it.
  ;; $count is a multiple of 8.
  (func (export "tally") (param $distances i32) (param $count i32) (param $classes i32) (param $allowed i32) (param $mask i32)
    (param $wanted i32) (param $histogram i32) (param $state i32)
    (local $from i32) (local $bits i32) (local $row i32) (local $seen i32) (local $cut i32) (local $distance i32) (local $at i32)
    (local.set $seen (i32.load (local.get $state)))
    (local.set $cut (i32.load offset=4 (local.get $state)))
    (block $done (loop $eight
      (br_if $done (i32.ge_u (local.get $from) (local.get $count)))
      (local.set $bits (call $near (i32.add (local.get $distances) (i32.shl (local.get $from) (i32.const 1))) (local.get $cut)))
      (block $none (loop $one
        (br_if $none (i32.eqz (local.get $bits)))
        (local.set $row (i32.add (local.get $from) (i32.ctz (local.get $bits))))
        (local.set $bits (i32.and (local.get $bits) (i32.sub (local.get $bits) (i32.const 1))))
        (local.set $distance (i32.load16_u (i32.add (local.get $distances) (i32.shl (local.get $row) (i32.const 1)))))
        ;; The cut may have fallen since these 8 were compared with it.
        (br_if $one (i32.gt_u (local.get $distance) (local.get $cut)))
        (br_if $one (i32.eqz (call $passes (local.get $row) (local.get $classes) (local.get $allowed) (local.get $mask))))
        (local.set $at (i32.add (local.get $histogram) (i32.shl (local.get $distance) (i32.const 2))))
        (i32.store (local.get $at) (i32.add (i32.load (local.get $at)) (i32.const 1)))
        (local.set $seen (i32.add (local.get $seen) (i32.const 1)))
        (block $enough (loop $lower
          (local.set $at (i32.load (i32.add (local.get $histogram) (i32.shl (local.get $cut) (i32.const 2)))))
          (br_if $enough (i32.lt_s (i32.sub (local.get $seen) (local.get $at)) (local.get $wanted)))
          (local.set $seen (i32.sub (local.get $seen) (local.get $at)))
          (local.set $cut (i32.sub (local.get $cut) (i32.const 1)))
          (br $lower)))
        (br $one)))
      (local.set $from (i32.add (local.get $from) (i32.const 8)))
      (br $eight)))
    (i32.store (local.get $state) (local.get $seen))
    (i32.store offset=4 (local.get $state) (local.get $cut)))

  ;; Writes the numbers of rows that are allowed and at most $cut away to $out (u32 each), and returns how many. The first row has
  ;; the number $first; $count is a multiple of 8.
  (func (export "select") (param $distances i32) (param $count i32) (param $classes i32) (param $allowed i32) (param $mask i32)
    (param $cut i32) (param $first i32) (param $out i32) (result i32)
    (local $from i32) (local $bits i32) (local $row i32) (local $at i32)
    (local.set $at (local.get $out))
    (block $done (loop $eight
      (br_if $done (i32.ge_u (local.get $from) (local.get $count)))
      (local.set $bits (call $near (i32.add (local.get $distances) (i32.shl (local.get $from) (i32.const 1))) (local.get $cut)))
      (block $none (loop $one
        (br_if $none (i32.eqz (local.get $bits)))
        (local.set $row (i32.add (local.get $from) (i32.ctz (local.get $bits))))
        (local.set $bits (i32.and (local.get $bits) (i32.sub (local.get $bits) (i32.const 1))))
        (br_if $one (i32.eqz (call $passes (local.get $row) (local.get $classes) (local.get $allowed) (local.get $mask))))
        (i32.store (local.get $at) (i32.add (local.get $first) (local.get $row)))
        (local.set $at (i32.add (local.get $at) (i32.const 4)))
        (br $one)))
      (local.set $from (i32.add (local.get $from) (i32.const 8)))
      (br $eight)))
    (i32.shr_u (i32.sub (local.get $at) (local.get $out)) (i32.const 2)))

  ;; out[i] (f32) = row . query * scale of the row, of the $count rows whose numbers $list has. $blocks has the address of each
  ;; block's rows, which their scales (f32) follow. A row has $dims components of 12 bits, a multiple of 32: the upper 8 bits of all,
  ;; then the lower 4, two to a byte, whose upper half belongs to the component 16 further on. The query has $dims int16, so small
  ;; that no sum of $dims / 16 products leaves 32 bits.
  (func (export "dots") (param $list i32) (param $count i32) (param $blocks i32) (param $dims i32) (param $query i32) (param $out i32)
    (local $end i32) (local $at i32) (local $upper i32) (local $upperEnd i32) (local $lower i32) (local $q i32) (local $bytes i32)
    (local $block i32) (local $scales i32) (local $asked i32) (local $askedEnd i32) (local $touched i32)
    (local $u v128) (local $l v128) (local $a v128) (local $b v128) (local $c v128) (local $d v128)
    (local.set $bytes (i32.add (local.get $dims) (i32.shr_u (local.get $dims) (i32.const 1))))
    (local.set $scales (i32.shl (local.get $bytes) (i32.const 12)))
    (local.set $end (i32.add (local.get $list) (i32.shl (local.get $count) (i32.const 2))))
    (local.set $asked (local.get $list))
    (block $done (loop $row
      (br_if $done (i32.ge_u (local.get $list) (local.get $end)))
      (if (i32.eq (local.get $list) (local.get $asked)) (then
        ;; Rows lie apart: of the next 16 all lines of the cache are read, so that they come at once and not one after the other.
        (local.set $askedEnd (i32.add (local.get $asked) (i32.const 64)))
        (if (i32.gt_u (local.get $askedEnd) (local.get $end)) (then (local.set $askedEnd (local.get $end))))
        (loop $ask
          (local.set $at (i32.load (local.get $asked)))
          (local.set $upper (i32.add
            (i32.load (i32.add (local.get $blocks) (i32.shl (i32.shr_u (local.get $at) (i32.const 12)) (i32.const 2))))
            (i32.mul (i32.and (local.get $at) (i32.const 4095)) (local.get $bytes))))
          (local.set $upperEnd (i32.add (local.get $upper) (local.get $bytes)))
          (loop $line
            (local.set $touched (i32.or (local.get $touched) (i32.load (local.get $upper))))
            (br_if $line (i32.lt_u (local.tee $upper (i32.add (local.get $upper) (i32.const 64))) (local.get $upperEnd))))
          (br_if $ask (i32.lt_u (local.tee $asked (i32.add (local.get $asked) (i32.const 4))) (local.get $askedEnd))))
        (i32.store (local.get $out) (local.get $touched))))
      (local.set $at (i32.load (local.get $list)))
      (local.set $block (i32.load (i32.add (local.get $blocks) (i32.shl (i32.shr_u (local.get $at) (i32.const 12)) (i32.const 2)))))
      (local.set $at (i32.and (local.get $at) (i32.const 4095)))
      (local.set $upper (i32.add (local.get $block) (i32.mul (local.get $at) (local.get $bytes))))
      (local.set $upperEnd (i32.add (local.get $upper) (local.get $dims)))
      (local.set $lower (local.get $upperEnd))
      (local.set $q (local.get $query))
      (local.set $a (v128.const i32x4 0 0 0 0))
      (local.set $b (v128.const i32x4 0 0 0 0))
      (local.set $c (v128.const i32x4 0 0 0 0))
      (local.set $d (v128.const i32x4 0 0 0 0))
      (loop $part
        (local.set $u (v128.load (local.get $upper)))
        (local.set $l (v128.and (v128.load (local.get $lower)) (v128.const i32x4 0x0f0f0f0f 0x0f0f0f0f 0x0f0f0f0f 0x0f0f0f0f)))
        (local.set $a (i32x4.add (local.get $a) (i32x4.dot_i16x8_s (v128.load (local.get $q))
          (v128.or (i16x8.shl (i16x8.extend_low_i8x16_s (local.get $u)) (i32.const 4)) (i16x8.extend_low_i8x16_u (local.get $l))))))
        (local.set $b (i32x4.add (local.get $b) (i32x4.dot_i16x8_s (v128.load offset=16 (local.get $q))
          (v128.or (i16x8.shl (i16x8.extend_high_i8x16_s (local.get $u)) (i32.const 4)) (i16x8.extend_high_i8x16_u (local.get $l))))))
        (local.set $u (v128.load offset=16 (local.get $upper)))
        (local.set $l (v128.and (i16x8.shr_u (v128.load (local.get $lower)) (i32.const 4)) (v128.const i32x4 0x0f0f0f0f 0x0f0f0f0f 0x0f0f0f0f 0x0f0f0f0f)))
        (local.set $c (i32x4.add (local.get $c) (i32x4.dot_i16x8_s (v128.load offset=32 (local.get $q))
          (v128.or (i16x8.shl (i16x8.extend_low_i8x16_s (local.get $u)) (i32.const 4)) (i16x8.extend_low_i8x16_u (local.get $l))))))
        (local.set $d (i32x4.add (local.get $d) (i32x4.dot_i16x8_s (v128.load offset=48 (local.get $q))
          (v128.or (i16x8.shl (i16x8.extend_high_i8x16_s (local.get $u)) (i32.const 4)) (i16x8.extend_high_i8x16_u (local.get $l))))))
        (local.set $upper (i32.add (local.get $upper) (i32.const 32)))
        (local.set $lower (i32.add (local.get $lower) (i32.const 16)))
        (local.set $q (i32.add (local.get $q) (i32.const 64)))
        (br_if $part (i32.lt_u (local.get $upper) (local.get $upperEnd))))
      (local.set $a (f32x4.add
        (f32x4.add (f32x4.convert_i32x4_s (local.get $a)) (f32x4.convert_i32x4_s (local.get $b)))
        (f32x4.add (f32x4.convert_i32x4_s (local.get $c)) (f32x4.convert_i32x4_s (local.get $d)))))
      (f32.store (local.get $out)
        (f32.mul
          (f32.load (i32.add (i32.add (local.get $block) (local.get $scales)) (i32.shl (local.get $at) (i32.const 2))))
          (f32.add
            (f32.add (f32x4.extract_lane 0 (local.get $a)) (f32x4.extract_lane 1 (local.get $a)))
            (f32.add (f32x4.extract_lane 2 (local.get $a)) (f32x4.extract_lane 3 (local.get $a))))))
      (local.set $list (i32.add (local.get $list) (i32.const 4)))
      (local.set $out (i32.add (local.get $out) (i32.const 4)))
      (br $row))))
)
