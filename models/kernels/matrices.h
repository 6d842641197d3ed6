// What network.c multiplies: matrices of whole numbers, unpacked from blocks of 4 bits, with activations of 7 bits. Sums of products are
// whole numbers, so plain SIMD128 and, with -DRELAXED, the relaxed dot product give the same bits.
#pragma once
#include <wasm_simd128.h>

#define EXPORT(name) __attribute__((export_name(#name)))
#define INLINE static inline __attribute__((always_inline))
#define SPLAT wasm_f32x4_splat
#define ADD wasm_f32x4_add
#define SUB wasm_f32x4_sub
#define MUL wasm_f32x4_mul

enum { HIDDEN = 384, FEED = 1536, POSITIONS = 512, BLOCK = 32, BLOCK_BYTES = 18 };
// Of 4, 5 and 6 tokens at once, 6 was fastest by both builds; 12 sums and what they are made of fill the registers.
enum { PANEL = 8, TILE = 6, TOKENS_AT_ONCE = 30 };

typedef signed char i8;
typedef unsigned char u8;
typedef unsigned short u16;
#ifdef RELAXED
typedef u8 act; // 0..127
#else
typedef short act; // 0..127, wide enough to be multiplied as it is
#endif

// ---- memory ------------------------------------------------------------------------------------------------------------

extern u8 __heap_base;
static unsigned top;

EXPORT(reserve) void *reserve(unsigned bytes) {
  if (!top) top = (unsigned)&__heap_base;
  unsigned at = (top + 63) & ~63u;
  top = at + bytes;
  unsigned pages = (top + 65535) >> 16, have = __builtin_wasm_memory_size(0);
  if (pages > have && __builtin_wasm_memory_grow(0, pages - have) == (unsigned long)-1) return 0;
  return (void *)at;
}

// ---- blocks of 4 bits --------------------------------------------------------------------------------------------------

static float half(u16 bits) {
  unsigned sign = (unsigned)(bits >> 15) << 31, exponent = (bits >> 10) & 31, fraction = bits & 1023;
  union { unsigned u; float f; } out;
  if (exponent == 0) { // subnormal
    out.f = (float)fraction * 5.9604644775390625e-8f;
    out.u |= sign;
  } else {
    out.u = sign | (exponent + 112) << 23 | fraction << 13;
  }
  return out.f;
}

/** A row of 4-bit blocks: per 32 weights a half-precision scale, then 16 bytes, low halves first. */
static void unpack_row(const u8 *block, int columns, float *out) {
  for (int at = 0; at < columns; at += BLOCK, block += BLOCK_BYTES) {
    float scale = half((u16)(block[0] | block[1] << 8));
    for (int i = 0; i < 16; i++) {
      out[at + i] = (float)((block[2 + i] & 15) - 8) * scale;
      out[at + 16 + i] = (float)((block[2 + i] >> 4) - 8) * scale;
    }
  }
}

// ---- matrices ----------------------------------------------------------------------------------------------------------

/** `rows` x `columns` whole numbers in panels of 8 rows; a row's weight is its whole number times its scale. */
typedef struct {
  int rows, columns;
  i8 *panels;
  float *scale, *sum; // sum: of the row's weights
  const float *bias;
} matrix;

/** Where the weight of a row within a panel stands: plain, pairs of columns of 8 rows; relaxed, fours of columns of 4 rows. */
INLINE int place(int row, int column, int columns) {
#ifdef RELAXED
  return ((row >> 2) * (columns >> 2) + (column >> 2)) * 16 + (row & 3) * 4 + (column & 3);
#else
  return (column >> 1) * 16 + row * 2 + (column & 1);
#endif
}

static float row_scratch[FEED];

