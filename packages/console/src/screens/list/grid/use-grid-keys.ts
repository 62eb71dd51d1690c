import type { KeyboardEvent, MouseEvent } from "react"
import { areLetterKeysOn } from "../../../keys/letter-keys.ts"
import type { Selection } from "../selection/selection.ts"

/** The actions of keys and clicks in a grid that reach beyond it. */
export interface GridActions {
  readonly open: (id: string) => void
  readonly onRowClick: (id: string, event: MouseEvent) => void
  /** Null if the person may create no record. */
  readonly create: (() => void) | null
  readonly filter: () => void
  readonly search: () => void
  readonly showKeys: () => void
  readonly nextView: (step: 1 | -1) => void
  readonly remove: (() => void) | null
}

interface GridKeys {
  readonly ids: readonly string[]
  readonly offset: number
  readonly length: number
  readonly currentIndex: number
  /** Returns the number of rows that Page Up and Page Down pass. */
  readonly pageRows: () => number
  readonly selection: Selection
  readonly actions: GridActions
  readonly goTo: (index: number) => void
}

/** Returns the keys of a grid. Single letters work only while the focus is in it. */
export function useGridKeys(keys: GridKeys): (event: KeyboardEvent) => void {
  return (event) => {
    if (event.altKey || event.nativeEvent.isComposing) return
    const isCommand = event.metaKey || event.ctrlKey
    const handled = isCommand ? pressCommand(event, keys) : move(event, keys) || act(event, keys)
    if (handled) event.preventDefault()
  }
}

function pressCommand({ key }: KeyboardEvent, { selection, ids, goTo, length }: GridKeys): boolean {
  if (key === "Home") goTo(0)
  else if (key === "End") goTo(length - 1)
  else if (key.toLowerCase() === "a") selection.selectAll(ids)
  else return false
  return true
}

// Returns the row to which a key leads.
function rowAfter(key: string, { currentIndex, pageRows, length }: GridKeys): number | undefined {
  switch (key) {
    case "ArrowDown":
      return currentIndex + 1
    case "ArrowUp":
      return currentIndex - 1
    case "PageDown":
      return currentIndex + pageRows()
    case "PageUp":
      return currentIndex - pageRows()
    case "Home":
      return 0
    case "End":
      return length - 1
    default:
      return undefined
  }
}

function move({ key, shiftKey }: KeyboardEvent, keys: GridKeys): boolean {
  const { goTo, ids, offset, length, currentIndex, selection } = keys
  const to = rowAfter(key, keys)
  if (to === undefined) return false
  const next = Math.max(0, Math.min(to, length - 1))
  if (shiftKey) {
    const [from, id] = [ids[currentIndex - offset], ids[next - offset]]
    if (from !== undefined && !selection.ids.has(from)) selection.toggle(from)
    if (id !== undefined) selection.extendTo(id, ids)
  }
  goTo(next)
  return true
}

function act(
  { key, shiftKey, target, currentTarget }: KeyboardEvent,
  { ids, offset, currentIndex, selection, actions }: GridKeys,
): boolean {
  const id = ids[currentIndex - offset]
  const isOnControl =
    target !== currentTarget && target instanceof Element && target.closest("button, a, input") !== null
  if (key.length === 1 && !areLetterKeysOn()) return false
  switch (key) {
    case "Enter":
      if (isOnControl || id === undefined) return false
      actions.open(id)
      return true
    case "x":
      if (id !== undefined) selection.toggle(id)
      return true
    case "X":
      if (id !== undefined && shiftKey) selection.extendTo(id, ids)
      return true
    case "Escape":
      if (selection.ids.size === 0) return false
      selection.clear()
      return true
    case "n":
      actions.create?.()
      return true
    case "f":
      actions.filter()
      return true
    case "/":
      actions.search()
      return true
    case "?":
      actions.showKeys()
      return true
    case "[":
    case "]":
      actions.nextView(key === "]" ? 1 : -1)
      return true
    case "Delete":
      if (selection.ids.size > 0) actions.remove?.()
      return selection.ids.size > 0
    default:
      return false
  }
}
