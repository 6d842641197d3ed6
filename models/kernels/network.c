// The network of multilingual-e5-small: piece numbers in, a unit vector out. One source, two builds: plain SIMD128, and with
// -DRELAXED the relaxed dot product. Both give the same bits: sums of products are whole numbers, exact in either order, and
// every floating step is written once, without contraction (docs/decisions/0022). No library is linked.
#include <wasm_simd128.h>

#define EXPORT(name) __attribute__((export_name(#name)))
#define INLINE static inline __attribute__((always_inline))

enum { HIDDEN = 384, LAYERS = 12, HEADS = 12, HEAD = 32, FEED = 1536, POSITIONS = 512, BLOCK = 32, BLOCK_BYTES = 18 };
// Of 4, 5 and 6 tokens at once, 6 was fastest by both builds; 12 sums and what they are made of fill the registers.
enum { PANEL = 8, TILE = 6, HEEDING = 4, TOKENS_AT_ONCE = 30 };

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

// ---- functions, as polynomials of our own so that every platform computes the same --------------------------------------

#define SPLAT wasm_f32x4_splat
#define ADD wasm_f32x4_add
#define SUB wasm_f32x4_sub
#define MUL wasm_f32x4_mul

/** e^x for x <= 0 (below -87 as -87): 2^whole times a polynomial of the rest, within 3e-7. */
INLINE v128_t exp4(v128_t x) {
  x = wasm_f32x4_pmax(SPLAT(-87.0f), x);
  v128_t whole = wasm_f32x4_nearest(MUL(x, SPLAT(1.44269504f)));
  v128_t rest = SUB(SUB(x, MUL(whole, SPLAT(0.693359375f))), MUL(whole, SPLAT(-2.12194440e-4f)));
  v128_t p = SPLAT(1.9875691500e-4f);
  p = ADD(MUL(p, rest), SPLAT(1.3981999507e-3f));
  p = ADD(MUL(p, rest), SPLAT(8.3334519073e-3f));
  p = ADD(MUL(p, rest), SPLAT(4.1665795894e-2f));
  p = ADD(MUL(p, rest), SPLAT(1.6666665459e-1f));
  p = ADD(MUL(p, rest), SPLAT(5.0000001201e-1f));
  p = ADD(ADD(MUL(MUL(p, rest), rest), rest), SPLAT(1.0f));
  v128_t power = wasm_i32x4_shl(wasm_i32x4_add(wasm_i32x4_trunc_sat_f32x4(whole), wasm_i32x4_splat(127)), 23);
  return MUL(p, power);
}

/** x/2 (1 + erf(x/√2)); erf by Abramowitz and Stegun 7.1.26, within 1.5e-7. */
INLINE v128_t gelu4(v128_t x) {
  v128_t a = MUL(wasm_f32x4_abs(x), SPLAT(0.70710678f));
  v128_t t = wasm_f32x4_div(SPLAT(1.0f), ADD(SPLAT(1.0f), MUL(a, SPLAT(0.3275911f))));
  v128_t p = SPLAT(1.061405429f);
  p = ADD(MUL(p, t), SPLAT(-1.453152027f));
  p = ADD(MUL(p, t), SPLAT(1.421413741f));
  p = ADD(MUL(p, t), SPLAT(-0.284496736f));
  p = ADD(MUL(p, t), SPLAT(0.254829592f));
  v128_t erf = SUB(SPLAT(1.0f), MUL(MUL(p, t), exp4(wasm_f32x4_neg(MUL(a, a)))));
  erf = wasm_v128_or(wasm_v128_and(x, wasm_i32x4_splat((int)0x80000000)), erf);
  return MUL(MUL(x, SPLAT(0.5f)), ADD(SPLAT(1.0f), erf));
}

INLINE float sum4(v128_t v) {
  return (wasm_f32x4_extract_lane(v, 0) + wasm_f32x4_extract_lane(v, 1)) +
         (wasm_f32x4_extract_lane(v, 2) + wasm_f32x4_extract_lane(v, 3));
}

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

// ---- the network -------------------------------------------------------------------------------------------------------

typedef struct {
  matrix query, key, value, out, in, back;
  const float *out_weight, *out_bias, *back_weight, *back_bias;
} layer;

static layer layers[LAYERS];
static const u8 *words;
static const float *positions, *first_weight, *first_bias;

