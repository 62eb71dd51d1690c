/** Random numbers from a seed, so that a failed experiment can be repeated. */
export interface SeededRandom {
  readonly seed: number
  /** An integer from 0 up to, but not including, the bound. */
  below(bound: number): number
}

/** The seed comes from KIT_SEED, or is random. */
export function seededRandom(): SeededRandom {
  return newSeededRandom(Number(process.env["KIT_SEED"] ?? crypto.getRandomValues(new Uint32Array(1))[0]))
}

/** The same seed gives the same numbers. */
export function newSeededRandom(seed: number): SeededRandom {
  let state = seed >>> 0
  return {
    seed,
    below: (bound) => {
      // A linear congruential generator; its upper bits are the good ones.
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
      return Math.floor((state / 2 ** 32) * bound)
    },
  }
}
