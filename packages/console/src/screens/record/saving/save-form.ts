import { KitClientError } from "kit/client"
import type { Problem } from "../../../form/form-problems.ts"
import type { FieldValues, FormStore } from "../../../form/form-store.ts"
import type { RecordOperations } from "../../../kit/record-operations.ts"
import type { ConsoleRecord } from "../../../kit/resources.ts"

const ATTEMPTS_MAX = 5

/** Why edits are not saved. */
export type Refusal =
  /** Another person has saved a field that is edited here. Nothing was sent. */
  | { readonly kind: "overtaken"; readonly store: FormStore }
  | { readonly kind: "problems"; readonly store: FormStore; readonly problems: readonly Problem[] }
  | { readonly kind: "deleted" }
  | { readonly kind: "failed"; readonly error: Error }

export type SaveOutcome =
  /** A new record may be stored while one of its other languages is refused: its edits stay in the form. */
  { readonly kind: "saved"; readonly record: ConsoleRecord; readonly refused: Refusal | null } | Refusal

interface SavedForm {
  readonly store: FormStore
  readonly operations: Pick<RecordOperations, "write" | "reread">
  /** True for a record that has not been created yet. */
  readonly isNew: boolean
}

/**
 * Saves the edits of a form, those of each language by a write of its own. If the record has changed meanwhile, it is
 * read again, and the edits are sent again unless one of their fields is what has changed. Edits are dropped only once
 * they are stored.
 */
export async function saveForm({ store, operations, isNew }: SavedForm): Promise<SaveOutcome> {
  const [first = store, ...others] = inOrder(store, isNew)
  let outcome = await saveInLocale({ store: first, operations, isNew, isShown: first === store })
  for (const other of others) {
    if (outcome.kind !== "saved") return outcome
    const { record } = outcome
    const next = await saveInLocale({
      store: other,
      operations: isNew ? ofCreated(operations, record.id) : operations,
      isNew: false,
      isShown: isNew || other === store,
    })
    if (isNew && next.kind !== "saved") return { kind: "saved", record, refused: next }
    outcome = next
  }
  return outcome
}

// A new record is created in the default locale, if it has texts in it: its required ones have to be there.
function inOrder(store: FormStore, isNew: boolean): readonly FormStore[] {
  const edited = store.editedLocales().filter((other) => other !== store)
  const main = isNew ? edited.find(({ language }) => language.isDefault) : undefined
  return main ? [main, ...[store, ...edited].filter((other) => other !== main && isEdited(other))] : [store, ...edited]
}

function isEdited(store: FormStore): boolean {
  return store.editedLocales().includes(store)
}

function ofCreated({ write, reread }: SavedForm["operations"], id: string): SavedForm["operations"] {
  return { write: (data, settings) => write(data, { ...settings, id }), reread }
}

interface SavedLocale extends SavedForm {
  /** True if the store has followed the record until now. Otherwise somebody may have written the texts since. */
  readonly isShown: boolean
}

async function saveInLocale({ isShown, ...form }: SavedLocale): Promise<SaveOutcome> {
  if (!isShown && !form.isNew) {
    const stopped = await followFresh(form)
    if (stopped !== null) return stopped
  }
  for (let attempt = 1; attempt < ATTEMPTS_MAX; attempt++) {
    const outcome = await attemptSave(form)
    if (outcome.kind !== "failed" || !isRevisionConflict(outcome.error)) return outcome
    const stopped = await followFresh(form)
    if (stopped !== null) return stopped
  }
  return attemptSave(form)
}

async function attemptSave({ store, operations, isNew }: SavedForm): Promise<SaveOutcome> {
  if (store.overtakenFields().length > 0) return { kind: "overtaken", store }
  const sent = store.edits()
  try {
    const record = await operations.write(sent, { ...inLocaleOf(store), ...expectedRevision(store, isNew) })
    store.saved(sent, storedValues(store, record, sent))
    return { kind: "saved", record, refused: null }
  } catch (error) {
    return refusalOf(error, store)
  }
}

// Returns why the save cannot be tried again, or null.
async function followFresh({ store, operations }: SavedForm): Promise<Refusal | null> {
  try {
    const fresh = await operations.reread(store.locale || undefined)
    if (fresh === null) return { kind: "deleted" }
    store.follow(fresh)
    return null
  } catch (error) {
    return { kind: "failed", error: asError(error) }
  }
}

function inLocaleOf({ locale }: FormStore): { locale?: string } {
  return locale === "" ? {} : { locale }
}

function expectedRevision({ baseline }: FormStore, isNew: boolean): { expectedRevision?: number } {
  const revision = baseline["revision"]
  return !isNew && typeof revision === "number" ? { expectedRevision: revision } : {}
}

// Somebody who may write a record, but not see its draft, gets only the id.
function storedValues({ baseline }: FormStore, record: ConsoleRecord, sent: FieldValues): FieldValues {
  const isAnswered = Object.keys(record).length > 1
  return { ...baseline, ...(isAnswered ? record : sent) }
}

function isRevisionConflict(error: unknown): boolean {
  return error instanceof KitClientError && error.isCode("CONFLICT") && error.context?.["revision"] !== undefined
}

function refusalOf(error: unknown, store: FormStore): Refusal {
  if (error instanceof KitClientError) {
    const { fieldErrors, status } = error
    if (fieldErrors && fieldErrors.length > 0) return { kind: "problems", store, problems: fieldErrors }
    if (status === 404) return { kind: "deleted" }
  }
  return { kind: "failed", error: asError(error) }
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error))
}
