import type { CollectionSchema } from "kit/client"
import type { RefObject } from "react"
import { useScreenKeys } from "../../keys/screen-keys.ts"
import { useWords } from "../../words/words.ts"
import { canBeSearched } from "./list-options.ts"

interface ListKeys {
  readonly schema: CollectionSchema
  readonly search: RefObject<HTMLInputElement | null>
  readonly mayCreate: boolean
}

/** Says which keys a list has. */
export function useListKeys({ schema, search, mayCreate }: ListKeys): void {
  const { keys } = useWords("list")
  const line = (text: string, ...names: readonly string[]) => ({ text, keys: names })
  useScreenKeys({
    title: keys.title,
    search: canBeSearched(schema) ? () => search.current?.focus() : undefined,
    lines: [
      line(keys.rows, "↑", "↓"),
      line(keys.pages, "Page Up", "Page Down"),
      line(keys.ends, "Home", "End"),
      line(keys.open, "Enter"),
      line(keys.select, "x"),
      line(keys.range, "⇧↑", "⇧↓"),
      line(keys.all, "⌘A"),
      line(keys.remove, "Delete"),
      line(keys.escape, "Esc"),
      ...(mayCreate ? [line(keys.create, "n")] : []),
      line(keys.filter, "f"),
      line(keys.views, "[", "]"),
    ],
  })
}
