/** Returns an integer from 0 up to, but not including, the bound. */
export type Random = (bound: number) => number

export interface TextOptions {
  readonly count: number
  readonly words: readonly string[]
  readonly bodyWords: number
  readonly wordsInTurn: number
  readonly seed: number
}

export function randomFrom(seed: number): Random
export function vocabulary(count: number, seed?: number): string[]
export function pick<T>(list: readonly T[], random: Random): T
export function zipf(words: readonly string[], random: Random): () => string
export function generatedTexts(options: TextOptions): Generator<{ readonly title: string; readonly body: string }>
export function withTypo(text: string, random: Random): string | undefined