static float x[POSITIONS * HIDDEN], queries[POSITIONS * HIDDEN], keys[POSITIONS * HIDDEN], values[POSITIONS * HIDDEN],
    mixed[POSITIONS * HIDDEN], wide[POSITIONS * FEED], turned[HEAD * POSITIONS], chances[HEEDING * POSITIONS], result[HIDDEN];
static int pieces[POSITIONS];

EXPORT(pieces) int *pieces_at(void) { return pieces; }
EXPORT(result) float *result_at(void) { return result; }

/**
 * The 4-bit blocks of the layers may be forgotten afterwards; words, positions and floats are read in place.
 * Order of floats: embedding norm, then per layer the biases of query, key, value, out, its norm, biases of in and back, its norm.
 */
EXPORT(load) void load(const u8 *word_rows, const float *position_rows, const float *floats, const u8 *blocks) {
  words = word_rows, positions = position_rows;
#define TAKE(n) (floats += (n), floats - (n))
  first_weight = TAKE(HIDDEN), first_bias = TAKE(HIDDEN);
  for (int l = 0; l < LAYERS; l++) {
    layer *y = layers + l;
    blocks = load_matrix(&y->query, HIDDEN, HIDDEN, blocks, TAKE(HIDDEN));
    blocks = load_matrix(&y->key, HIDDEN, HIDDEN, blocks, TAKE(HIDDEN));
    blocks = load_matrix(&y->value, HIDDEN, HIDDEN, blocks, TAKE(HIDDEN));
    blocks = load_matrix(&y->out, HIDDEN, HIDDEN, blocks, TAKE(HIDDEN));
    y->out_weight = TAKE(HIDDEN), y->out_bias = TAKE(HIDDEN);
    blocks = load_matrix(&y->in, FEED, HIDDEN, blocks, TAKE(FEED));
    blocks = load_matrix(&y->back, HIDDEN, FEED, blocks, TAKE(HIDDEN));
    y->back_weight = TAKE(HIDDEN), y->back_bias = TAKE(HIDDEN);
  }
}

/** x = norm(x + added) */
static void add_norm(int tokens, const float *added, const float *weight, const float *bias) {
  for (int t = 0; t < tokens; t++) {
    float *row = x + t * HIDDEN;
    v128_t sum = SPLAT(0), squares = SPLAT(0);
    for (int i = 0; i < HIDDEN; i += 4) {
      v128_t v = wasm_v128_load(row + i);
      if (added) v = ADD(v, wasm_v128_load(added + t * HIDDEN + i));
      wasm_v128_store(row + i, v);
      sum = ADD(sum, v);
    }
    v128_t mean = SPLAT(sum4(sum) / HIDDEN);
    for (int i = 0; i < HIDDEN; i += 4) {
      v128_t v = SUB(wasm_v128_load(row + i), mean);
      squares = ADD(squares, MUL(v, v));
    }
    v128_t by = SPLAT(1.0f / __builtin_sqrtf(sum4(squares) / HIDDEN + 1e-12f));
    for (int i = 0; i < HIDDEN; i += 4) {
      v128_t v = MUL(SUB(wasm_v128_load(row + i), mean), by);
      wasm_v128_store(row + i, ADD(MUL(v, wasm_v128_load(weight + i)), wasm_v128_load(bias + i)));
    }
  }
}

