import { useEffect, useRef } from "react"

/** A line of the list of keys: the keys, which are pressed together or one after the other, and what they do. */
export interface KeyLine {
  readonly keys: readonly string[]
  readonly text: string
}

/** The keys of a screen, or of a drawer over it. */
export interface ScreenKeys {
  readonly title: string
  readonly lines: readonly KeyLine[]
  /** Moves the focus into the search of the screen; absent if it has none. */
  readonly search?: (() => void) | undefined
  /** Opens the menu of the moves that a record can make; absent if there are none. */
  readonly openMoves?: (() => void) | undefined
  /** The addresses of the records before and after this one in the list. */
  readonly beside?: { readonly previous: string | null; readonly next: string | null } | undefined
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
