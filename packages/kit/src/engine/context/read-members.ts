import { isPlainObject } from "../../wire/codecs/query-string.ts"
import { invalid } from "../../wire/errors/api-error.ts"
import { didYouMean } from "../../wire/errors/did-you-mean.ts"

export type Members = Readonly<Record<string, unknown>>

/**
 * Returns the input. Throws if it is not an object, or if it has members other than `known`. A member that is
 * undefined counts as absent.
 */
export function readMembers(input: unknown, known: readonly string[], path = ""): Members {
  // A body in extended JSON can also be a Map or a Set, whose content is not in its members.
  if (!isPlainObject(input)) throw invalid(path, `Expected an object with ${known.join(", ")}.`)
  for (const [name, value] of Object.entries(input)) {
    if (known.includes(name) || value === undefined) continue
    throw invalid(path === "" ? name : `${path}.${name}`, `There is no "${name}" here.${didYouMean(name, known)}`)
  }
  return input
}
