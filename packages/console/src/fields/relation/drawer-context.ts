import { type ComponentType, createContext } from "react"
import type { FieldValues } from "../../form/form-store.ts"
import type { ConsoleRecord } from "../../kit/resources.ts"

export interface RecordDrawerProps {
  readonly collection: string
  /** The record that is edited, or null for a new one. */
  readonly id: string | null
  /** What a new record starts with, such as the title that was typed. */
  readonly values?: FieldValues
  /** The field that refers back to the record of the form below. It is not shown. */
  readonly via?: string | null
  /** Called with a record that is stored. */
  readonly onSaved?: (record: ConsoleRecord) => void
  /** For a new record that is created together with the record below: called with its values, and nothing is stored. */
  readonly onCollected?: (values: FieldValues) => void
  readonly onClose: () => void
}

/** The form that opens over a form. The desk knows it: the fields of a form cannot import what is made of such fields. */
export const RecordDrawerContext = createContext<ComponentType<RecordDrawerProps> | null>(null)
