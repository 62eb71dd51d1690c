import { type Annotation, childOf, EACH, type ExtendedType, newAnnotation } from "./extended-json-annotation.ts"

/** How deep a value may be nested that we write. */
export const WRITTEN_MAX_DEPTH = 200

type Children = Annotation["children"]
type Path = (string | number)[]

const NO_CHILDREN: Children = new Map()
const DATE: Annotation = { type: "Date", children: NO_CHILDREN }
const BIGINT: Annotation = { type: "BigInt", children: NO_CHILDREN }
const UNDEFINED: Annotation = { type: "undefined", children: NO_CHILDREN }

/** Walks a value and notes what plain JSON would lose; undefined when it would lose nothing. */
export function annotate(value: unknown): Annotation | undefined {
  return annotateAt([], value)
}

function annotateAt(path: Path, value: unknown): Annotation | undefined {
  const form = jsonForm(value)
  if (form === undefined) return UNDEFINED
  if (typeof form === "bigint") return BIGINT
  if (typeof form !== "object" || form === null) return undefined
  if (form instanceof Date) return annotateDate(path, form)
  return annotateContainer(path, form)
}

/** What `JSON.stringify` looks into in place of the value. */
function jsonForm(value: unknown): unknown {
  if (typeof value !== "object" || value === null || value instanceof Date) return value
  return "toJSON" in value && typeof value.toJSON === "function" ? value.toJSON() : value
}

function annotateDate(path: Path, date: Date): Annotation {
  if (Number.isNaN(date.getTime())) throw unwritable(path, "an invalid Date")
  return DATE
}

function annotateContainer(path: Path, container: object): Annotation | undefined {
  if (path.length === WRITTEN_MAX_DEPTH) throw unwritable(path, "a value that deep, or one that holds itself")
  const items = itemsOf(container)
  const children = items ? annotateItems(path, items) : annotateMembers(path, container)
  const type = containerType(container)
  return type || children.size > 0 ? { type, children } : undefined
}

function containerType(container: object): ExtendedType | undefined {
  if (container instanceof Map) return "Map"
  return container instanceof Set ? "Set" : undefined
}

function itemsOf(container: unknown): unknown[] | undefined {
  if (Array.isArray(container)) return container
  return container instanceof Map || container instanceof Set ? [...container] : undefined
}

function annotateMembers(path: Path, object: object): Children {
  const children: Children = new Map()
  for (const [key, member] of Object.entries(object)) {
    const annotation = annotateInside(path, key, member)
    if (annotation) children.set(key, annotation)
  }
  return children
}

function annotateItems(path: Path, items: unknown[]): Children {
  const children: Children = new Map()
  for (const [index, item] of items.entries()) {
    const annotation = annotateInside(path, index, item)
    if (annotation) children.set(String(index), annotation)
  }
  return children.size > 0 ? foldItems(items, children) : children
}

function annotateInside(path: Path, key: string | number, value: unknown): Annotation | undefined {
  path.push(key)
  const annotation = annotateAt(path, value)
  path.pop()
  return annotation
}

/** Says it once for all items, if that is true of each of them. */
function foldItems(items: unknown[], children: Children): Children {
  const united = newAnnotation()
  for (const child of children.values()) unite(united, child)
  const folded: Children = new Map([[EACH, united]])
  return itemsAgree(items, children, folded) ? folded : children
}

function unite(united: Annotation, annotation: Annotation): void {
  united.type ??= annotation.type
  for (const [key, child] of annotation.children) unite(childOf(united, key), child)
}

function itemsAgree(items: unknown[], own: Children, united: Children): boolean {
  const each = united.get(EACH)
  if (each && united.size > 1) return false
  for (const [index, item] of items.entries()) {
    const expected = each ?? united.get(String(index))
    if (expected && !agrees(item, own.get(EACH) ?? own.get(String(index)), expected)) return false
  }
  return true
}

function agrees(value: unknown, own: Annotation | undefined, united: Annotation): boolean {
  const form = jsonForm(value)
  // Whatever type is expected, null stays null; only "undefined" would change it.
  if (form === null) return united.type !== "undefined"
  if (own?.type !== united.type) return false
  const ownChildren = own?.children ?? NO_CHILDREN
  const items = itemsOf(form)
  return items ? itemsAgree(items, ownChildren, united.children) : membersAgree(form, ownChildren, united.children)
}

function membersAgree(form: unknown, own: Children, united: Children): boolean {
  if (typeof form !== "object" || form === null) return true
  for (const [key, expected] of united) {
    if (key === EACH) return false
    if (Object.hasOwn(form, key) && !agrees(Reflect.get(form, key), own.get(key), expected)) return false
  }
  return true
}

function unwritable(path: Path, what: string): TypeError {
  return new TypeError(`Extended JSON cannot hold ${what} (at "${path.slice(0, 20).join(".")}").`)
}
