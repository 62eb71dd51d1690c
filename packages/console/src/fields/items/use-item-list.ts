import type { PartSchema } from "kit/client"
import { useMemo, useRef, useState } from "react"
import { useForm } from "../../form/form-context.ts"
import type { Path } from "../../form/path.ts"
import { isSameList, useSelection, useStablePath } from "../group/use-selection.ts"
import { followKeys, type KeyedItems } from "./follow-keys.ts"

const EMPTY: KeyedItems = { items: [], keys: [] }

/** Returns a key for each item of the list at a path. A key stays with its item when the list changes. */
export function useItemKeys(path: Path): readonly string[] {
  const last = useRef(EMPTY)
  return useSelection(
    path,
    (value) => {
      const items = listOf(value)
      if (items !== last.current.items) last.current = { items, keys: followKeys(last.current, items) }
      return last.current.keys
    },
    isSameList,
  )
}

/** An item that was removed, until something else is done with the list. */
interface Removed {
  readonly item: unknown
  readonly index: number
}

/** The operations on the items of a list. */
export interface ItemList {
  /** Puts items into the list. The first one is opened and focused. */
  insert(index: number, items: readonly unknown[]): void
  move(from: number, to: number): void
  remove(index: number): void
  read(): readonly unknown[]
}

/** An item that asks for the focus, with a number that makes each request a new one. */
export interface FocusRequest {
  readonly index: number
  /** True if the first input of the item is meant, and not its head. */
  readonly isInside: boolean
}

export interface ItemListState {
  readonly list: ItemList
  readonly removed: Removed | null
  readonly focus: FocusRequest | null
  /** Puts the removed item back where it was. */
  readonly restore: () => void
}

/** Returns the operations of the list at a path, which stay the same, and what is left of the last one. */
export function useItemList(path: Path, { required, limits }: PartSchema): ItemListState {
  const { store } = useForm()
  const [removed, setRemoved] = useState<Removed | null>(null)
  const [focus, setFocus] = useState<FocusRequest | null>(null)
  const place = useStablePath(path)
  // A list that may be missing, but not be empty, is missing once its last item is removed.
  const isNeverEmpty = !required && (limits.minItems ?? 0) > 0
  const list = useMemo((): ItemList => {
    const read = () => listOf(store.read(place))
    const write = (items: readonly unknown[], left: Removed | null) => {
      store.write(place, items.length === 0 && isNeverEmpty ? null : items)
      setRemoved(left)
    }
    return {
      read,
      insert: (index, items) => {
        write(read().toSpliced(index, 0, ...items), null)
        setFocus({ index, isInside: true })
      },
      move: (from, to) => {
        const items = read()
        if (to < 0 || to >= items.length || from === to) return
        write(items.toSpliced(from, 1).toSpliced(to, 0, items[from]), null)
        setFocus({ index: to, isInside: false })
      },
      remove: (index) => write(read().toSpliced(index, 1), { item: read()[index], index }),
    }
  }, [store, place, isNeverEmpty])
  const restore = () => {
    if (removed === null) return
    list.insert(removed.index, [removed.item])
    setFocus({ index: removed.index, isInside: false })
  }
  return { list, removed, focus, restore }
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : NONE
}

const NONE: readonly unknown[] = []
