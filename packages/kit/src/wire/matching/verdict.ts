/**
 * The result of evaluating a predicate in memory: `yes` if SQL would find the row, `no` if it would not, and `unknown`
 * if only the database can decide.
 */
export type Verdict = "yes" | "no" | "unknown"

export function verdictOf(isTrue: boolean): Verdict {
  return isTrue ? "yes" : "no"
}

/**
 * Returns `yes` if all items evaluate to `yes`, and `no` if any item evaluates to `no`, even if others are `unknown`.
 */
export function everyVerdict<Item>(items: Iterable<Item>, evaluate: (item: Item) => Verdict): Verdict {
  let verdict: Verdict = "yes"
  for (const item of items) {
    const next = evaluate(item)
    if (next === "no") return "no"
    if (next === "unknown") verdict = "unknown"
  }
  return verdict
}

/** Returns `yes` if any item evaluates to `yes`, even if others are `unknown`. */
export function someVerdict<Item>(items: Iterable<Item>, evaluate: (item: Item) => Verdict): Verdict {
  let verdict: Verdict = "no"
  for (const item of items) {
    const next = evaluate(item)
    if (next === "yes") return "yes"
    if (next === "unknown") verdict = "unknown"
  }
  return verdict
}

/**
 * Returns the verdict of the negated predicate, as `is not true` does in SQL: a comparison with null counts as `no`, so
 * its negation counts as `yes`.
 */
export function opposite(verdict: Verdict): Verdict {
  if (verdict === "unknown") return verdict
  return verdict === "yes" ? "no" : "yes"
}
