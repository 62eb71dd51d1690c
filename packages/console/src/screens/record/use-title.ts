import { useSyncExternalStore } from "react"
import { useWords } from "../../words/words.ts"
import type { RecordForm } from "./use-record-form.ts"

/** Returns what the record is called now, also while its title is typed. */
export function useTitle({ form, isNew, place }: RecordForm): string {
  const words = useWords("record")
  const { store, resource } = form
  const { title } = resource.options
  const field = title.defined ? title.fieldName : "id"
  const value = useSyncExternalStore(
    (listener) => store.subscribe(field, listener),
    () => store.read([field]),
  )
  if (place.kind === "global") return resource.label
  if (typeof value === "string" && value.trim() !== "") return value
  return isNew ? words.newTitle(resource.singularLabel) : String(value ?? words.untitled)
}
