// What is known of all docs of a bank together, for one question: passes over numbers per doc, in the order of the docs and in the steps that
// docs/decisions/0034 names, so the bits are those of the same steps written in JavaScript.
#include <wasm_simd128.h>

#define EXPORT(name) __attribute__((export_name(#name)))

typedef unsigned char u8;
extern unsigned char __heap_base;

EXPORT(start) unsigned start(void) { return ((unsigned)&__heap_base + 63) & ~63u; }

/** The language of a doc, 0 to 3: its bits `latin` and `han` (libs/views/doc-flags.ts). */
static inline int language_of(u8 flags) { return flags >> 3 & 3; }

/** What is told of the docs of one language. */
typedef struct {
  v128_t both; // sum and sum of squares
  float nearest;
  int count;
} of_language;

/** By languages: sums, squares, counts and the greatest of cosines, each four numbers in `told`. What is NaN counts for nothing. */
EXPORT(usual) void usual(const float *cosines, const u8 *flags, const u8 *mask, int docs, double *told) {
  of_language all[4];
  for (int l = 0; l < 4; l++) all[l] = (of_language){wasm_f64x2_splat(0), -__builtin_inff(), 0};
  for (int doc = 0; doc < docs; doc++) {
    float cosine = cosines[doc];
    if (mask[doc] != 1 || !(cosine > -2.0f)) continue;
    of_language *its = &all[language_of(flags[doc])];
    double exact = cosine;
    its->both = wasm_f64x2_add(its->both, wasm_f64x2_make(exact, exact * exact));
    its->nearest = cosine > its->nearest ? cosine : its->nearest;
    its->count++;
  }
  for (int l = 0; l < 4; l++) {
    told[l] = wasm_f64x2_extract_lane(all[l].both, 0);
    told[4 + l] = wasm_f64x2_extract_lane(all[l].both, 1);
    told[8 + l] = all[l].count;
    told[12 + l] = all[l].nearest;
  }
}

static inline unsigned high_word(double x) {
  union { double value; unsigned long long bits; } u = {x};
  return u.bits >> 32;
}

static inline double with_high(double x, unsigned add) {
  union { double value; unsigned long long bits; } u = {x};
  u.bits += (unsigned long long)add << 32;
  return u.value;
}

/** e to the power of x, for x of at most 0: fdlibm's e_exp.c (Sun Microsystems 1993, freely distributable), as V8's Math.exp is. */
static double power_of_e(double x) {
  const double ln2_high = 6.93147180369123816490e-01, ln2_low = 1.90821492927058770002e-10;
  const double inverse_ln2 = 1.44269504088896338700e+00, twom1000 = 9.33263618503218878990e-302;
  const double p1 = 1.66666666666666019037e-01, p2 = -2.77777777770155933842e-03, p3 = 6.61375632143793436117e-05,
               p4 = -1.65339022054652515390e-06, p5 = 4.13813679705723846039e-08;
  if (x != x) return x;
  if (x < -7.45133219101941108420e+02) return 0;
  unsigned size = high_word(x) & 0x7fffffff;
  double high = 0, low = 0;
  int k = 0;
  if (size > 0x3fd62e42) { // more than half of ln 2
    if (size < 0x3ff0a2b2) { // less than one and a half of it
      high = x + ln2_high;
      low = -ln2_low;
      k = -1;
    } else {
      k = (int)(inverse_ln2 * x - 0.5);
      high = x - k * ln2_high;
      low = k * ln2_low;
    }
    x = high - low;
  } else if (size < 0x3e300000) return 1.0 + x;
  double t = x * x;
  double twopk = k >= -1021 ? with_high(1.0, (unsigned)k << 20) : with_high(1.0, (unsigned)(k + 1000) << 20);
  double c = x - t * (p1 + t * (p2 + t * (p3 + t * (p4 + t * p5))));
  if (k == 0) return 1.0 - ((x * c) / (c - 2.0) - x);
  double y = 1.0 - ((low - (x * c) / (2.0 - c)) - high);
  return k >= -1021 ? y * twopk : y * twopk * twom1000;
}

/** A stretch that is asked about. Of one without a year there is one for each year, `first` years later and so on; else there is one. */
typedef struct {
  double from, to;
  int first, years; // years 0: none
  const double *of_years;
} span;

/** As Math.round does. */
static inline double rounded(double x) {
  double up = __builtin_ceil(x);
  return up - 0.5 > x ? up - 1 : up;
}

