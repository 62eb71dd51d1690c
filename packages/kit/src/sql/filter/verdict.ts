/** The result of a predicate in memory: SQL would find the row, would not find it, or only SQL knows. */
export type Verdict = "yes" | "no" | "unknown"

export function verdictOf(isTrue: boolean): Verdict {
  return isTrue ? "yes" : "no"
}

/** Yes if all are yes; a single no decides, even if others are unknown. */
export function everyVerdict<Item>(items: Iterable<Item>, evaluate: (item: Item) => Verdict): Verdict {
  let verdict: Verdict = "yes"
  for (const item of items) {
    const next = evaluate(item)
    if (next === "no") return "no"
    if (next === "unknown") verdict = "unknown"
  }
  return verdict
}

/** Yes if one is yes, even if others are unknown. */
export function someVerdict<Item>(items: Iterable<Item>, evaluate: (item: Item) => Verdict): Verdict {
  let verdict: Verdict = "no"
  for (const item of items) {
    const next = evaluate(item)
    if (next === "yes") return "yes"
    if (next === "unknown") verdict = "unknown"
  }
  return verdict
}

/** Like `is not true` in SQL: a comparison with null counts as no, and its opposite as yes. */
export function opposite(verdict: Verdict): Verdict {
  if (verdict === "unknown") return verdict
  return verdict === "yes" ? "no" : "yes"
}
