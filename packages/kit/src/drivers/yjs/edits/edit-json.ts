import * as Y from "yjs"
import { canonicalJson } from "../values/canonical-json.ts"
import { isObject, readJson, toShared } from "../values/json-values.ts"
import { editText } from "./edit-text.ts"
import { listEdits } from "./list-edits.ts"

/** Changes a map so that it has exactly these members. What is equal already stays as it is. */
export function editMembers(map: Y.Map<unknown>, members: Readonly<Record<string, unknown>>): void {
  for (const key of [...map.keys()]) if (!Object.hasOwn(members, key)) map.delete(key)
  for (const [key, value] of Object.entries(members)) {
    const held = map.get(key)
    if (map.has(key) && editInPlace(held, value)) continue
    map.set(key, holderLike(held, value))
  }
}

function editItems(list: Y.Array<unknown>, items: readonly unknown[]): void {
  const from = list.toArray()
  const numbers = new Map<string, number>()
  const edits = listEdits({
    from,
    to: items,
    fromIds: from.map((item) => numberOf(canonicalJson(readJson(item, 0)), numbers)),
    toIds: items.map((item) => numberOf(canonicalJson(item), numbers)),
    similarity: (held, item) => (canEditInPlace(held, item) ? 1 : 0),
  })
  for (const edit of edits) {
    if (edit.kind === "update") {
      editInPlace(from[edit.index], edit.item)
      continue
    }
    const { index, removed, inserted } = edit
    if (removed > 0) list.delete(index, removed)
    if (inserted.length > 0) list.insert(index, inserted.map(toShared))
  }
}

function numberOf(text: string, numbers: Map<string, number>): number {
  const number = numbers.get(text) ?? numbers.size
  numbers.set(text, number)
  return number
}

function canEditInPlace(held: unknown, value: unknown): boolean {
  if (held instanceof Y.Map) return isObject(value)
  if (held instanceof Y.Array) return Array.isArray(value)
  return held instanceof Y.Text && typeof value === "string"
}

// Returns false if the value must replace what is held now.
function editInPlace(held: unknown, value: unknown): boolean {
  if (held instanceof Y.Map && isObject(value)) editMembers(held, value)
  else if (held instanceof Y.Array && Array.isArray(value)) editItems(held, value)
  else if (held instanceof Y.Text && typeof value === "string") editText(held, value)
  else return !(held instanceof Y.AbstractType) && canonicalJson(readJson(held, 0)) === canonicalJson(value)
  return true
}

// An editor that has set a plain object or list expects to find a plain one.
function holderLike(held: unknown, value: unknown): unknown {
  return isObject(held) || Array.isArray(held) ? value : toShared(value)
}
