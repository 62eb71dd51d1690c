import { FieldListeners } from "./listeners.ts"
import { type Path, pathText, valueAt, withValueAt } from "./path.ts"
import { isSameValue } from "./same-value.ts"

export type FieldValues = Readonly<Record<string, unknown>>

/** A text that is no value of its field yet, such as a number that is typed to the half. */
export interface UnparsedText {
  readonly text: string
  readonly problem: string
}

/** The value that a focused field shows, and the value of the server from which it comes. */
interface HeldField {
  readonly shown: unknown
  readonly base: unknown
}

/**
 * The values of a record in a form: the newest ones of the server (the baseline), and over them those that the person has
 * changed (the edits). For each edited field it also keeps the value from which the edit started (the base).
 *
 * A new baseline is shown in the fields that are not edited, and never changes an edit. A field that has the focus keeps
 * what it shows until the focus leaves it.
 */
export class FormStore {
  #baseline: FieldValues
  readonly #bases = new Map<string, unknown>()
  readonly #edits = new Map<string, unknown>()
  readonly #held = new Map<string, HeldField>()
  readonly #unparsed = new Map<string, UnparsedText>()
  readonly #listeners = new FieldListeners()

  constructor(baseline: FieldValues) {
    this.#baseline = baseline
  }

  /** The newest values of the server. */
  get baseline(): FieldValues {
    return this.#baseline
  }

  /** Returns the value that the form shows at a path. */
  read([field, ...rest]: Path): unknown {
    return valueAt(this.#shown(field), rest)
  }

  /** Returns the values that the form shows, by field. */
  values(): FieldValues {
    const held = [...this.#held].map(([field, { shown }]) => [field, shown])
    return { ...this.#baseline, ...Object.fromEntries(held), ...Object.fromEntries(this.#edits) }
  }

  /** Changes the value at a path, as an edit of its field. An edit back to where it started is no edit any more. */
  write([field, ...rest]: Path, value: unknown): void {
    this.#dropUnparsed(pathText([field, ...rest]))
    const edited = withValueAt(this.#shown(field), rest, value)
    const base = this.#baseOf(field)
    this.#edits.delete(field)
    this.#bases.delete(field)
    if (!isSameValue(edited, base) && !isSameValue(edited, this.#baseline[field])) {
      this.#edits.set(field, edited)
      this.#bases.set(field, base)
    } else if (this.#held.has(field)) {
      this.#held.set(field, { shown: edited, base })
    }
    this.#listeners.notify(field)
  }

  /** Keeps a text that is no value yet. It counts as a change that cannot be saved, until the path is written. */
  writeUnparsed(path: Path, unparsed: UnparsedText): void {
    this.#unparsed.set(pathText(path), unparsed)
    this.#listeners.notify(path[0])
  }

  unparsedAt(path: Path): UnparsedText | undefined {
    return this.#unparsed.get(pathText(path))
  }

  /** Returns the texts that are no values, by their paths. */
  unparsed(): ReadonlyMap<string, UnparsedText> {
    return this.#unparsed
  }

  /** Keeps what the field shows while the person is in it. */
  hold(field: string): void {
    if (!this.#held.has(field)) this.#held.set(field, { shown: this.#shown(field), base: this.#baseOf(field) })
  }

  /** Shows the newest value again, unless the field is edited. */
  release(field: string): void {
    if (this.#held.delete(field)) this.#listeners.notify(field)
  }

  /** Shows newer values of the server. Edited fields keep what the person has typed. */
  follow(baseline: FieldValues): void {
    const former = this.#baseline
    const fields = new Set([...Object.keys(former), ...Object.keys(baseline)])
    const changed = [...fields].filter((field) => !isSameValue(former[field], baseline[field]))
    // Equal values stay the same objects, so that nothing that shows them is rendered again.
    const kept = Object.entries(baseline).map(([field, value]) => [
      field,
      changed.includes(field) ? value : former[field],
    ])
    this.#baseline = Object.fromEntries(kept)
    for (const field of changed) {
      if (this.#edits.has(field) && isSameValue(this.#edits.get(field), baseline[field])) this.#agree(field)
      this.#listeners.notify(field)
    }
  }

  /** Takes over what a save has stored. What was typed since it was sent stays an edit, of the stored value. */
  saved(sent: FieldValues, stored: FieldValues): void {
    for (const [field, value] of Object.entries(sent)) {
      const shown = this.#shown(field)
      if (this.#held.has(field)) this.#held.set(field, { shown, base: stored[field] })
      this.#dropEdit(field)
      if (isSameValue(shown, value)) continue
      this.#edits.set(field, shown)
      this.#bases.set(field, stored[field])
    }
    this.follow(stored)
    for (const field of Object.keys(sent)) this.#listeners.notify(field)
  }

  /** Drops the edit of a field, or all edits: the newest values of the server are shown again. */
  discard(field?: string): void {
    for (const dropped of field === undefined ? this.editedFields() : [field]) {
      this.#dropEdit(dropped)
      this.#held.delete(dropped)
      this.#dropUnparsed(dropped)
      this.#listeners.notify(dropped)
    }
  }

  /** Keeps the edit of an overtaken field, as an edit of the newest value: a save puts it in the place of that one. */
  keepMine(field: string): void {
    if (this.#edits.has(field)) this.#bases.set(field, this.#baseline[field])
    this.#listeners.notify(field)
  }

  /** Returns the edited fields with their values: the input of a create or an update. */
  edits(): Record<string, unknown> {
    return Object.fromEntries(this.#edits)
  }

  /** Returns the names of the fields that are not as the server has them, also of those whose text is no value yet. */
  editedFields(): string[] {
    return [...new Set([...this.#edits.keys(), ...[...this.#unparsed.keys()].map(fieldOf)])]
  }

  editCount(): number {
    return this.#unparsed.size === 0 ? this.#edits.size : this.editedFields().length
  }

  isEdited(field: string): boolean {
    return this.#edits.has(field)
  }

  /** Returns whether the server has got another value since the person has seen the field. */
  isOvertaken(field: string): boolean {
    return !isSameValue(this.#baseOf(field), this.#baseline[field])
  }

  /** Returns the edited fields of which the server has got another value since. */
  overtakenFields(): string[] {
    return [...this.#edits.keys()].filter((field) => this.isOvertaken(field))
  }

  /** Calls back whenever the field, or with `null` any field, may show another value. Returns an unsubscribe function. */
  subscribe(field: string | null, listener: () => void): () => void {
    return this.#listeners.subscribe(field, listener)
  }

  #shown(field: string): unknown {
    if (this.#edits.has(field)) return this.#edits.get(field)
    const held = this.#held.get(field)
    return held === undefined ? this.#baseline[field] : held.shown
  }

  #baseOf(field: string): unknown {
    if (this.#bases.has(field)) return this.#bases.get(field)
    const held = this.#held.get(field)
    return held === undefined ? this.#baseline[field] : held.base
  }

  // Somebody else has stored the same value.
  #agree(field: string): void {
    if (this.#held.has(field)) this.#held.set(field, { shown: this.#shown(field), base: this.#baseline[field] })
    this.#dropEdit(field)
  }

  #dropEdit(field: string): void {
    this.#edits.delete(field)
    this.#bases.delete(field)
  }

  // A value that is written takes the place of the texts at and below its path.
  #dropUnparsed(path: string): void {
    for (const unparsed of this.#unparsed.keys()) {
      if (unparsed === path || unparsed.startsWith(`${path}.`)) this.#unparsed.delete(unparsed)
    }
  }
}

function fieldOf(path: string): string {
  return path.split(".", 1)[0] ?? path
}
