import type { CodeCall, CodeExample } from "../../as-code/code-call.ts"
import type { FormStore } from "../../form/form-store.ts"
import type { RecordPlace } from "../../kit/record-operations.ts"
import type { RecordRead } from "./use-record.ts"

interface ShownRecord {
  readonly place: RecordPlace
  readonly form: { readonly store: Pick<FormStore, "edits" | "baseline"> }
  readonly readOptions: RecordRead["readOptions"]
}

/** Returns the calls of a record: how it is read, and how its unsaved edits are stored. */
export function recordExamples({ place, form: { store }, readOptions }: ShownRecord): readonly CodeExample[] {
  const { locale, localeFallback } = readOptions
  const inLocale = { locale, localeFallback }
  const edits = store.edits()
  if (place.kind === "collection" && place.id === null) {
    return [{ purpose: "create", call: { path: ["collections", place.name, "create"], args: [edits, inLocale] } }]
  }
  const read: CodeExample = { purpose: "read", call: readCall(place, readOptions) }
  if (Object.keys(edits).length === 0) return [read]
  const revision = store.baseline["revision"]
  const expected = typeof revision === "number" ? { expectedRevision: revision } : {}
  const update =
    place.kind === "global"
      ? { path: ["globals", place.name, "update"], args: [edits, { ...inLocale, ...expected }] }
      : {
          path: ["collections", place.name, "updateById"],
          args: [{ id: place.id, data: edits, ...expected }, inLocale],
        }
  return [read, { purpose: "update", call: update }]
}

function readCall(place: RecordPlace, options: RecordRead["readOptions"]): CodeCall {
  if (place.kind === "collection") {
    return { path: ["collections", place.name, "findOne"], args: [{ where: { id: place.id }, ...options }] }
  }
  return { path: ["globals", place.name, "get"], args: [options] }
}
