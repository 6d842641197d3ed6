// Which rows of whole numbers point where a question points: exact products of signed bytes with a question of 16 bits. Sums are whole
// numbers and are multiplied once, so the bits are the same on every platform (docs/decisions/0022).
#include <wasm_simd128.h>

#define EXPORT(name) __attribute__((export_name(#name)))

typedef signed char i8;
extern unsigned char __heap_base;

EXPORT(start) unsigned start(void) { return ((unsigned)&__heap_base + 63) & ~63u; }

/**
 * `columns` is a multiple of 16; the question's numbers leave room: 127 * sum of sizes < 2^31. Rows are held by fours. Four rows at once are
 * a quarter of all apart: a processor reads ahead within a page of memory and no further, so one row after the other waits at each page.
 */
EXPORT(scan) void scan(const short *question, const i8 *rows, const float *scales, float *out, int columns, int count, float by) {
  int quarter = (count + 3) / 4;
  unsigned apart = (unsigned)quarter * (unsigned)columns;
  for (int n = 0; n < quarter; n++) {
    v128_t sums[4];
#pragma unroll
    for (int r = 0; r < 4; r++) sums[r] = wasm_i32x4_splat(0);
    const i8 *row = rows + (unsigned)n * (unsigned)columns;
    for (int c = 0; c < columns; c += 16) {
      v128_t low = wasm_v128_load(question + c), high = wasm_v128_load(question + c + 8);
#pragma unroll
      for (int r = 0; r < 4; r++) {
        const i8 *at = row + r * apart + c;
        v128_t a = wasm_i32x4_dot_i16x8(wasm_i16x8_load8x8(at), low);
        v128_t b = wasm_i32x4_dot_i16x8(wasm_i16x8_load8x8(at + 8), high);
        sums[r] = wasm_i32x4_add(sums[r], wasm_i32x4_add(a, b));
      }
    }
    // Four sums of four lanes each, turned so that one addition more gives one sum a lane.
    v128_t a = wasm_i32x4_add(wasm_i32x4_shuffle(sums[0], sums[1], 0, 4, 1, 5), wasm_i32x4_shuffle(sums[0], sums[1], 2, 6, 3, 7));
    v128_t b = wasm_i32x4_add(wasm_i32x4_shuffle(sums[2], sums[3], 0, 4, 1, 5), wasm_i32x4_shuffle(sums[2], sums[3], 2, 6, 3, 7));
    v128_t all = wasm_i32x4_add(wasm_i32x4_shuffle(a, b, 0, 1, 4, 5), wasm_i32x4_shuffle(a, b, 2, 3, 6, 7));
    v128_t told = wasm_f32x4_convert_i32x4(all);
    out[n] = wasm_f32x4_extract_lane(told, 0) * (scales[n] * by);
    out[n + quarter] = wasm_f32x4_extract_lane(told, 1) * (scales[n + quarter] * by);
    out[n + 2 * quarter] = wasm_f32x4_extract_lane(told, 2) * (scales[n + 2 * quarter] * by);
    out[n + 3 * quarter] = wasm_f32x4_extract_lane(told, 3) * (scales[n + 3 * quarter] * by);
  }
}