/** How near each doc of the mask is to the nearest of some stretches: 1 within, falling by e every `fades` milliseconds outside. */
EXPORT(near_times)
void near_times(const double *at, const u8 *mask, int docs, const span *spans, int count, double year, double fades, double *near) {
  for (int doc = 0; doc < docs; doc++) {
    if (mask[doc] != 1) continue;
    double moment = at[doc], nearest = 0;
    for (int n = 0; n < count && nearest < 1; n++) {
      double from = spans[n].from, to = spans[n].to;
      if (spans[n].years) {
        double later = rounded((moment - from) / year) - spans[n].first;
        int place = later > 0 ? (later < spans[n].years ? (int)later : spans[n].years - 1) : 0;
        from = spans[n].of_years[2 * place];
        to = spans[n].of_years[2 * place + 1];
      }
      double gap = moment < from ? from - moment : moment >= to ? moment - to : 0;
      double one = gap == 0 ? 1 : power_of_e(-gap / fades);
      if (one > nearest) nearest = one;
    }
    near[doc] = nearest;
  }
}

/** The mask's least and greatest number. */
EXPORT(ends) void ends(const double *numbers, const u8 *mask, int docs, double *told) {
  double least = __builtin_inf(), most = -__builtin_inf();
  for (int doc = 0; doc < docs; doc++) {
    if (mask[doc] != 1) continue;
    if (numbers[doc] < least) least = numbers[doc];
    if (numbers[doc] > most) most = numbers[doc];
  }
  told[0] = least;
  told[1] = most;
}

/** Adds a doc of a session to its three best sums. */
static inline void note_best(int session, double value, double *three_best, int *members) {
  members[session]++;
  double *best = three_best + session * 3;
  if (value <= best[2]) return;
  for (int at = 0; at < 3; at++) {
    if (value <= best[at]) continue;
    double pushed = best[at];
    best[at] = value;
    value = pushed;
  }
}

/** Columns of a bank, per doc; the caller holds them in this order. */
typedef struct {
  const int *length, *before, *leads, *also_led;
} text_columns;

/** What words say of each doc. */
typedef struct {
  double *own, *window;
  int *docs;
  int found;
} word_sums;

static inline int is_found(word_sums *sums, int doc, int telling) {
  if (sums->own[doc] != 0 || sums->window[doc] != 0) return 1;
  if (!telling) return 0;
  sums->docs[sums->found++] = doc;
  return 1;
}

/** Sums of what was found are 0 again. */
EXPORT(clear_words) void clear_words(word_sums *sums) {
  for (int at = 0; at < sums->found; at++) {
    sums->own[sums->docs[at]] = 0;
    sums->window[sums->docs[at]] = 0;
  }
  sums->found = 0;
}

/** How often a term occurs in each of its docs, for what follows; `unmark_term` makes it 0 again. */
EXPORT(mark_term) void mark_term(const int *at, const unsigned short *counts, int places, unsigned short *counted) {
  for (int place = 0; place < places; place++) counted[at[place]] = counts[place];
}

EXPORT(unmark_term) void unmark_term(const int *at, int places, unsigned short *counted) {
  for (int place = 0; place < places; place++) counted[at[place]] = 0;
}

/** In how many current docs a marked term occurs (the first number), and in how many more the one before has it (the second). */
EXPORT(frequencies)
void frequencies(const text_columns *columns, const int *at, int places, const unsigned short *counted, const u8 *current, int docs, double *told) {
  int own = 0, more = 0;
  for (int place = 0; place < places; place++) {
    int doc = at[place];
    if (doc < docs) own += current[doc];
    for (int next = columns->leads[doc]; next >= 0; next = columns->also_led[next])
      if (counted[next] == 0 && next < docs) more += current[next];
  }
  told[0] = own;
  told[1] = more;
}

/** Adds BM25 of a marked term, to each doc of the mask and to each that follows on one (services/query/recall/legs/keyword-scores.ts). */
EXPORT(add_term)
void add_term(const text_columns *columns, word_sums *sums, const int *at, const unsigned short *counts, int places, const unsigned short *counted,
              const u8 *mask, int docs, int telling, double weight, double window_weight, double flat, double slope, double window_slope) {
  const int *length = columns->length;
  for (int place = 0; place < places; place++) {
    int doc = at[place];
    if (doc >= docs) continue;
    double count = counts[place];
    if (mask[doc] == 1 && is_found(sums, doc, telling)) {
      sums->own[doc] += (weight * count) / (count + flat + slope * length[doc]);
      int ahead = columns->before[doc];
      double both = ahead >= 0 ? count + counted[ahead] : count;
      double together = ahead >= 0 ? (double)length[doc] + length[ahead] : length[doc];
      sums->window[doc] += (window_weight * both) / (both + flat + window_slope * together);
    }
    // Mostly one; more where what was said next was revised.
    for (int next = columns->leads[doc]; next >= 0; next = columns->also_led[next]) {
      if (next >= docs || counted[next] > 0 || mask[next] != 1 || !is_found(sums, next, telling)) continue;
      double together = (double)length[next] + length[doc];
      sums->window[next] += (window_weight * count) / (count + flat + window_slope * together);
    }
  }
}

/** The highest sums of what is current. */
EXPORT(most_of) void most_of(const word_sums *sums, const u8 *current, double *told) {
  double own = 0, window = 0;
  for (int at = 0; at < sums->found; at++) {
    int doc = sums->docs[at];
    if (current[doc] != 1) continue;
    if (sums->own[doc] > own) own = sums->own[doc];
    if (sums->window[doc] > window) window = sums->window[doc];
  }
  told[0] = own;
  told[1] = window;
}

