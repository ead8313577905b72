;; The inner loops of a full-text search over postings in memory (postings.ts). Rows are numbers of documents; 8,192 of them share a
;; page of memory: first the kind of each (u32), then the length of each (u32). $seen has a byte for each kind: 0 when its documents
;; are not seen, 1 when they count in the statistics alone, 2 when they are asked for. Posting lists are as posting-lists.ts tells.
(module
  ;; Of bm25.ts.
  (import "bm25" "rise" (global $rise f64))
  (import "bm25" "floor" (global $floor f64))
  (memory (export "memory") 1 65536)

  ;; How many postings of the list that begins with $slice are of documents that are seen. $pages has the pages of rows (u32).
  (func (export "count") (param $slice i32) (param $pages i32) (param $seen i32) (result i32)
    (local $at i32) (local $end i32) (local $bytes i32) (local $entry i32) (local $kinds i32) (local $found i32)
    (local.set $kinds (i32.load (local.get $pages)))
    (local.set $bytes (i32.const 16))
    (loop $slices
      (local.set $at (local.get $slice))
      (local.set $end (i32.sub (i32.add (local.get $slice) (local.get $bytes)) (i32.const 4)))
      (block $over (loop $entries
        (br_if $over (i32.ge_u (local.get $at) (local.get $end)))
        (local.set $entry (i32.load16_u (local.get $at)))
        (local.set $at (i32.add (local.get $at) (i32.const 2)))
        (if (i32.lt_u (local.get $entry) (i32.const 8192)) (then
          (br_if $over (i32.eqz (local.get $entry)))
          (local.set $pages (i32.add (local.get $pages) (i32.shl (local.get $entry) (i32.const 2))))
          (local.set $kinds (i32.load (local.get $pages)))
          (br $entries)))
        (if (i32.ge_u (local.get $entry) (i32.const 0xe000)) (then (local.set $at (i32.add (local.get $at) (i32.const 4)))))
        (local.set $found (i32.add (local.get $found) (i32.ne (i32.const 0) (i32.load8_u (i32.add (local.get $seen)
          (i32.load (i32.add (local.get $kinds) (i32.shl (i32.and (local.get $entry) (i32.const 8191)) (i32.const 2)))))))))
        (br $entries)))
      (local.set $slice (i32.load (local.get $end)))
      (if (i32.lt_u (local.get $bytes) (i32.const 8192)) (then (local.set $bytes (i32.shl (local.get $bytes) (i32.const 1)))))
      (br_if $slices (local.get $slice)))
    (local.get $found))

  ;; Adds to $scores (f64 a row) what terms give the rows of a page, whose number is $number. Terms have 40 bytes each, from $term to
  ;; before $terms: where the next entry of its list stands, where its slice ends, the bytes of its slice, the page of the next entry
  ;; (u32 each), the weight of the term (f64), and whether it finds documents or only adds to scores that there are (u32). The rest
  ;; is room for a list of one posting. The first four are moved on behind the page.
  (func (export "score") (param $term i32) (param $terms i32) (param $page i32) (param $number i32) (param $seen i32)
    (param $ofLength f64) (param $scores i32)
    (local $at i32) (local $end i32) (local $bytes i32) (local $next i32) (local $finds i32) (local $weight f64)
    (local $entry i32) (local $count i32) (local $place i32) (local $kind i32) (local $target i32) (local $times f64) (local $score f64)
    (block $done (loop $each
      (br_if $done (i32.ge_u (local.get $term) (local.get $terms)))
      (local.set $next (i32.load offset=12 (local.get $term)))
      (if (i32.eq (local.get $next) (local.get $number)) (then
        (local.set $at (i32.load (local.get $term)))
        (local.set $end (i32.load offset=4 (local.get $term)))
        (local.set $weight (f64.load offset=16 (local.get $term)))
        (local.set $finds (i32.load offset=24 (local.get $term)))
        (block $out (loop $slices
          (block $over (loop $entries
            (br_if $over (i32.ge_u (local.get $at) (local.get $end)))
            (local.set $entry (i32.load16_u (local.get $at)))
            (local.set $at (i32.add (local.get $at) (i32.const 2)))
            (if (i32.lt_u (local.get $entry) (i32.const 8192)) (then
              (br_if $over (i32.eqz (local.get $entry)))
              (local.set $next (i32.add (local.get $next) (local.get $entry)))
              (br $out)))
            (local.set $count (i32.shr_u (local.get $entry) (i32.const 13)))
            (if (i32.eq (local.get $count) (i32.const 7)) (then
              (local.set $count (i32.load (local.get $at)))
              (local.set $at (i32.add (local.get $at) (i32.const 4)))))
            (local.set $place (i32.and (local.get $entry) (i32.const 8191)))
            (local.set $kind (i32.add (local.get $page) (i32.shl (local.get $place) (i32.const 2))))
            (local.set $target (i32.add (local.get $scores) (i32.shl (local.get $place) (i32.const 3))))
            (local.set $score (f64.load (local.get $target)))
            (if (i32.eqz (local.get $finds)) (then (br_if $entries (f64.eq (local.get $score) (f64.const 0)))))
            ;; What is not asked for counts 0 times: a branch could not be foretold. Scalar conversions would wait for the division before.
            (local.set $times (f64x2.extract_lane 0 (f64x2.convert_low_i32x4_s (i32x4.splat (i32.and (local.get $count)
              (i32.sub (i32.const 0) (i32.shr_u (i32.load8_u (i32.add (local.get $seen) (i32.load (local.get $kind)))) (i32.const 1))))))))
            (f64.store (local.get $target) (f64.add (local.get $score) (f64.div
              (f64.mul (f64.mul (local.get $weight) (local.get $times)) (global.get $rise))
              (f64.add
                (f64.add (local.get $times) (global.get $floor))
                (f64.mul (local.get $ofLength) (f64x2.extract_lane 0 (f64x2.convert_low_i32x4_s (v128.load32_zero offset=32768 (local.get $kind)))))))))
            (br $entries)))
          (local.set $at (i32.load (local.get $end)))
          (if (i32.eqz (local.get $at)) (then
            (local.set $next (i32.const -1))
            (br $out)))
          (local.set $bytes (i32.load offset=8 (local.get $term)))
          (if (i32.lt_u (local.get $bytes) (i32.const 8192)) (then (local.set $bytes (i32.shl (local.get $bytes) (i32.const 1)))))
          (i32.store offset=8 (local.get $term) (local.get $bytes))
          (local.set $end (i32.sub (i32.add (local.get $at) (local.get $bytes)) (i32.const 4)))
          (br $slices)))
        (i32.store (local.get $term) (local.get $at))
        (i32.store offset=4 (local.get $term) (local.get $end))
        (i32.store offset=12 (local.get $term) (local.get $next))))
      (local.set $term (i32.add (local.get $term) (i32.const 40)))
      (br $each))))

  ;; Writes to $out (u32 each) which of $count scores are at least $cut, and returns how many. $count is a multiple of 2.
  (func (export "select") (param $scores i32) (param $count i32) (param $cut f64) (param $out i32) (result i32)
    (local $place i32) (local $at i32) (local $bits i32) (local $cuts v128)
    (local.set $at (local.get $out))
    (local.set $cuts (f64x2.splat (local.get $cut)))
    (block $done (loop $two
      (br_if $done (i32.ge_u (local.get $place) (local.get $count)))
      (local.set $bits (i64x2.bitmask (f64x2.ge (v128.load (i32.add (local.get $scores) (i32.shl (local.get $place) (i32.const 3)))) (local.get $cuts))))
      (block $none (loop $one
        (br_if $none (i32.eqz (local.get $bits)))
        (i32.store (local.get $at) (i32.add (local.get $place) (i32.ctz (local.get $bits))))
        (local.set $at (i32.add (local.get $at) (i32.const 4)))
        (local.set $bits (i32.and (local.get $bits) (i32.sub (local.get $bits) (i32.const 1))))
        (br $one)))
      (local.set $place (i32.add (local.get $place) (i32.const 2)))
      (br $two)))
    (i32.shr_u (i32.sub (local.get $at) (local.get $out)) (i32.const 2)))
)
