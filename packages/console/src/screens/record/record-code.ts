import type { CodeCall, CodeExample } from "../../as-code/code-call.ts"
import type { FormStore } from "../../form/form-store.ts"

/** The place of a record; a global has no id, a new record has none yet. */
interface Place {
  readonly kind: "collection" | "global"
  readonly name: string
  readonly id?: string | null
}

interface ReadOptions {
  readonly locale: string
  readonly localeFallback: false
  readonly stage?: string
  readonly includeDeleted?: true
}

interface ShownRecord {
  readonly place: Place
  readonly form: { readonly store: FormStore }
  readonly readOptions: ReadOptions
}

/** Returns the calls of a record: how it is read, and how its unsaved edits are stored, with a write for each language. */
export function recordExamples({ place, form: { store }, readOptions }: ShownRecord): readonly CodeExample[] {
  if (place.kind === "collection" && place.id === null) return [createExample(place.name, store, readOptions)]
  const read: CodeExample = { purpose: "read", call: readCall(place, readOptions) }
  const others = store.editedLocales().filter((other) => other !== store)
  const revision = store.baseline["revision"]
  const writes = [
    {
      locale: readOptions.locale,
      data: store.edits(),
      ...(typeof revision === "number" && { expectedRevision: revision }),
    },
    // The write before has raised the revision.
    ...others.map((other) => ({ locale: other.locale, data: localizedEdits(other) })),
  ].filter(({ data }) => Object.keys(data).length > 0)
  const named = writes.length > 1
  return [
    read,
    ...writes.map((write): CodeExample => {
      return { purpose: "update", call: updateCall(place, write), ...(named && { locale: write.locale }) }
    }),
  ]
}

/** Returns how a new record is created: in the default language, if it has texts in it. Other languages need its id. */
function createExample(name: string, store: FormStore, { locale }: ReadOptions): CodeExample {
  const main = store.editedLocales().find(({ language }) => language.isDefault) ?? store
  const inLocale = { locale: main.locale || locale, localeFallback: false }
  return { purpose: "create", call: { path: ["collections", name, "create"], args: [main.edits(), inLocale] } }
}

function localizedEdits(store: FormStore): object {
  const { localized } = store.language
  return Object.fromEntries(Object.entries(store.edits()).filter(([field]) => localized.has(field)))
}

interface Write {
  readonly locale: string
  readonly data: object
  readonly expectedRevision?: number
}

function updateCall(place: Place, { locale, data, ...expected }: Write): CodeCall {
  const inLocale = { locale, localeFallback: false }
  if (place.kind === "global") {
    return { path: ["globals", place.name, "update"], args: [data, { ...inLocale, ...expected }] }
  }
  return { path: ["collections", place.name, "updateById"], args: [{ id: place.id, data, ...expected }, inLocale] }
}

function readCall(place: Place, options: ReadOptions): CodeCall {
  if (place.kind === "collection") {
    return { path: ["collections", place.name, "findOne"], args: [{ where: { id: place.id }, ...options }] }
  }
  return { path: ["globals", place.name, "get"], args: [options] }
}
