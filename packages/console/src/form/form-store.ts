import { FieldEdits, type UnparsedText } from "./field-edits.ts"
import type { FormLanguage } from "./form-language.ts"
import { FieldListeners } from "./listeners.ts"
import { type Path, pathText, valueAt, withValueAt } from "./path.ts"
import { isSameValue } from "./same-value.ts"

export type FieldValues = Readonly<Record<string, unknown>>

/** The state of a form that does not depend on the locale that it shows. */
interface WholeForm {
  readonly edits: FieldEdits
  readonly listeners: FieldListeners
  /** The form in each locale that has been edited. */
  readonly byLocale: Map<string, FormStore>
}

const ONE_LANGUAGE: FormLanguage = { locale: "", isDefault: true, localized: new Set() }

/**
 * The values of a record in a form: the newest ones of the server (the baseline), and over them those that the person has
 * changed (the edits). For each edited field it also keeps the value from which the edit started (the base).
 *
 * A new baseline is shown in the fields that are not edited, and never changes an edit. A field that has the focus keeps
 * what it shows until the focus leaves it.
 *
 * A store shows the localized fields in one locale. `inLocale` returns the store of another one: the other fields are the
 * same in both, and edits of the localized ones stay where they were made.
 */
export class FormStore {
  readonly language: FormLanguage
  readonly #whole: WholeForm
  readonly #localized = new FieldEdits()
  #baseline: FieldValues

  constructor(
    baseline: FieldValues,
    language = ONE_LANGUAGE,
    whole: WholeForm = { edits: new FieldEdits(), listeners: new FieldListeners(), byLocale: new Map() },
  ) {
    this.language = language
    this.#baseline = baseline
    this.#whole = whole
    whole.byLocale.set(language.locale, this)
  }

  /** The newest values of the server. */
  get baseline(): FieldValues {
    return this.#baseline
  }

  get locale(): string {
    return this.language.locale
  }

  /** Returns whether the field has a text in the default locale, too, which readers see while this one is missing. */
  isTranslation(field: string): boolean {
    return this.language.localized.has(field) && !this.language.isDefault
  }