static const u8 *load_matrix(matrix *m, int rows, int columns, const u8 *blocks, const float *bias) {
  m->rows = rows, m->columns = columns, m->bias = bias;
  m->panels = reserve((unsigned)(rows * columns));
  m->scale = reserve((unsigned)rows * 4), m->sum = reserve((unsigned)rows * 4);
  for (int row = 0; row < rows; row++, blocks += columns / BLOCK * BLOCK_BYTES) {
    unpack_row(blocks, columns, row_scratch);
    float most = 1e-12f;
    for (int c = 0; c < columns; c++) {
      float size = __builtin_fabsf(row_scratch[c]);
      if (size > most) most = size;
    }
    float scale = most / 127.0f;
    i8 *panel = m->panels + (row / PANEL) * PANEL * columns;
    int sum = 0;
    for (int c = 0; c < columns; c++) {
      int whole = (int)__builtin_rintf(row_scratch[c] / scale);
      sum += whole;
      panel[place(row % PANEL, c, columns)] = (i8)whole;
    }
    m->scale[row] = scale, m->sum[row] = (float)sum * scale;
  }
  return blocks;
}

/** Activations in 0..127, per token: x = low + step * whole. */
static act acts[POSITIONS * FEED];
static float low[POSITIONS], step[POSITIONS];

static void quantize(const float *x, int tokens, int columns) {
  for (int t = 0; t < tokens; t++, x += columns) {
    v128_t least = wasm_v128_load(x), most = least;
    for (int c = 4; c < columns; c += 4) {
      v128_t v = wasm_v128_load(x + c);
      least = wasm_f32x4_pmin(least, v), most = wasm_f32x4_pmax(most, v);
    }
    float lo = wasm_f32x4_extract_lane(least, 0), hi = wasm_f32x4_extract_lane(most, 0);
#define WIDEN(i) \
  if (wasm_f32x4_extract_lane(least, i) < lo) lo = wasm_f32x4_extract_lane(least, i); \
  if (wasm_f32x4_extract_lane(most, i) > hi) hi = wasm_f32x4_extract_lane(most, i);
    WIDEN(1) WIDEN(2) WIDEN(3)
    float range = hi - lo;
    low[t] = lo, step[t] = range / 127.0f;
    v128_t by = SPLAT(range > 0 ? 127.0f / range : 0), from = SPLAT(lo), limit = wasm_i32x4_splat(127);
    act *out = acts + t * columns;
    for (int c = 0; c < columns; c += 16) {
#define WHOLE(i) \
  wasm_i32x4_min(limit, wasm_i32x4_trunc_sat_f32x4(wasm_f32x4_nearest(MUL(SUB(wasm_v128_load(x + c + (i)), from), by))))
      v128_t a = wasm_i16x8_narrow_i32x4(WHOLE(0), WHOLE(4)), b = wasm_i16x8_narrow_i32x4(WHOLE(8), WHOLE(12));
#ifdef RELAXED
      wasm_v128_store(out + c, wasm_u8x16_narrow_i16x8(a, b));
#else
      wasm_v128_store(out + c, a), wasm_v128_store(out + c + 8, b);
#endif
    }
  }
}

/** `count` tokens times one panel of 8 rows. The count is known where this is written out, so that the sums stay in registers. */
INLINE void tile(const int count, const act *x, const i8 *panel, int columns, v128_t sums[][2]) {
#pragma unroll
  for (int t = 0; t < count; t++) sums[t][0] = sums[t][1] = wasm_i32x4_splat(0);
#ifdef RELAXED
  const i8 *panel2 = panel + 4 * columns;
  for (int c = 0; c < columns; c += 4) {
    v128_t a = wasm_v128_load(panel + c * 4), b = wasm_v128_load(panel2 + c * 4);
#pragma unroll
    for (int t = 0; t < count; t++) {
      v128_t v = wasm_v128_load32_splat(x + t * columns + c);
      sums[t][0] = wasm_i32x4_relaxed_dot_i8x16_i7x16_add(a, v, sums[t][0]);
      sums[t][1] = wasm_i32x4_relaxed_dot_i8x16_i7x16_add(b, v, sums[t][1]);
    }
  }
#else
  for (int c = 0; c < columns; c += 2) {
    v128_t both = wasm_v128_load(panel + c * 8);
    v128_t a = wasm_i16x8_extend_low_i8x16(both), b = wasm_i16x8_extend_high_i8x16(both);
#pragma unroll
    for (int t = 0; t < count; t++) {
      v128_t v = wasm_v128_load32_splat(x + t * columns + c);
      sums[t][0] = wasm_i32x4_add(sums[t][0], wasm_i32x4_dot_i16x8(a, v));
      sums[t][1] = wasm_i32x4_add(sums[t][1], wasm_i32x4_dot_i16x8(b, v));
    }
  }
#endif
}

