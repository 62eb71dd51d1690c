import type { PartStep } from "../compile/field-type.ts"
import { isPlainObject } from "../fields/json.ts"

/** A part of a value that holds the id of a record. */
interface ReferencedPart {
  /** The path of the part within the value, such as `2.image`. */
  readonly path: string
  readonly id: string
}

/** Returns the parts of a value to which the steps lead, if they hold ids. */
export function findReferencedParts(value: unknown, steps: readonly PartStep[]): readonly ReferencedPart[] {
  const [step, ...rest] = steps
  if (step === undefined) return typeof value === "string" ? [{ path: "", id: value }] : []
  return entriesAt(value, step).flatMap(([name, part]) =>
    findReferencedParts(part, rest).map(({ path, id }) => ({ path: path === "" ? name : `${name}.${path}`, id })),
  )
}

/**
 * Returns the value with the parts to which the steps lead replaced by what `change` returns for them. An item of a list
 * that becomes null is left out. The value itself is not changed, because the author's functions may hold on to it.
 */
export function changeParts(value: unknown, steps: readonly PartStep[], change: (part: unknown) => unknown): unknown {
  const [step, ...rest] = steps
  if (step === undefined) return change(value)
  const changed = new Map(entriesAt(value, step).map(([name, part]) => [name, changeParts(part, rest, change)]))
  if (!Array.isArray(value)) return isPlainObject(value) ? { ...value, ...Object.fromEntries(changed) } : value
  const items = value.map((item, index) => (changed.has(String(index)) ? changed.get(String(index)) : item))
  return rest.length === 0 ? items.filter((item) => item !== null) : items
}

/** Returns the value with null in the place of the id, or without it where the id is an item of a list. */
export function withoutReference(value: unknown, steps: readonly PartStep[], id: string): unknown {
  return changeParts(value, steps, (part) => (part === id ? null : part))
}

// Returns the parts to which one step leads, each with its name or index. A stored value may have another form than the
// field declares now, and then has no such parts.
function entriesAt(value: unknown, step: PartStep): readonly (readonly [name: string, part: unknown])[] {
  if (step.kind === "member") {
    return isPlainObject(value) && Object.hasOwn(value, step.name) ? [[step.name, value[step.name]]] : []
  }
  const items = Array.isArray(value) ? [...value.entries()] : []
  const { block } = step
  const named = items.filter(([, item]) => block === undefined || (isPlainObject(item) && item["type"] === block))
  return named.map(([index, item]) => [String(index), item])
}