/** Columns of a bank and of a question, per doc. */
typedef struct {
  const float *cosines;
  const u8 *flags, *scored, *current, *listed;
  const int *session;
  const double *near; // 0 where no time is asked about
} sights;

/** How far cosines stand above what is usual, by language; all that a sum is made of has its share in it. */
typedef struct {
  double means[4], deviation, least, spread;
  double by_own, by_window, by_meaning, by_time, most_own, most_window;
} scale;

/** How near docs are in meaning, from 0 to 1; NaN without a vector. Two at a time, since dividing takes longest. */
static void share_of_meaning(const sights *sight, const scale *by, int docs, double *alike) {
  v128_t deviation = wasm_f64x2_splat(by->deviation), least = wasm_f64x2_splat(by->least), spread = wasm_f64x2_splat(by->spread);
  for (int doc = 0; doc < docs; doc += 2) { // there is room for one more
    const u8 *flags = sight->flags + doc;
    v128_t usual = wasm_f64x2_make(by->means[language_of(flags[0])], by->means[language_of(flags[1])]);
    v128_t cosines = wasm_f64x2_promote_low_f32x4(wasm_v128_load64_zero(sight->cosines + doc));
    v128_t above = wasm_f64x2_sub(wasm_f64x2_div(wasm_f64x2_sub(cosines, usual), deviation), least);
    v128_t some = wasm_v128_andnot(above, wasm_f64x2_le(above, wasm_f64x2_splat(0)));
    wasm_v128_store(alike + doc, wasm_f64x2_div(some, spread));
  }
}

/**
 * A first sum of each scored doc, NaN of all others and of one that nothing finds. Of what is listed (names or a slot find it) only how near it
 * is in meaning, from 0 to 1: the caller adds up the rest.
 */
EXPORT(weigh)
void weigh(const sights *sight, const word_sums *words, const scale *by, int docs, double *sums, double *three_best, int *members) {
  const double *near = sight->near;
  share_of_meaning(sight, by, docs, sums);
  for (int doc = 0; doc < docs; doc++) {
    if (sight->scored[doc] != 1) {
      sums[doc] = __builtin_nan("");
      continue;
    }
    double alike = sums[doc];
    if (sight->listed[doc]) continue;
    double own = words->own[doc], window = words->window[doc], sum = 0;
    if (!(own > 0 || window > 0 || alike >= 0)) {
      sums[doc] = __builtin_nan("");
      continue;
    }
    // What is not current may say more than all that is.
    if (own > 0) sum += (by->by_own * own) / (own > by->most_own ? own : by->most_own);
    if (window > 0) sum += (by->by_window * window) / (window > by->most_window ? window : by->most_window);
    if (alike >= 0) sum += by->by_meaning * alike;
    if (near) sum += by->by_time * near[doc];
    sums[doc] = sum;
    int session = sight->session[doc];
    if (session >= 0 && sight->current[doc] == 1) note_best(session, sum, three_best, members);
  }
}

static inline int is_worse(const double *scores, const int *docs, int one, int other) {
  return scores[one] < scores[other] || (scores[one] == scores[other] && docs[one] < docs[other]);
}

static inline void swap(double *scores, int *docs, int one, int other) {
  double score = scores[one];
  int doc = docs[one];
  scores[one] = scores[other];
  docs[one] = docs[other];
  scores[other] = score;
  docs[other] = doc;
}

/**
 * The best docs of a mask by their sums and what their sessions add, in no order; of equal ones the newer. A sum of NaN is no doc.
 * @returns how many there were to choose from
 */
EXPORT(pick)
int pick(const double *sums, const int *session, const double *of_session, const u8 *mask, int docs, double by_session, int limit, int *best,
         double *scores) {
  int held = 0, count = 0;
  for (int doc = 0; doc < docs; doc++) {
    double score = sums[doc];
    if (mask[doc] != 1 || score != score) continue;
    if (session[doc] >= 0) score += by_session * of_session[session[doc]];
    count++;
    if (held < limit) { // a heap with the worst of the best on top
      best[held] = doc;
      scores[held] = score;
      for (int at = held++; at > 0;) {
        int parent = (at - 1) >> 1;
        if (!is_worse(scores, best, at, parent)) break;
        swap(scores, best, at, parent);
        at = parent;
      }
      continue;
    }
    // Docs come in ascending order: of equal ones, this is the newer.
    if (score < scores[0]) continue;
    scores[0] = score;
    best[0] = doc;
    for (int at = 0;;) {
      int first = at;
      for (int child = 2 * at + 1; child <= 2 * at + 2; child++)
        if (child < held && is_worse(scores, best, child, first)) first = child;
      if (first == at) break;
      swap(scores, best, at, first);
      at = first;
    }
  }
  return count;
}