  /** Returns the form in another locale, with the newest values in it. */
  inLocale(language: FormLanguage, baseline: FieldValues): FormStore {
    const known = this.#whole.byLocale.get(language.locale)
    const store = known ?? new FormStore({}, language, this.#whole)
    store.follow(baseline)
    return store
  }

  /** Returns the value that the form shows at a path. */
  read([field, ...rest]: Path): unknown {
    return valueAt(this.#shown(field), rest)
  }

  /** Returns the values that the form shows, by field. */
  values(): FieldValues {
    const held = this.#parts().flatMap((part) => [...part.held].map(([field, { shown }]) => [field, shown]))
    return { ...this.#baseline, ...Object.fromEntries(held), ...this.edits() }
  }

  /** Changes the value at a path, as an edit of its field. An edit back to where it started is no edit any more. */
  write([field, ...rest]: Path, value: unknown): void {
    const edits = this.#editsOf(field)
    edits.dropUnparsed([field, ...rest])
    const edited = withValueAt(this.#shown(field), rest, value)
    const base = this.#baseOf(field)
    edits.drop(field)
    if (!isSameValue(edited, base) && !isSameValue(edited, this.#baseline[field])) {
      edits.values.set(field, edited)
      edits.bases.set(field, base)
    } else if (edits.held.has(field)) {
      edits.held.set(field, { shown: edited, base })
    }
    this.#notify(field)
  }

  /** Keeps a text that is no value yet. It counts as a change that cannot be saved, until the path is written. */
  writeUnparsed(path: Path, unparsed: UnparsedText): void {
    this.#editsOf(path[0]).unparsed.set(pathText(path), unparsed)
    this.#notify(path[0])
  }

  unparsedAt(path: Path): UnparsedText | undefined {
    return this.#editsOf(path[0]).unparsed.get(pathText(path))
  }

  /** Returns the texts that are no values, by their paths. */
  unparsed(): ReadonlyMap<string, UnparsedText> {
    return new Map(this.#parts().flatMap((part) => [...part.unparsed]))
  }

  /** Keeps what the field shows while the person is in it. */
  hold(field: string): void {
    const { held } = this.#editsOf(field)
    if (!held.has(field)) held.set(field, { shown: this.#shown(field), base: this.#baseOf(field) })
  }

  /** Shows the newest value again, unless the field is edited. */
  release(field: string): void {
    if (this.#editsOf(field).held.delete(field)) this.#notify(field)
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
    for (const other of this.#whole.byLocale.values()) if (other !== this) other.#followShared(this.#baseline)
    for (const field of changed) {
      const { values } = this.#editsOf(field)
      if (values.has(field) && isSameValue(values.get(field), baseline[field])) this.#agree(field)
      this.#notify(field)
    }
  }

  /** Takes over what a save has stored. What was typed since it was sent stays an edit, of the stored value. */
  saved(sent: FieldValues, stored: FieldValues): void {
    for (const [field, value] of Object.entries(sent)) {
      const edits = this.#editsOf(field)
      const shown = this.#shown(field)
      if (edits.held.has(field)) edits.held.set(field, { shown, base: stored[field] })
      edits.drop(field)
      if (isSameValue(shown, value)) continue
      edits.values.set(field, shown)
      edits.bases.set(field, stored[field])
    }
    this.follow(stored)
    for (const field of Object.keys(sent)) this.#notify(field)
  }

  /** Drops the edit of a field, or all edits in all locales: the newest values of the server are shown again. */
  discard(field?: string): void {
    if (field === undefined) {
      for (const store of this.#whole.byLocale.values()) store.#discardAll()
      return
    }
    const edits = this.#editsOf(field)
    edits.drop(field)
    edits.held.delete(field)
    edits.dropUnparsed([field])
    this.#notify(field)
  }

  /** Keeps the edit of an overtaken field, as an edit of the newest value: a save puts it in the place of that one. */
  keepMine(field: string): void {
    const { values, bases } = this.#editsOf(field)
    if (values.has(field)) bases.set(field, this.#baseline[field])
    this.#notify(field)
  }

  /** Returns the edited fields with their values: the input of a create or an update in this locale. */
  edits(): Record<string, unknown> {
    return Object.fromEntries(this.#parts().flatMap((part) => [...part.values]))
  }

  /** Returns the names of the fields that are not as the server has them, also of those whose text is no value yet. */
  editedFields(): string[] {
    return this.#parts().flatMap((part) => part.fields())
  }

  /** Returns the number of edited fields, of localized ones in every locale. */
  editCount(): number {
    const localized = this.editedLocales().map((store) => store.#localized.fields().length)
    return localized.reduce((sum, count) => sum + count, this.#whole.edits.fields().length)
  }

  /** Returns the form in each locale in which localized fields are edited. */
  editedLocales(): readonly FormStore[] {
    return [...this.#whole.byLocale.values()].filter((store) => store.#localized.fields().length > 0)
  }

  isEdited(field: string): boolean {
    return this.#editsOf(field).values.has(field)
  }

  /** Returns whether the server has got another value since the person has seen the field. */
  isOvertaken(field: string): boolean {
    return !isSameValue(this.#baseOf(field), this.#baseline[field])
  }

  /** Returns the edited fields of which the server has got another value since. */
  overtakenFields(): string[] {
    return Object.keys(this.edits()).filter((field) => this.isOvertaken(field))
  }

  /** Calls back whenever the field, or with `null` any field, may show another value. Returns an unsubscribe function. */
  subscribe(field: string | null, listener: () => void): () => void {
    return this.#whole.listeners.subscribe(field, listener)
  }

  #discardAll(): void {
    for (const field of this.editedFields()) this.discard(field)
  }

  #notify(field: string): void {
    this.#whole.listeners.notify(field)
  }

  #editsOf(field: string): FieldEdits {
    return this.language.localized.has(field) ? this.#localized : this.#whole.edits
  }

  #parts(): FieldEdits[] {
    return [this.#whole.edits, this.#localized]
  }

  #shown(field: string): unknown {
    const { values, held } = this.#editsOf(field)
    if (values.has(field)) return values.get(field)
    const kept = held.get(field)
    return kept === undefined ? this.#baseline[field] : kept.shown
  }

  #baseOf(field: string): unknown {
    const { bases, held } = this.#editsOf(field)
    if (bases.has(field)) return bases.get(field)
    const kept = held.get(field)
    return kept === undefined ? this.#baseline[field] : kept.base
  }

  // A value that all locales share is never older in one of them.
  #followShared(baseline: FieldValues): void {
    const shared = Object.entries(baseline).filter(([field]) => !this.language.localized.has(field))
    this.#baseline = { ...this.#baseline, ...Object.fromEntries(shared) }
  }

  // Somebody else has stored the same value.
  #agree(field: string): void {
    const edits = this.#editsOf(field)
    if (edits.held.has(field)) edits.held.set(field, { shown: this.#shown(field), base: this.#baseline[field] })
    edits.drop(field)
  }
}
