import type { DocumentRoot, DocumentShape } from "../../../ports/document-codec.ts"
import { Refusal } from "./refusal.ts"
import type { AddedItem, ItemContent } from "./update-structs.ts"

type Contents = ReadonlySet<ItemContent>

/** The contents that a type can have as its members or attributes, and as the items of its list. */
interface TypeRule {
  readonly members: Contents
  readonly items: Contents
}

const NOTHING: Contents = new Set<ItemContent>(["deleted"])
const TEXT: Contents = new Set<ItemContent>(["deleted", "text", "format"])
const NODES: Contents = new Set<ItemContent>(["deleted", "xmlElement", "xmlText"])
const PLAIN: Contents = new Set<ItemContent>(["deleted", "plain"])
const VALUES: Contents = new Set<ItemContent>(["deleted", "plain", "array", "map", "sharedText"])

const ROOTS: Readonly<Record<DocumentShape, TypeRule>> = {
  text: { members: NOTHING, items: TEXT },
  richText: { members: NOTHING, items: NODES },
  json: { members: VALUES, items: NOTHING },
}

const TYPES: Readonly<Partial<Record<ItemContent, TypeRule>>> = {
  xmlElement: { members: PLAIN, items: NODES },
  xmlText: { members: PLAIN, items: TEXT },
  map: { members: VALUES, items: NOTHING },
  array: { members: NOTHING, items: VALUES },
  sharedText: { members: PLAIN, items: TEXT },
}

// Everything that a document of a shape can contain, wherever it is.
const CONTENTS: Readonly<Record<DocumentShape, Contents>> = {
  text: TEXT,
  richText: new Set([...TEXT, ...NODES, ...PLAIN]),
  json: new Set([...TEXT, ...VALUES]),
}

// Validation allows fewer levels in a value.
const MAX_DEPTH = 64

/**
 * Refuses items that belong to another root, or that a document of this shape cannot have at their place. The place of
 * an item is known only if the update itself contains it.
 */
export function checkItems(root: DocumentRoot, items: readonly AddedItem[]): void {
  const byId = new Map(items.map((item) => [item.id, item]))
  for (const item of items) {
    const rule = ruleOf(root, item, byId)
    const allowed = item.parent?.isMember ? rule?.members : rule?.items
    if (!(allowed ?? CONTENTS[root.shape]).has(item.content) || isLongMember(item)) {
      throw new Refusal("The update contains something that this field cannot have.")
    }
  }
  if (items.some((item) => isTooDeep(item, byId))) {
    throw new Refusal(`The update nests something deeper than ${MAX_DEPTH} levels.`)
  }
}

// A member or an attribute has one value. Yjs cannot delete the first part of a longer one.
function isLongMember({ parent, content, length }: AddedItem): boolean {
  return parent?.isMember === true && content !== "deleted" && length > 1
}

type ItemsById = ReadonlyMap<string, AddedItem>

function ruleOf(root: DocumentRoot, item: AddedItem, byId: ItemsById): TypeRule | undefined {
  if (item.parent?.kind === "root") {
    if (item.parent.name !== root.name) throw new Refusal("The update changes something other than this field.")
    return ROOTS[root.shape]
  }
  const holder = holderOf(item, byId)
  if (holder === undefined) return undefined
  const rule = TYPES[holder.content]
  if (rule === undefined) throw new Refusal("The update adds something to a value that cannot contain it.")
  return rule
}

// Returns the item that holds the type of which this item is a part, if the update has both.
function holderOf({ parent }: AddedItem, byId: ItemsById): AddedItem | undefined {
  return parent?.kind === "type" ? byId.get(parent.name) : undefined
}

// A circle, which only a forged update can have, is as deep as the limit.
function isTooDeep(item: AddedItem, byId: ItemsById): boolean {
  let holder = holderOf(item, byId)
  for (let depth = 1; holder !== undefined; depth++) {
    if (depth > MAX_DEPTH) return true
    holder = holderOf(holder, byId)
  }
  return false
}
