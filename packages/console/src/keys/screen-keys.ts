import { useEffect, useRef } from "react"
import type { RecordPlace } from "../kit/record-operations.ts"

/** The facts on which the keys of a screen depend. The list of keys makes lines of them. */
export type ScreenKeys = ListKeys | RecordKeys | { readonly kind: "drawer" }

export interface ListKeys {
  readonly kind: "list"
  readonly mayCreate: boolean
  /** True if the records are in groups, which can be folded. */
  readonly isGrouped: boolean
  /** Moves the focus into the search of the list; undefined if it has none. */
  readonly search: (() => void) | undefined
}

export interface RecordKeys {
  readonly kind: "record"
  readonly place: RecordPlace
  /** Opens the menu of the moves that the record can make; undefined if there are none. */
  readonly openMoves: (() => void) | undefined
}

type CurrentKeys = { readonly current: ScreenKeys }

const screens: CurrentKeys[] = []

/** Says which keys a screen has, for as long as it is shown. */
export function useScreenKeys(keys: ScreenKeys): void {
  const current = useRef(keys)
  current.current = keys
  useEffect(() => {
    screens.push(current)
    return () => {
      screens.splice(screens.indexOf(current), 1)
    }
  }, [])
}

/** Returns the keys of the screen that is on top; undefined if it has no keys of its own. */
export function topScreenKeys(): ScreenKeys | undefined {
  return screens.at(-1)?.current
}
