import { invalid } from "../../wire/errors/api-error.ts"
import { didYouMean } from "../../wire/errors/did-you-mean.ts"

export type Members = Readonly<Record<string, unknown>>

/** Returns the input. Throws if it is not an object, or if it has members other than `known`. */
export function readMembers(input: unknown, known: readonly string[], path = ""): Members {
  if (typeof input !== "object" || input === null || Array.isArray(input)) {
    throw invalid(path, `Expected an object with ${known.join(", ")}.`)
  }
  for (const name of Object.keys(input)) {
    const at = path === "" ? name : `${path}.${name}`
    if (!known.includes(name)) throw invalid(at, `There is no "${name}" here.${didYouMean(name, known)}`)
  }
  // The cast is safe: `input` is an object, and the values of `Members` are unknown.
  return input as Members
}
