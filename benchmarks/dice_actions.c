/* The reference for speed: simulated dice actions in C, with the generator and the tables of analyzer/wool_rules/rolls.py.

   Usage: dice_actions FORM TABLES START COUNT

   TABLES holds key and step of the seed (two uint64) and the three tables of rolls.Tables with states as uint8. The program
   reads it, warms up, prints "ready" and waits for a line; then it plays dice actions START to START + COUNT - 1 and
   prints when it began, when it ended (seconds of the monotonic clock) and how often each of the 105 codes came out.
   So starting the program is in no figure, and two of them can be let go together.

   Two forms, which give the same counts:

   chunks  1024 dice actions are rolled by a loop that the compiler vectorises, then looked up one by one: the simple way.
   fused   16 are rolled while the 16 before them are looked up. The two kinds of work meet in the processor at the same
           time, one on its vector units and one on its load units. The numbers of the three rolls lie in one word, and
           states are stored as the row of the next table where they begin. Much tried, this is the fastest known here.
*/

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { FIRST = 960, SECOND = 480, THIRD = 120, REST = SECOND * THIRD, CODES = 105, LANES = 4 };
enum { CHUNK = 1024, GROUP = 16, GAME_SHIFT = 24, WARM_UP = 1 << 22 };

/* Products whose lower half is below these are rejected (Lemire): 2^32 mod 960 and 2^32 mod 57600. */
#define UNFAIR_FIRST 256u
#define UNFAIR_REST 23296u

static uint64_t key, step;
static uint8_t first[FIRST], second[56 * SECOND], third[109 * THIRD];
static uint16_t first_row[FIRST], second_row[56 * SECOND];
static uint64_t lanes[LANES][256];

static inline uint64_t mix64(uint64_t z) {
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    return z ^ (z >> 31);
}

/* One dice action as one word: first roll, second roll << 16, third roll << 32. */
static inline uint64_t word_of(uint64_t by_first, uint64_t by_rest) {
    uint64_t rest = by_rest >> 32;
    uint64_t last = (rest * 8947849u) >> 32; /* rest / 480 for rest < 57600: 8947849 is 2^32 / 480 rounded up */
    return by_first >> 32 | (rest - last * SECOND) << 16 | last << 32;
}

/* The word of one dice action, with rejections: the slow way for the rare case. */
static uint64_t roll_one(uint64_t game) {
    for (uint64_t place = game << GAME_SHIFT;; place++) {
        uint64_t bits = mix64(key + (place + 1) * step);
        uint64_t by_first = (bits >> 32) * FIRST, by_rest = (bits & 0xFFFFFFFFu) * REST;
        if ((uint32_t)by_first >= UNFAIR_FIRST && (uint32_t)by_rest >= UNFAIR_REST) return word_of(by_first, by_rest);
    }
}

static inline void look_up_one(uint64_t word, int lane) {
    unsigned state = first[(uint16_t)word];
    state = second[state * SECOND + (uint16_t)(word >> 16)];
    lanes[lane][third[state * THIRD + (word >> 32)]]++;
}

static void play_chunks(uint64_t start, uint64_t count) {
    static uint16_t firsts[CHUNK], seconds[CHUNK];
    static uint8_t thirds[CHUNK];
    for (uint64_t begin = start, end = start + count; begin < end; begin += CHUNK) {
        int n = end - begin < CHUNK ? (int)(end - begin) : CHUNK;
        uint64_t unfair = 0;
        for (int i = 0; i < n; i++) {
            uint64_t bits = mix64(key + (((begin + i) << GAME_SHIFT) + 1) * step);
            uint64_t by_first = (bits >> 32) * FIRST, by_rest = (bits & 0xFFFFFFFFu) * REST;
            unfair |= ((uint32_t)by_first < UNFAIR_FIRST) | ((uint32_t)by_rest < UNFAIR_REST);
            uint32_t rest = by_rest >> 32, last = rest / SECOND;
            firsts[i] = by_first >> 32;
            seconds[i] = rest - last * SECOND;
            thirds[i] = last;
        }
        if (unfair) {
            for (int i = 0; i < n; i++) {
                uint64_t word = roll_one(begin + i);
                firsts[i] = word;
                seconds[i] = word >> 16;
                thirds[i] = word >> 32;
            }
        }
        for (int i = 0; i < n; i++) {
            unsigned state = first[firsts[i]];
            state = second[state * SECOND + seconds[i]];
            lanes[i & (LANES - 1)][third[state * THIRD + thirds[i]]]++;
        }
    }
}

