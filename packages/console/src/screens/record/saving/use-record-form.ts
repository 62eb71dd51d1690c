import { useCallback, useEffect, useMemo, useRef, useState } from "react"
import type { Form } from "../../../form/form-context.ts"
import { FormProblems, type Problem } from "../../../form/form-problems.ts"
import type { FormStore } from "../../../form/form-store.ts"
import { isSameValue } from "../../../form/same-value.ts"
import { type ResourceSchema, useAppIndex } from "../../../kit/descriptions.ts"
import { operationsOf, type RecordOperations, type RecordPlace } from "../../../kit/record-operations.ts"
import type { ConsoleRecord } from "../../../kit/resources.ts"
import { toast } from "../../../parts/toast.tsx"
import { useWords, type Words } from "../../../words/words.ts"
import type { RecordRead, TextsByLocale } from "../use-record.ts"
import { type Refusal, type SaveOutcome, saveForm } from "./save-form.ts"
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
  readonly texts?: TextsByLocale | undefined
  /** Shows the texts in another locale. */
  readonly onTurn: (locale: string) => void
  /** True if nothing can be changed, whatever the rights are. */
  readonly isLocked: boolean
}

export function useRecordForm({ place, schema, store, read, ...input }: RecordFormInput): RecordForm {
  const { fallbacks, texts, isLocked, onTurn } = input
  const words = useWords("record")
  const [problems] = useState(() => new FormProblems())
  const { rights, readOptions } = read
  const { stage, includeDeleted } = readOptions
  const { locale } = store
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
  const originOf = useOrigins(locale, texts)
  const form = useMemo(
    () => ({ store, problems, resource: schema, recordId, locale, isReadOnly, fallbackOf, originOf, onLeave }),
    [store, problems, schema, recordId, locale, isReadOnly, fallbackOf, originOf, onLeave],
  )
  const { saveState, save } = useSaving({ form, operations, isNew, onTurn })
  return { form, operations, place, readOptions, isNew, saveState, save }
}

/** Returns a function that finds the locale that has a value, if the texts of all locales are known. */
function useOrigins(locale: string, texts: TextsByLocale | undefined): Form["originOf"] {
  const { locales } = useAppIndex()
  return useCallback(
    (field, value) => {
      const others = [locales.default, ...locales.all].filter((other) => other !== locale)
      return others.find((other) => isSameValue(texts?.[field]?.[other], value))
    },
    [locale, texts, locales],
  )
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

type Saving = Pick<RecordForm, "form" | "operations" | "isNew"> & Pick<RecordFormInput, "onTurn">

function useSaving({ form, operations, isNew, onTurn }: Saving) {
  const words = useWords("record")
  const [saveState, setSaveState] = useState<SaveState>({ kind: "idle" })
  const { store } = form
  const showProblems = useProblemsByLocale(form, onTurn)
  const save = async (): Promise<ConsoleRecord | null> => {
    if (saveState.kind === "saving") return null
    const found = problemsBeforeSave(form, { isNew, words })
    showProblems(found?.store ?? store, found?.problems ?? [])
    if (found) {
      setSaveState({ kind: "idle" })
      return null
    }
    setSaveState({ kind: "saving" })
    const outcome = await saveForm({ store, operations, isNew })
    if (outcome.kind === "problems") showProblems(outcome.store, outcome.problems)
    if (outcome.kind === "overtaken") showProblems(outcome.store, [])
    setSaveState(stateAfter(outcome))
    if (outcome.kind === "saved" && outcome.refused) toast({ text: refusalText(outcome.refused, words) })
    return outcome.kind === "saved" ? outcome.record : null
  }
  return { saveState, save }
}

interface FoundProblems {
  readonly store: FormStore
  readonly problems: readonly Problem[]
}

/** Returns what is wrong in the first of the edited locales in which something is. */
function problemsBeforeSave(
  { store, resource: schema, isReadOnly }: Form,
  { isNew, words }: { readonly isNew: boolean; readonly words: Words["record"] },
): FoundProblems | undefined {
  const others = store.editedLocales().filter((other) => other !== store)
  return [store, ...others]
    .map((each): FoundProblems => {
      // The fields of a new record have to be there; those of a stored one only if they are changed.
      const isWhole = isNew && each === store
      const checked = isWhole ? Object.keys(schema.fields).filter((name) => !isReadOnly(name)) : each.editedFields()
      return {
        store: each,
        problems: checked.flatMap((field) => problemsInPage({ store: each, schema, words }, field)),
      }
    })
    .find(({ problems }) => problems.length > 0)
}

/**
 * Returns a function that shows the problems of a locale, and turns the form to it first. The problems of localized
 * fields do not stay when the person turns to another locale.
 */
function useProblemsByLocale({ store, problems }: Form, onTurn: (locale: string) => void) {
  const waiting = useRef<FoundProblems>(undefined)
  const shown = useRef(store)
  useEffect(() => {
    if (shown.current === store) return
    shown.current = store
    const kept = problems.all().filter(({ path }) => !store.language.localized.has(path.split(".", 1)[0] ?? ""))
    problems.setAll(waiting.current?.store === store ? waiting.current.problems : kept)
    waiting.current = undefined
  }, [store, problems])
  return (of: FormStore, found: readonly Problem[]) => {
    if (of === store) {
      problems.setAll(found)
      return
    }
    waiting.current = { store: of, problems: found }
    onTurn(of.locale)
  }
}

function refusalText(refused: Refusal, words: Words["record"]): string {
  const { kind } = refused
  const reason = kind === "failed" ? refused.error.message : kind === "problems" ? refused.problems[0]?.message : ""
  return [words.languageNotSaved, reason].filter(Boolean).join(": ")
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