/** Of one head: how much `count` tokens heed each token, then the values mixed accordingly. */
INLINE void attend_tile(const int count, int tokens, int padded, int token, int head) {
  const float *q = queries + token * HIDDEN + head * HEAD;
  v128_t most[HEEDING];
#pragma unroll
  for (int t = 0; t < count; t++) most[t] = SPLAT(-1e30f);
  for (int s = 0; s < padded; s += 4) {
    v128_t sums[HEEDING];
#pragma unroll
    for (int t = 0; t < count; t++) sums[t] = SPLAT(0);
    for (int e = 0; e < HEAD; e++) {
      v128_t k = wasm_v128_load(turned + e * POSITIONS + s);
#pragma unroll
      for (int t = 0; t < count; t++) sums[t] = ADD(sums[t], MUL(k, wasm_v128_load32_splat(q + t * HIDDEN + e)));
    }
    // What is behind the last token is heeded by none.
    v128_t beyond = wasm_i32x4_ge(wasm_i32x4_add(wasm_i32x4_splat(s), wasm_i32x4_const(0, 1, 2, 3)), wasm_i32x4_splat(tokens));
#pragma unroll
    for (int t = 0; t < count; t++) {
      v128_t v = wasm_v128_bitselect(SPLAT(-1e30f), MUL(sums[t], SPLAT(0.17677669529f)), beyond);
      most[t] = wasm_f32x4_pmax(most[t], v);
      wasm_v128_store(chances + t * POSITIONS + s, v);
    }
  }
#pragma unroll
  for (int t = 0; t < count; t++) {
    float *chance = chances + t * POSITIONS;
    float top_ = wasm_f32x4_extract_lane(most[t], 0);
#define HIGHER(i) if (wasm_f32x4_extract_lane(most[t], i) > top_) top_ = wasm_f32x4_extract_lane(most[t], i);
    HIGHER(1) HIGHER(2) HIGHER(3)
    v128_t sum = SPLAT(0), highest = SPLAT(top_);
    for (int s = 0; s < padded; s += 4) {
      v128_t beyond = wasm_f32x4_lt(wasm_v128_load(chance + s), SPLAT(-1e29f));
      v128_t v = wasm_v128_andnot(exp4(SUB(wasm_v128_load(chance + s), highest)), beyond);
      wasm_v128_store(chance + s, v);
      sum = ADD(sum, v);
    }
    v128_t by = SPLAT(1.0f / sum4(sum)), out[HEAD / 4];
#pragma unroll
    for (int e = 0; e < HEAD / 4; e++) out[e] = SPLAT(0);
    for (int s = 0; s < tokens; s++) {
      const float *value = values + s * HIDDEN + head * HEAD;
      v128_t p = wasm_v128_load32_splat(chance + s);
#pragma unroll
      for (int e = 0; e < HEAD / 4; e++) out[e] = ADD(out[e], MUL(p, wasm_v128_load(value + e * 4)));
    }
    float *to = mixed + (token + t) * HIDDEN + head * HEAD;
#pragma unroll
    for (int e = 0; e < HEAD / 4; e++) wasm_v128_store(to + e * 4, MUL(out[e], by));
  }
}

static void attend(int tokens) {
  int padded = (tokens + 3) & ~3;
  for (int head = 0; head < HEADS; head++) {
    for (int s = 0; s < tokens; s++)
      for (int e = 0; e < HEAD; e++) turned[e * POSITIONS + s] = keys[s * HIDDEN + head * HEAD + e];
    int t = 0;
    for (; t + HEEDING <= tokens; t += HEEDING) attend_tile(HEEDING, tokens, padded, t, head);
    for (; t < tokens; t++) attend_tile(1, tokens, padded, t, head);
  }
}

/** `tokens` piece numbers (1..512, both ends included) have been written to `pieces`; the unit vector is in `result` then. */
EXPORT(embed) void embed(int tokens) {
  for (int t = 0; t < tokens; t++) {
    float *row = x + t * HIDDEN;
    unpack_row(words + pieces[t] * (HIDDEN / BLOCK * BLOCK_BYTES), HIDDEN, row);
    for (int i = 0; i < HIDDEN; i++) row[i] += positions[t * HIDDEN + i];
  }
  add_norm(tokens, 0, first_weight, first_bias);
  for (int l = 0; l < LAYERS; l++) {
    const layer *y = layers + l;
    quantize(x, tokens, HIDDEN);
    multiply(&y->query, tokens, queries);
    multiply(&y->key, tokens, keys);
    multiply(&y->value, tokens, values);
    attend(tokens);
    quantize(mixed, tokens, HIDDEN);
    multiply(&y->out, tokens, queries);
    add_norm(tokens, queries, y->out_weight, y->out_bias);
    quantize(x, tokens, HIDDEN);
    multiply(&y->in, tokens, wide);
    for (int i = 0; i < tokens * FEED; i += 4) wasm_v128_store(wide + i, gelu4(wasm_v128_load(wide + i)));
    quantize(wide, tokens, FEED);
    multiply(&y->back, tokens, queries);
    add_norm(tokens, queries, y->back_weight, y->back_bias);
  }
  v128_t squares = SPLAT(0);
  for (int i = 0; i < HIDDEN; i += 4) {
    v128_t sum = SPLAT(0);
    for (int t = 0; t < tokens; t++) sum = ADD(sum, wasm_v128_load(x + t * HIDDEN + i));
    wasm_v128_store(result + i, sum);
    squares = ADD(squares, MUL(sum, sum));
  }
  v128_t by = SPLAT(1.0f / __builtin_sqrtf(sum4(squares)));
  for (int i = 0; i < HIDDEN; i += 4) wasm_v128_store(result + i, MUL(wasm_v128_load(result + i), by));
}