INLINE void tile_out(const int count, const matrix *m, int token, int row, float *y) {
  v128_t sums[TILE][2];
  tile(count, acts + token * m->columns, m->panels + row * m->columns, m->columns, sums);
#pragma unroll
  for (int half_ = 0; half_ < 2; half_++) {
    int r = row + half_ * 4;
    v128_t scale = wasm_v128_load(m->scale + r), sum = wasm_v128_load(m->sum + r), bias = wasm_v128_load(m->bias + r);
#pragma unroll
    for (int t = 0; t < count; t++) {
      v128_t v = MUL(wasm_f32x4_convert_i32x4(sums[t][half_]), MUL(scale, SPLAT(step[token + t])));
      wasm_v128_store(y + (token + t) * m->rows + r, ADD(ADD(v, MUL(sum, SPLAT(low[token + t]))), bias));
    }
  }
}

/** y = what was quantized last, times the matrix, plus its bias. */
static __attribute__((noinline)) void multiply(const matrix *m, int tokens, float *y) {
  for (int from = 0; from < tokens; from += TOKENS_AT_ONCE) {
    int to = from + TOKENS_AT_ONCE < tokens ? from + TOKENS_AT_ONCE : tokens;
    for (int row = 0; row < m->rows; row += PANEL) {
      int t = from;
      for (; t + TILE <= to; t += TILE) tile_out(TILE, m, t, row, y);
      switch (to - t) {
        case 5: tile_out(5, m, t, row, y); break;
        case 4: tile_out(4, m, t, row, y); break;
        case 3: tile_out(3, m, t, row, y); break;
        case 2: tile_out(2, m, t, row, y); break;
        case 1: tile_out(1, m, t, row, y); break;
      }
    }
  }
}

/**
 * Whether the engine multiplies rightly: the first compiler of V8 11.3 (Node 20, where relaxed SIMD is behind a flag) does not. Held
 * against plain arithmetic, in whole numbers that a float holds exactly. Before `load`; it uses the same code and scratch.
 */
EXPORT(sound) int sound(void) {
  static i8 panels[PANEL * HIDDEN];
  static float scale[PANEL], sum[PANEL], bias[PANEL], y[7 * PANEL];
  matrix m = {PANEL, HIDDEN, panels, scale, sum, bias};
  unsigned seed = 1;
#define NEXT (seed = seed * 1664525u + 1013904223u, seed >> 24)
  for (int tokens = 1; tokens <= 7; tokens++) {
    for (int i = 0; i < PANEL * HIDDEN; i++) panels[i] = (i8)((int)NEXT % 255 - 127);
    for (int i = 0; i < tokens * HIDDEN; i++) acts[i] = (act)(NEXT & 127);
    for (int r = 0; r < PANEL; r++) scale[r] = 1, sum[r] = bias[r] = 0;
    for (int t = 0; t < tokens; t++) step[t] = 1, low[t] = 0;
    multiply(&m, tokens, y);
    for (int t = 0; t < tokens; t++)
      for (int r = 0; r < PANEL; r++) {
        int expected = 0;
        for (int c = 0; c < HIDDEN; c++) expected += panels[place(r, c, HIDDEN)] * (int)acts[t * HIDDEN + c];
        if (y[t * PANEL + r] != (float)expected) return 0;
      }
  }
  return 1;
}
