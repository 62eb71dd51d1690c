import { useCallback, useMemo, useState } from "react"
import type { Form } from "../../../form/form-context.ts"
import { FormProblems } from "../../../form/form-problems.ts"
import type { FormStore } from "../../../form/form-store.ts"
import type { ResourceSchema } from "../../../kit/descriptions.ts"
import { operationsOf, type RecordOperations, type RecordPlace } from "../../../kit/record-operations.ts"
import type { ConsoleRecord } from "../../../kit/resources.ts"
import { useWords } from "../../../words/words.ts"
import type { RecordRead } from "../use-record.ts"
import { type SaveOutcome, saveForm } from "./save-form.ts"
import { problemsInPage, useValidation } from "./use-validation.ts"

/** The state of the last save. What is wrong with fields stands in the problems of the form. */
export type SaveState =
  | { readonly kind: "idle" }
  | { readonly kind: "saving" }
  | { readonly kind: "saved" }
  | { readonly kind: "overtaken" }
  | { readonly kind: "deleted" }
  | { readonly kind: "failed"; readonly error: Error }

/** A form of a record, and what can be done with all of it. */
export interface RecordForm {
  readonly form: Form
  readonly operations: RecordOperations
  readonly place: RecordPlace
  /** The options with which the record is read. */
  readonly readOptions: RecordRead["readOptions"]
  /** True for a record that has not been created yet. */
  readonly isNew: boolean
  readonly saveState: SaveState
  /** Saves the edits. Resolves with the stored record, or with null if something has to be done first. */
  readonly save: () => Promise<ConsoleRecord | null>
}

interface RecordFormInput {
  readonly place: RecordPlace
  readonly schema: ResourceSchema
  readonly store: FormStore
  readonly read: RecordRead
  readonly fallbacks: ConsoleRecord | undefined
  /** True if nothing can be changed, whatever the rights are. */
  readonly isLocked: boolean
}

export function useRecordForm({ place, schema, store, read, fallbacks, isLocked }: RecordFormInput): RecordForm {
  const words = useWords("record")
  const [problems] = useState(() => new FormProblems())
  const { rights, readOptions } = read
  const { locale, stage, includeDeleted } = readOptions
  const recordId = place.kind === "collection" ? place.id : null
  const isNew = place.kind === "collection" && place.id === null
  // Equal places are not the same object in every render.
  const key = JSON.stringify(place)
  const operations = useMemo(
    () => operationsOf(JSON.parse(key), { locale, ...(stage && { stage }), ...(includeDeleted && { includeDeleted }) }),
    [key, locale, stage, includeDeleted],
  )
  const validated = useMemo(
    () => ({ store, problems, schema, operations, rights, isNew, words }),
    [store, problems, schema, operations, rights, isNew, words],
  )
  const onLeave = useValidation(validated)
  // A typed text stays in its editor, also if the record or the right to change it is lost meanwhile.
  const isReadOnly = useCallback(
    (field: string) => (isLocked || !mayWrite(field, { schema, rights, isNew })) && !store.isEdited(field),
    [isLocked, schema, rights, isNew, store],
  )
  const fallbackOf = useCallback((field: string) => fallbacks?.[field] ?? undefined, [fallbacks])
  const form = useMemo(
    () => ({ store, problems, resource: schema, recordId, locale, isReadOnly, fallbackOf, onLeave }),
    [store, problems, schema, recordId, locale, isReadOnly, fallbackOf, onLeave],
  )
  const { saveState, save } = useSaving({ form, operations, isNew })
  return { form, operations, place, readOptions, isNew, saveState, save }
}

type Rights = Pick<RecordRead, "rights"> & { readonly schema: ResourceSchema; readonly isNew: boolean }

function mayWrite(field: string, { schema, rights, isNew }: Rights): boolean {
  const part = schema.fields[field]
  if (part === undefined) return isNew && field === "id"
  if (part.readOnly) return false
  if (isNew) return part.access.create !== false
  if (part.access.update === false) return false
  // Until the rights on this record are known, only what is allowed in every record can be edited.
  if (rights === undefined) return schema.access.operations.update === true && part.access.update === true
  return rights.operations.update === true && rights.fields[field]?.update !== false
}

function useSaving({ form, operations, isNew }: Pick<RecordForm, "form" | "operations" | "isNew">) {
  const words = useWords("record")
  const [saveState, setSaveState] = useState<SaveState>({ kind: "idle" })
  const save = async (): Promise<ConsoleRecord | null> => {
    const { store, problems, resource: schema, isReadOnly } = form
    if (saveState.kind === "saving") return null
    // The fields of a new record have to be there; those of a stored one only if they are changed.
    const checked = isNew ? Object.keys(schema.fields).filter((name) => !isReadOnly(name)) : store.editedFields()
    const found = checked.flatMap((field) => problemsInPage({ store, schema, words }, field))
    problems.setAll(found)
    if (found.length > 0) {
      setSaveState({ kind: "idle" })
      return null
    }
    setSaveState({ kind: "saving" })
    const outcome = await saveForm({ store, operations, isNew })
    if (outcome.kind === "problems") problems.setAll(outcome.problems)
    setSaveState(stateAfter(outcome))
    return outcome.kind === "saved" ? outcome.record : null
  }
  return { saveState, save }
}

function stateAfter(outcome: SaveOutcome): SaveState {
  switch (outcome.kind) {
    case "saved":
    case "overtaken":
    case "deleted":
      return { kind: outcome.kind }
    case "problems":
      return { kind: "idle" }
    case "failed":
      return outcome
    default:
      return outcome satisfies never
  }
}
