// The network of multilingual-e5-small: piece numbers in, a unit vector out. One source, two builds: plain SIMD128, and with
// -DRELAXED the relaxed dot product. Both give the same bits: sums of products are whole numbers, exact in either order, and
// every floating step is written once, without contraction (docs/decisions/0022). No library is linked.
#include "matrices.h"

enum { LAYERS = 12, HEADS = 12, HEAD = 32, HEEDING = 4 };

// ---- functions, as polynomials of our own so that every platform computes the same --------------------------------------

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

// A text is computed in steps, so that another may come in between: what one step leaves to the next are the first `tokens` rows of `hidden`.

EXPORT(layers) int layer_count(void) { return LAYERS; }
EXPORT(hidden) float *hidden_at(void) { return x; }

/** First step. `tokens` piece numbers (1..512, both ends included) have been written to `pieces`. */
EXPORT(begin) void begin(int tokens) {
  for (int t = 0; t < tokens; t++) {
    float *row = x + t * HIDDEN;
    unpack_row(words + pieces[t] * (HIDDEN / BLOCK * BLOCK_BYTES), HIDDEN, row);
    for (int i = 0; i < HIDDEN; i++) row[i] += positions[t * HIDDEN + i];
  }
  add_norm(tokens, 0, first_weight, first_bias);
}

/** One step for each layer, in order. */
EXPORT(layer) void through_layer(int which, int tokens) {
  const layer *y = layers + which;
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

/** Last step: the unit vector is in `result` then. */
EXPORT(finish) void finish(int tokens) {
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
