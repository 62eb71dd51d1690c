import { useCallback, useRef, useSyncExternalStore } from "react"
import { useForm } from "../../form/form-context.ts"
import type { Path } from "../../form/path.ts"

/**
 * Returns what `select` makes of the value at a path. Renders again only if that has changed, so that a group can follow
 * its shape, or its first text, without the keys that are typed in its parts.
 */
export function useSelection<Selected>(
  path: Path,
  select: (value: unknown, before: Selected | undefined) => Selected,
  isSame: (one: Selected, other: Selected) => boolean = Object.is,
): Selected {
  const { store } = useForm()
  const last = useRef<Selected>(undefined)
  const [field] = path
  const subscribe = useCallback((listener: () => void) => store.subscribe(field, listener), [store, field])
  return useSyncExternalStore(subscribe, () => {
    const selected = select(store.read(path), last.current)
    if (last.current !== undefined && isSame(last.current, selected)) return last.current
    last.current = selected
    return selected
  })
}

/** Returns whether two lists have the same members in the same order. */
export function isSameList<Member>(one: readonly Member[], other: readonly Member[]): boolean {
  return one.length === other.length && one.every((member, index) => Object.is(member, other[index]))
}

/** Returns the same path as long as its text stays the same, so that components below it need not render again. */
export function useStablePath(path: Path): Path {
  const kept = useRef(path)
  if (!isSameList(kept.current, path)) kept.current = path
  return kept.current
}
