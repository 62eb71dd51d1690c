import { type ComponentType, createContext, Suspense, useContext, useEffect, useState } from "react"
import type { FieldValues } from "../../form/form-store.ts"
import type { ConsoleRecord } from "../../kit/resources.ts"

export interface RecordDrawerProps {
  readonly collection: string
  /** The record that is edited, or null for a new one. */
  readonly id: string | null
  /** The first values of a new record, such as the title that was typed. */
  readonly values?: FieldValues
  /** The field that refers back to the record of the form below. It is not shown. */
  readonly via?: string | null
  /** Called with a record that is stored. */
  readonly onSaved?: (record: ConsoleRecord) => void
  /** For a new record that is created together with the record below: called with its values, and nothing is stored. */
  readonly onCollected?: (values: FieldValues) => void
  readonly onClose: () => void
}

/**
 * The drawer with a form. The record screen provides it: a form is made of editors, and an editor cannot import the form in
 * which another record is edited.
 */
export const RecordDrawerContext = createContext<ComponentType<RecordDrawerProps> | null>(null)

/** A form of a related record, over the form of the record to which it belongs. */
export function RelatedDrawer(props: RecordDrawerProps) {
  const Drawer = useContext(RecordDrawerContext)
  if (Drawer === null) throw new Error("A related record is edited outside of a record screen.")
  useFocusBack()
  return (
    <Suspense>
      <Drawer {...props} />
    </Suspense>
  )
}

/** Gives the focus back to what had it, if it would be lost: after the question whether to leave, nobody else does. */
function useFocusBack(): void {
  const [before] = useState(() => document.activeElement)
  useEffect(
    () => () => {
      requestAnimationFrame(() => {
        if (document.activeElement === document.body && before instanceof HTMLElement) before.focus()
      })
    },
    [before],
  )
}
