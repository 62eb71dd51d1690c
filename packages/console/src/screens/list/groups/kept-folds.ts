import { useCallback } from "react"
import { KeptValue, useKept } from "../../../kit/kept-value.ts"
import type { RecordGroup } from "./grouping.ts"

/** The groups that a person has folded or unfolded, by their keys. */
interface Folds {
  readonly folded: readonly string[]
  readonly unfolded: readonly string[]
}

const NONE: Folds = { folded: [], unfolded: [] }
// A list by a relation may have any number of groups.
const MAX_KEPT = 500
const kept = new Map<string, KeptValue<Folds>>()

/** Returns which groups of a list are unfolded, and a function that folds one or unfolds it. This browser keeps it. */
export function useFolds(
  place: { readonly collection: string; readonly field: string },
  isOpenAtFirst: (group: RecordGroup) => boolean,
) {
  const name = `folds-${place.collection}-${place.field}`
  const value = kept.get(name) ?? new KeptValue(name, { fallback: NONE, parse: parseFolds })
  kept.set(name, value)
  const [{ folded, unfolded }, keep] = useKept(value)
  const isOpen = useCallback(
    (group: RecordGroup) => !folded.includes(group.key) && (unfolded.includes(group.key) || isOpenAtFirst(group)),
    [folded, unfolded, isOpenAtFirst],
  )
  const setOpen = useCallback(
    ({ key }: RecordGroup, open: boolean) => {
      const others = (keys: readonly string[]) => keys.filter((each) => each !== key).slice(-MAX_KEPT)
      keep(
        open
          ? { folded: others(folded), unfolded: [...others(unfolded), key] }
          : { folded: [...others(folded), key], unfolded: others(unfolded) },
      )
    },
    [folded, unfolded, keep],
  )
  return { isOpen, setOpen }
}

function parseFolds(found: unknown): Folds | undefined {
  if (found === null || typeof found !== "object" || !("folded" in found) || !("unfolded" in found)) return undefined
  return { folded: textsIn(found.folded), unfolded: textsIn(found.unfolded) }
}

function textsIn(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === "string") : []
}
