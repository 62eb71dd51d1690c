import { KitClientError } from "kit/client"
import type { Problem } from "../../../form/form-problems.ts"
import type { FieldValues, FormStore } from "../../../form/form-store.ts"
import type { RecordOperations } from "../../../kit/record-operations.ts"
import type { ConsoleRecord } from "../../../kit/resources.ts"

const ATTEMPTS_MAX = 5

export type SaveOutcome =
  | { readonly kind: "saved"; readonly record: ConsoleRecord }
  /** Another person has saved a field that is edited here. Nothing was sent. */
  | { readonly kind: "overtaken" }
  | { readonly kind: "problems"; readonly problems: readonly Problem[] }
  | { readonly kind: "deleted" }
  | { readonly kind: "failed"; readonly error: Error }

interface SavedForm {
  readonly store: FormStore
  readonly operations: Pick<RecordOperations, "write" | "reread">
  /** True for a record that has not been created yet. */
  readonly isNew: boolean
}

/**
 * Saves the edits of a form. If the record has changed meanwhile, it is read again, and the edits are sent again unless
 * one of their fields is what has changed. Edits are dropped only once they are stored.
 */
export async function saveForm(form: SavedForm): Promise<SaveOutcome> {
  for (let attempt = 1; attempt < ATTEMPTS_MAX; attempt++) {
    const outcome = await attemptSave(form)
    if (outcome.kind !== "failed" || !isRevisionConflict(outcome.error)) return outcome
    const stopped = await followFresh(form)
    if (stopped !== null) return stopped
  }
  return attemptSave(form)
}

async function attemptSave({ store, operations, isNew }: SavedForm): Promise<SaveOutcome> {
  if (store.overtakenFields().length > 0) return { kind: "overtaken" }
  const sent = store.edits()
  try {
    const record = await operations.write(sent, expectedRevision(store, isNew))
    store.saved(sent, storedValues(store, record, sent))
    return { kind: "saved", record }
  } catch (error) {
    return outcomeOf(error)
  }
}

// Returns why the save cannot be tried again, or null.
async function followFresh({ store, operations }: SavedForm): Promise<SaveOutcome | null> {
  try {
    const fresh = await operations.reread()
    if (fresh === null) return { kind: "deleted" }
    store.follow(fresh)
    return null
  } catch (error) {
    return { kind: "failed", error: asError(error) }
  }
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

function outcomeOf(error: unknown): SaveOutcome {
  if (error instanceof KitClientError) {
    if (error.fieldErrors && error.fieldErrors.length > 0) return { kind: "problems", problems: error.fieldErrors }
    if (error.status === 404) return { kind: "deleted" }
  }
  return { kind: "failed", error: asError(error) }
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error))
}
