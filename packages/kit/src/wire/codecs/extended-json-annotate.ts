import { type Annotation, childOf, EACH, type ExtendedType, newAnnotation } from "./extended-json-annotation.ts"
import { isObject } from "./is-object.ts"

/** How deep a value may be nested that we write. */
const MAX_DEPTH = 200

type Children = Annotation["children"]
type Path = (string | number)[]

const NO_CHILDREN: Children = new Map()

/** Walks a value and notes what plain JSON would lose; undefined when it would lose nothing. */
export function annotate(value: unknown, path: Path = []): Annotation | undefined {
  const form = jsonForm(value)
  const type = typeOf(form)
  if (form instanceof Date && Number.isNaN(form.getTime())) throw unwritable(path, "an invalid Date")
  const children = isContainer(form) ? annotateInside(path, form) : NO_CHILDREN
  return type || children.size > 0 ? { type, children } : undefined
}

/** What `JSON.stringify` looks into in place of the value. */
function jsonForm(value: unknown): unknown {
  return isContainer(value) && "toJSON" in value && typeof value.toJSON === "function" ? value.toJSON() : value
}

function typeOf(form: unknown): ExtendedType | undefined {
  if (form === undefined) return "undefined"
  if (typeof form === "bigint") return "BigInt"
  if (form instanceof Date) return "Date"
  if (form instanceof Map) return "Map"
  return form instanceof Set ? "Set" : undefined
}

function isContainer(form: unknown): form is object {
  return isObject(form) && !(form instanceof Date)
}

function annotateInside(path: Path, container: object): Children {
  if (path.length === MAX_DEPTH) throw unwritable(path, "a value that deep, or one that holds itself")
  const children: Children = new Map()
  const items = itemsOf(container)
  for (const [key, member] of items?.entries() ?? Object.entries(container)) {
    path.push(key)
    const annotation = annotate(member, path)
    path.pop()
    if (annotation) children.set(String(key), annotation)
  }
  return items && children.size > 0 ? foldItems(items, children) : children
}

function itemsOf(container: object): unknown[] | undefined {
  if (Array.isArray(container)) return container
  return container instanceof Map || container instanceof Set ? [...container] : undefined
}

/** Says it once for all items, if that is true of each of them. */
function foldItems(items: unknown[], children: Children): Children {
  const united = newAnnotation()
  for (const child of children.values()) unite(united, child)
  return fitsAll(items, united) ? new Map([[EACH, united]]) : children
}

function unite(united: Annotation, annotation: Annotation): void {
  united.type ??= annotation.type
  for (const [key, child] of annotation.children) unite(childOf(united, key), child)
}

function fitsAll(items: unknown[], annotation: Annotation): boolean {
  // A hole is written as null, so it must not be passed over as `every` does.
  for (const item of items) if (!fits(item, annotation)) return false
  return true
}

/** Whether an annotation that says all that is true of the value says nothing more than that. */
function fits(value: unknown, { type, children }: Annotation): boolean {
  const form = jsonForm(value)
  // Whatever type is expected, null stays null; only "undefined" would change it.
  if (form === null) return type !== "undefined"
  if (typeOf(form) !== type) return false
  return !isContainer(form) || fitInside(form, children)
}

function fitInside(container: object, children: Children): boolean {
  const items = itemsOf(container)
  const each = children.get(EACH)
  if (each) return items !== undefined && children.size === 1 && fitsAll(items, each)
  const members = items ? [...items] : container
  for (const [key, child] of children) {
    if (Object.hasOwn(members, key) && !fits(Reflect.get(members, key), child)) return false
  }
  return true
}

function unwritable(path: Path, what: string): TypeError {
  return new TypeError(`Extended JSON cannot hold ${what} (at "${path.slice(0, 20).join(".")}").`)
}
