/** What memory says about a row: whether SQL would find it, or that only SQL can tell. */
export type Verdict = "yes" | "no" | "unknown"

export function verdictOf(isTrue: boolean): Verdict {
  return isTrue ? "yes" : "no"
}

/** Yes if all say yes; one no decides, whatever is unknown. */
export function everyVerdict<Item>(items: Iterable<Item>, judge: (item: Item) => Verdict): Verdict {
  let verdict: Verdict = "yes"
  for (const item of items) {
    const next = judge(item)
    if (next === "no") return "no"
    if (next === "unknown") verdict = "unknown"
  }
  return verdict
}

/** Yes if one says yes, whatever is unknown. */
export function someVerdict<Item>(items: Iterable<Item>, judge: (item: Item) => Verdict): Verdict {
  let verdict: Verdict = "no"
  for (const item of items) {
    const next = judge(item)
    if (next === "yes") return "yes"
    if (next === "unknown") verdict = "unknown"
  }
  return verdict
}

/** As SQL's `is not true`: a comparison with null counts as no, and its opposite as yes. */
export function opposite(verdict: Verdict): Verdict {
  if (verdict === "unknown") return verdict
  return verdict === "yes" ? "no" : "yes"
}
