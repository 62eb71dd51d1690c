import { didYouMean } from "../../wire/errors/did-you-mean.ts"

/** Refuses what a declaration does not know: left out in silence, it would be missed much later. */
export function checkNames(what: string, given: object, known: readonly string[]): void {
  for (const name of Object.keys(given))
    if (!known.includes(name)) throw new TypeError(`${what} has no "${name}".${didYouMean(name, known)}`)
}
