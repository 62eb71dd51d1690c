import { type Annotation, childOf, EACH, type ExtendedType, newAnnotation } from "./extended-json-annotation.ts"
import { isObject } from "./is-object.ts"

/** The maximum nesting depth of a value that is serialized. */
const MAX_DEPTH = 200

type Children = Annotation["children"]
type Path = (string | number)[]

const NO_CHILDREN: Children = new Map()

/** Walks a value and returns the types that plain JSON would lose, or undefined if plain JSON would lose none. */
export function annotate(value: unknown, path: Path = []): Annotation | undefined {
  const form = jsonForm(value)
  const type = typeOf(form)
  if (form instanceof Date && Number.isNaN(form.getTime())) throw unwritable(path, "an invalid Date")
  const children = isContainer(form) ? annotateInside(path, form) : NO_CHILDREN
  return type || children.size > 0 ? { type, children } : undefined
}

/**
 * Returns the value that `JSON.stringify` serializes in place of this value: the result of `toJSON`, if the value has
 * it.
 */
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
  if (path.length === MAX_DEPTH) throw unwritable(path, "a value that deep, or a circular one")
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

/**
 * Merges the annotations of all items into a single annotation, if the merged one is correct for every item. Otherwise
 * returns the separate annotations.
 */
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
  // `JSON.stringify` writes a hole of a sparse array as null. So a hole must be checked too, but `every` would skip it.
  for (const item of items) if (!fits(item, annotation)) return false
  return true
}

/**
 * True if every type in the annotation is correct for the value. The annotation was merged from the annotations of all
 * items, so it cannot lack a type that the value needs.
 */
function fits(value: unknown, { type, children }: Annotation): boolean {
  const form = jsonForm(value)
  // When the JSON is read, null stays null under every type except "undefined", which would turn it into undefined.
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
