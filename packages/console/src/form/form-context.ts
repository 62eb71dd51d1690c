import { createContext, useCallback, useContext, useSyncExternalStore } from "react"
import type { ResourceSchema } from "../kit/descriptions.ts"
import type { FormStore } from "./form-store.ts"
import type { Path } from "./path.ts"

/** A form around its fields: what they edit, and what is known about it. */
export interface Form {
  readonly store: FormStore
  readonly resource: ResourceSchema
  /** The id of the record, or null while it is new. A global has none. */
  readonly recordId: string | null
  /** The locale whose texts the form edits. */
  readonly locale: string
  /** Returns whether the person may not change the field, now and in this record. */
  readonly isReadOnly: (field: string) => boolean
  /** Returns the problems of the values at and below a path, by the last validation. */
  readonly problemsAt: (path: string) => readonly string[]
  /** Called when the person leaves a value, so that it is validated. */
  readonly onLeave: (path: Path) => void
}

export const FormContext = createContext<Form | null>(null)

export function useForm(): Form {
  const form = useContext(FormContext)
  if (form === null) throw new Error("useForm is called outside of a form.")
  return form
}

/** Returns the value at a path, and a function that changes it. Renders again only if this value has changed. */
export function useValue(path: Path): [value: unknown, setValue: (value: unknown) => void] {
  const { store } = useForm()
  const [field] = path
  const subscribe = useCallback((listener: () => void) => store.subscribe(field, listener), [store, field])
  const value = useSyncExternalStore(subscribe, () => store.read(path))
  const setValue = (changed: unknown) => store.write(path, changed)
  return [value, setValue]
}
