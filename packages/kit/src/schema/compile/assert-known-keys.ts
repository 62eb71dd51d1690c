import { didYouMean } from "../../wire/errors/did-you-mean.ts"

/** Throws if a declaration has an unknown key. If the key were ignored, a misspelling would be noticed much later. */
export function assertKnownKeys(what: string, given: object, known: readonly string[]): void {
  for (const name of Object.keys(given))
    if (!known.includes(name)) throw new TypeError(`${what} has no "${name}".${didYouMean(name, known)}`)
}
