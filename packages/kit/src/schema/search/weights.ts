import type { WeightLabel } from "../compile/resource.ts"
import type { SearchableDefinition } from "./searchable.ts"

/** The name under which `weights` sets the weight of the text that `content` returns. */
export const CONTENT_WEIGHT = "content"

const LABELS: readonly WeightLabel[] = ["A", "B", "C", "D"]

/** PostgreSQL has four labels for the words of a text, so that a resource can have four different weights. */
export const MAX_WEIGHTS = LABELS.length

// How much a word counts unless the author says otherwise.
const TITLE_WEIGHT = 2
const OTHER_WEIGHT = 1

/** The names of the searched fields. */
export interface SearchedNames {
  readonly title: string | undefined
  /** The names of all searched fields, the title first. */
  readonly fields: readonly string[]
  /** True if `content` returns further text. */
  readonly hasContent: boolean
}

/** Returns the different weights of the searched names, the highest first. */
export function distinctWeights(names: SearchedNames, weights: SearchableDefinition["weights"]): readonly number[] {
  const all = names.hasContent ? [...names.fields, CONTENT_WEIGHT] : names.fields
  const used = new Set(all.map((name) => weightOf(name, names, weights)))
  return [...used].sort((left, right) => right - left)
}

/** Returns the label of each name, and the factor of each label. The highest weight has the label A and the factor 1. */
export function labelsOf(names: SearchedNames, weights: SearchableDefinition["weights"]): Labels {
  const ranked = distinctWeights(names, weights)
  const [highest = OTHER_WEIGHT] = ranked
  const factorAt = (place: number) => (ranked[place] ?? 0) / highest
  const labelOf = (name: string): WeightLabel => LABELS[ranked.indexOf(weightOf(name, names, weights))] ?? "D"
  return { labelOf, factors: Object.freeze([factorAt(0), factorAt(1), factorAt(2), factorAt(3)] as const) }
}

interface Labels {
  labelOf(name: string): WeightLabel
  readonly factors: readonly [a: number, b: number, c: number, d: number]
}

function weightOf(name: string, { title }: SearchedNames, weights: SearchableDefinition["weights"] = {}): number {
  const own = Object.hasOwn(weights, name) ? weights[name] : undefined
  return own ?? (name === title ? TITLE_WEIGHT : OTHER_WEIGHT)
}
