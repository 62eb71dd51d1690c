// Texts of invented words for measurements of search. The same seed always gives the same texts.

// Many different beginnings: in real languages, too, three letters are the beginning of few words.
const BEGINNINGS =
  "b c d f g h j k l m n p qu r s t v w y z bl br ch cl cr dr fl fr gl gr kn pl pr sc sh sk sl sn sp st str sw th tr tw wh"
const MIDDLES = "a e i o u y ai au ea ee ie oa oo ou"
const ENDINGS = "b c d g k l m n p r s t ck ll mp nd nt rd rk rt st"
const [CONSONANTS, VOWELS, LAST_CONSONANTS] = [BEGINNINGS, MIDDLES, ENDINGS].map((list) => list.split(" "))
const MIN_LETTERS = 4
const LETTERS = "abcdefghijklmnopqrstuvwxyz"
// Flattens the distribution a little at its top, as in real languages.
const ZIPF_SHIFT = 2.7

/** @typedef {(bound: number) => number} Random returns an integer from 0 up to, but not including, the bound */

/** @param {number} seed @returns {Random} */
export function randomFrom(seed) {
  let state = seed >>> 0
  return (bound) => {
    state = (state + 0x6d2b79f5) | 0
    let bits = Math.imul(state ^ (state >>> 15), state | 1)
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61)
    return Math.floor((((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32) * bound)
  }
}

/** Returns this many different words that can be pronounced, of at least four letters. @param {number} count */
export function vocabulary(count, seed = 1) {
  const random = randomFrom(seed)
  /** @type {Set<string>} */
  const words = new Set()
  while (words.size < count) {
    const word = Array.from({ length: 2 + random(2) }, () => syllable(random)).join("")
    if (word.length >= MIN_LETTERS) words.add(word)
  }
  return [...words]
}

/** @param {Random} random */
function syllable(random) {
  return pick(CONSONANTS, random) + pick(VOWELS, random) + (random(2) === 0 ? pick(LAST_CONSONANTS, random) : "")
}

/** @template T @param {readonly T[]} list @param {Random} random */
export function pick(list, random) {
  return /** @type {T} */ (list[random(list.length)])
}

/**
 * Returns a function that draws words by Zipf's law: the word at place n is drawn about n times less often than the
 * first.
 *
 * @param {readonly string[]} words
 * @param {Random} random
 */
export function zipf(words, random) {
  const sums = new Float64Array(words.length)
  let sum = 0
  for (let place = 0; place < words.length; place += 1) {
    sum += 1 / (place + 1 + ZIPF_SHIFT)
    sums[place] = sum
  }
  return () => /** @type {string} */ (words[firstAbove(sums, (random(2 ** 30) / 2 ** 30) * sum)])
}

/** @param {Float64Array} sums @param {number} value */
function firstAbove(sums, value) {
  let [low, high] = [0, sums.length - 1]
  while (low < high) {
    const middle = (low + high) >> 1
    if (/** @type {number} */ (sums[middle]) > value) high = middle
    else low = middle + 1
  }
  return low
}

/**
 * Returns records with a title of six to ten words and a body. Words are drawn by Zipf's law; besides, each body has
 * some of the vocabulary in turn, so that enough records contain all of it.
 *
 * @param {{ count: number, words: readonly string[], bodyWords: number, wordsInTurn: number, seed: number }} options
 */
export function* generatedTexts({ count, words, bodyWords, wordsInTurn, seed }) {
  const random = randomFrom(seed)
  const draw = zipf(words, random)
  for (let number = 0; number < count; number += 1) {
    const title = Array.from({ length: 6 + random(5) }, draw)
    const drawn = Array.from({ length: bodyWords - wordsInTurn }, draw)
    const inTurn = Array.from({ length: wordsInTurn }, (_, n) => words[(number * wordsInTurn + n) % words.length] ?? "")
    yield { title: title.join(" "), body: sentences([...drawn, ...inTurn]) }
  }
}

/** @param {readonly string[]} words */
function sentences(words) {
  const parts = []
  for (let from = 0; from < words.length; from += 12) parts.push(`${words.slice(from, from + 12).join(" ")}.`)
  return parts.join(" ")
}

/**
 * Returns the words with one edit in one word of at least five letters: a letter too many, too few or replaced, or two
 * neighbours swapped. Returns undefined if no word is that long.
 *
 * @param {string} text
 * @param {Random} random
 */
export function withTypo(text, random) {
  const words = text.split(" ")
  const long = [...words.keys()].filter((index) => /** @type {string} */ (words[index]).length >= 5)
  if (long.length === 0) return undefined
  const index = pick(long, random)
  const edited = editedOnce(/** @type {string} */ (words[index]), random)
  return words.with(index, edited).join(" ")
}

/** @param {string} word @param {Random} random @returns {string} */
function editedOnce(word, random) {
  const place = random(word.length)
  const [before, after] = [word.slice(0, place), word.slice(place + 1)]
  const edits = [
    () => before + pick([...LETTERS], random) + word.slice(place),
    () => before + after,
    () => before + pick([...LETTERS], random) + after,
    () => before + after.slice(0, 1) + word[place] + after.slice(1),
  ]
  const edited = pick(edits, random)()
  return edited === word ? editedOnce(word, random) : edited
}