/* Fill one group of words; `place` is key + (counter + 1) * step of the first, `stride` leads to the next dice action. */
static inline uint64_t roll_group(uint64_t place, uint64_t stride, uint64_t *restrict words) {
    uint64_t unfair = 0;
    for (int i = 0; i < GROUP; i++) {
        uint64_t bits = mix64(place + i * stride);
        uint64_t by_first = (bits >> 32) * FIRST, by_rest = (bits & 0xFFFFFFFFu) * REST;
        unfair |= ((by_first & 0xFFFFFFFFu) < UNFAIR_FIRST) | ((by_rest & 0xFFFFFFFFu) < UNFAIR_REST);
        words[i] = word_of(by_first, by_rest);
    }
    return unfair;
}

static inline void look_up_group(const uint64_t *restrict words) {
#pragma GCC unroll 16
    for (int i = 0; i < GROUP; i++) {
        uint64_t word = words[i];
        unsigned row = first_row[(uint16_t)word];
        row = second_row[row + (uint16_t)(word >> 16)];
        lanes[i & (LANES - 1)][third[row + (word >> 32)]]++;
    }
}

static void repair(uint64_t game, uint64_t *words) {
    for (int i = 0; i < GROUP; i++) words[i] = roll_one(game + i);
}

static void play_fused(uint64_t start, uint64_t count) {
    uint64_t even[GROUP] __attribute__((aligned(64))), odd[GROUP] __attribute__((aligned(64)));
    uint64_t game = start, end = start + count / (2 * GROUP) * (2 * GROUP);
    uint64_t stride = step << GAME_SHIFT, place = key + ((start << GAME_SHIFT) + 1) * step;
    if (game < end && roll_group(place, stride, even)) repair(game, even);
    for (; game < end; game += 2 * GROUP) {
        uint64_t unfair = roll_group(place += GROUP * stride, stride, odd);
        look_up_group(even);
        if (__builtin_expect(unfair != 0, 0)) repair(game + GROUP, odd);
        unfair = roll_group(place += GROUP * stride, stride, even);
        look_up_group(odd);
        if (__builtin_expect(unfair != 0, 0)) repair(game + 2 * GROUP, even);
    }
    for (end = start + count; game < end; game++) look_up_one(roll_one(game), 0);
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

static void must(int condition, const char *what) {
    if (condition) return;
    fprintf(stderr, "dice_actions: %s\n", what);
    exit(1);
}

int main(int argc, char **argv) {
    must(argc == 5, "usage: dice_actions chunks|fused TABLES START COUNT");
    int fused = strcmp(argv[1], "fused") == 0;
    must(fused || strcmp(argv[1], "chunks") == 0, "the form is chunks or fused");
    void (*play)(uint64_t, uint64_t) = fused ? play_fused : play_chunks;
    FILE *file = fopen(argv[2], "rb");
    must(file != NULL, "cannot open the tables");
    must(fread(&key, sizeof key, 1, file) == 1 && fread(&step, sizeof step, 1, file) == 1 &&
             fread(first, sizeof first, 1, file) == 1 && fread(second, sizeof second, 1, file) == 1 &&
             fread(third, sizeof third, 1, file) == 1,
         "the tables are too short");
    fclose(file);
    for (size_t i = 0; i < sizeof first; i++) first_row[i] = first[i] * SECOND;
    for (size_t i = 0; i < sizeof second; i++) second_row[i] = second[i] * THIRD;
    uint64_t start = strtoull(argv[3], NULL, 10), count = strtoull(argv[4], NULL, 10);

    play(0, WARM_UP);
    memset(lanes, 0, sizeof lanes);
    puts("ready");
    fflush(stdout);
    must(getchar() == '\n', "nobody said go");
    double began = now();
    play(start, count);
    double ended = now();

    printf("%.9f %.9f", began, ended);
    for (int code = 0; code < CODES; code++) {
        uint64_t sum = 0;
        for (int lane = 0; lane < LANES; lane++) sum += lanes[lane][code];
        printf(" %" PRIu64, sum);
    }
    putchar('\n');
    return 0;
}
