import { useSyncExternalStore } from "react"
import { useWords, type Words } from "../../words/words.ts"
import type { RecordForm } from "./saving/use-record-form.ts"

/** Returns what the record is called now. Renders again with each key in its title. */
export function useTitle(recordForm: RecordForm): string {
  const words = useWords("record")
  const { store, resource } = recordForm.form
  return useSyncExternalStore(
    (listener) => store.subscribe(titleField(resource), listener),
    () => titleOf(recordForm, words),
  )
}

/** Returns what the record is called at this moment. */
export function titleOf({ form, isNew, place }: RecordForm, words: Words["record"]): string {
  const { store, resource } = form
  if (place.kind === "global") return resource.label
  const value = store.read([titleField(resource)])
  if (typeof value === "string" && value.trim() !== "") return value
  // In a language without a title, readers see that of another one.
  const fallback = form.fallbackOf(titleField(resource))
  if (typeof fallback === "string" && !isNew) return fallback
  return isNew ? words.newTitle(resource.singularLabel) : String(value ?? words.untitled)
}

function titleField({ options: { title } }: RecordForm["form"]["resource"]): string {
  return title.defined ? title.fieldName : "id"
}
