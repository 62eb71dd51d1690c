import type { Words } from "../words/words.ts"
import { placesBeside } from "./record-keys.ts"
import type { ListKeys, RecordKeys, ScreenKeys } from "./screen-keys.ts"

/** A line of the list of keys: the keys, one of which is pressed or all one after the other, and what they do. */
export interface KeyLine {
  readonly keys: readonly string[]
  readonly text: string
}

interface KeyLines {
  readonly title: string
  readonly lines: readonly KeyLine[]
}

/** Returns the lines of the keys that a screen has. */
export function screenLines(screen: ScreenKeys, words: Pick<Words, "keys" | "list">): KeyLines {
  switch (screen.kind) {
    case "list":
      return { title: words.list.keys.title, lines: listLines(screen, words.list) }
    case "record":
      return { title: words.keys.record, lines: recordLines(screen, words.keys) }
    case "drawer":
      return { title: words.keys.drawer, lines: [line(words.keys.save, "⌘S")] }
    default:
      return screen satisfies never
  }
}

function listLines({ mayCreate, isGrouped }: ListKeys, { keys }: Words["list"]): readonly KeyLine[] {
  return [
    line(keys.rows, "↑", "↓"),
    line(keys.pages, "Page Up", "Page Down"),
    line(keys.ends, "Home", "End"),
    line(keys.open, "Enter"),
    line(keys.select, "x"),
    line(keys.range, "⇧↑", "⇧↓"),
    line(keys.all, "⌘A"),
    line(keys.remove, "Delete"),
    line(keys.escape, "Esc"),
    ...(isGrouped ? [line(keys.fold, "←", "→")] : []),
    ...(mayCreate ? [line(keys.create, "n")] : []),
    line(keys.filter, "f"),
    line(keys.views, "[", "]"),
  ]
}

function recordLines({ place, openMoves }: RecordKeys, words: Words["keys"]): readonly KeyLine[] {
  return [
    line(words.save, "⌘S"),
    line(words.saveAndBack, "⌘Enter"),
    ...(openMoves ? [line(words.moves, "⌘.")] : []),
    ...(placesBeside(place) ? [line(words.previous, "⌥↑"), line(words.next, "⌥↓")] : []),
  ]
}

function line(text: string, ...keys: readonly string[]): KeyLine {
  return { text, keys }
}
