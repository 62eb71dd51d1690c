import { type Path, valueAt, withValueAt } from "./path.ts"

type FieldValues = Readonly<Record<string, unknown>>

/**
 * What a form shows of a record: the newest values of the server (the baseline), and over them what the person has
 * changed (the edits). For each edited field it also keeps the value from which the edit started (the base).
 *
 * A new baseline is shown in the fields that are not edited, and never changes an edit.
 */
export class FormStore {
  #baseline: FieldValues
  readonly #bases = new Map<string, unknown>()
  readonly #edits = new Map<string, unknown>()
  readonly #listeners = new Map<string, Set<() => void>>()

  constructor(baseline: FieldValues) {
    this.#baseline = baseline
  }

  /** Returns the value that the form shows at a path. */
  read([field, ...rest]: Path): unknown {
    return valueAt(this.#edits.has(field) ? this.#edits.get(field) : this.#baseline[field], rest)
  }

  /** Changes the value at a path, as an edit of its field. An edit back to the baseline's value is no edit any more. */
  write([field, ...rest]: Path, value: unknown): void {
    if (!this.#edits.has(field)) this.#bases.set(field, this.#baseline[field])
    const edited = withValueAt(this.read([field]), rest, value)
    if (isSameValue(edited, this.#baseline[field])) {
      this.discard(field)
      return
    }
    this.#edits.set(field, edited)
    this.#notify(field)
  }

  /** Shows newer values of the server. Edited fields keep what the person has typed. */
  follow(baseline: FieldValues): void {
    const former = this.#baseline
    this.#baseline = baseline
    for (const field of new Set([...Object.keys(former), ...Object.keys(baseline)])) {
      if (!Object.is(former[field], baseline[field])) this.#notify(field)
    }
  }

  /** Drops the edit of a field, or all edits. */
  discard(field?: string): void {
    for (const dropped of field === undefined ? [...this.#edits.keys()] : [field]) {
      this.#edits.delete(dropped)
      this.#bases.delete(dropped)
      this.#notify(dropped)
    }
  }

  /** Returns the edited fields with their values: the input of a create or an update. */
  edits(): Record<string, unknown> {
    return Object.fromEntries(this.#edits)
  }

  editCount(): number {
    return this.#edits.size
  }

  /** Returns whether the server has got another value since the edit of the field was started. */
  isOvertaken(field: string): boolean {
    return this.#bases.has(field) && !isSameValue(this.#bases.get(field), this.#baseline[field])
  }

  /** Calls back whenever the field, or with `null` any field, may show another value. Returns an unsubscribe function. */
  subscribe(field: string | null, listener: () => void): () => void {
    const key = field ?? ANY_FIELD
    const listeners = this.#listeners.get(key) ?? new Set()
    this.#listeners.set(key, listeners.add(listener))
    return () => listeners.delete(listener)
  }

  #notify(field: string): void {
    for (const key of [field, ANY_FIELD]) for (const listener of this.#listeners.get(key) ?? []) listener()
  }
}

// No field has this name: names do not begin with an underscore.
const ANY_FIELD = "_any"

function isSameValue(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true
  if (one === null || other === null || typeof one !== "object" || typeof other !== "object") return false
  if (one instanceof Date || other instanceof Date) {
    return one instanceof Date && other instanceof Date && one.getTime() === other.getTime()
  }
  const keys = Object.keys(one)
  if (Array.isArray(one) !== Array.isArray(other) || keys.length !== Object.keys(other).length) return false
  // Both are objects, so their members can be read by name.
  const [first, second] = [one as Record<string, unknown>, other as Record<string, unknown>]
  return keys.every((key) => Object.hasOwn(second, key) && isSameValue(first[key], second[key]))
}
