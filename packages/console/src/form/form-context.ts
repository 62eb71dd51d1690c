import { createContext, useCallback, useContext, useSyncExternalStore } from "react"
import type { ResourceSchema } from "../kit/descriptions.ts"
import type { UnparsedText } from "./field-edits.ts"
import type { FormProblems } from "./form-problems.ts"
import type { FormStore } from "./form-store.ts"
import { type Path, pathText } from "./path.ts"

/** A form around its fields: what they edit, and what is known about it. It stays the same object while values change. */
export interface Form {
  readonly store: FormStore
  readonly problems: FormProblems
  readonly resource: ResourceSchema
  /** The id of the record, or null while it is new. A global has none. */
  readonly recordId: string | null
  /** The locale whose texts the form edits. */
  readonly locale: string
  /** Returns whether the person may not change the field, now and in this record. */
  readonly isReadOnly: (field: string) => boolean
  /** Returns the value of a localized field that readers see in its place while it has none, or undefined. */
  readonly fallbackOf: (field: string) => unknown
  /** Returns the locale from which such a value comes, if it is known. */
  readonly originOf: (field: string, value: unknown) => string | undefined
  /** In a version of the record: returns whether the field has another value now. */
  readonly differs?: (field: string) => boolean
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
  const value = useFieldState(path[0], () => store.read(path))
  const setValue = (changed: unknown) => store.write(path, changed)
  return [value, setValue]
}

/**
 * Returns the text at a path that is no value yet, such as half of a number, and a function that keeps one. Writing a
 * value at the path drops the text.
 */
export function useUnparsed(path: Path): [text: UnparsedText | undefined, setText: (text: UnparsedText) => void] {
  const { store } = useForm()
  const text = useFieldState(path[0], () => store.unparsedAt(path))
  return [text, (unparsed) => store.writeUnparsed(path, unparsed)]
}

/** Returns what is wrong at a path, as one text, and for a value without parts also what is wrong below it. */
export function useProblem(path: Path, hasParts: boolean): string {
  const { problems } = useForm()
  const [field] = path
  const subscribe = useCallback((listener: () => void) => problems.subscribe(field, listener), [problems, field])
  const text = pathText(path)
  return useSyncExternalStore(subscribe, () => (hasParts ? problems.at(text) : problems.within(text)).join(" "))
}

/** Returns something that the store knows of a field, or with `null` of all, and renders again only if it has changed. */
export function useFieldState<State>(field: string | null, stateOf: () => State): State {
  const { store } = useForm()
  const subscribe = useCallback((listener: () => void) => store.subscribe(field, listener), [store, field])
  return useSyncExternalStore(subscribe, stateOf)
}
