import type { CollectionSchema, FieldSchema } from "kit/client"
import { useState } from "react"
import type { FieldValues } from "../../form/form-store.ts"
import { type ConsoleRecord, collectionHandle } from "../../kit/resources.ts"
import type { Target } from "./use-target.ts"

/** A drawer with a new record that is to be opened. */
interface NewRecord {
  readonly values: FieldValues
}

interface Creation {
  /** Makes a record of what was typed, or opens a drawer for the rest of its fields. Undefined if the person may not. */
  readonly create: ((text: string) => void) | undefined
  readonly opened: NewRecord | null
  readonly close: () => void
}

interface CreationSettings {
  readonly locale: string
  readonly onCreated: (record: ConsoleRecord) => void
}

/** Creates related records from the picker: immediately if the title is all they need, and otherwise in a drawer. */
export function useNewRecord(target: Target | undefined, { locale, onCreated }: CreationSettings): Creation {
  const [opened, open] = useState<NewRecord | null>(null)
  const close = () => open(null)
  if (target === undefined || !mayCreate(target.schema)) return { create: undefined, opened: null, close }
  const { schema } = target
  const create = async (text: string) => {
    const title = typedField(target)
    const values = title && text !== "" ? { [title.name]: text } : {}
    if (Object.keys(values).length === 0 || !needsOnly(schema, title)) return open({ values })
    try {
      const record = await collectionHandle(schema.name).create(values, { locale, localeFallback: false })
      // Every record that the API answers has an id.
      onCreated(record as ConsoleRecord)
    } catch {
      // The form says what is wrong with it, and keeps the text.
      open({ values })
    }
  }
  return { create: (text) => void create(text), opened, close }
}

/** Returns whether the person may create records of a collection by a form. Files are uploaded instead. */
export function mayCreate({ access, options }: CollectionSchema): boolean {
  const { create } = access.operations
  return create !== undefined && create !== false && options.upload === null
}

/** Returns whether the person may change records of a collection, at least some of them. */
export function mayUpdate({ access }: CollectionSchema): boolean {
  const { update } = access.operations
  return update !== undefined && update !== false
}

/** Returns the field that the typed text is for: the title, if it can be written. */
function typedField({ reading }: Target): FieldSchema | null {
  const { title } = reading
  return title && !title.readOnly && title.access.create !== false ? title : null
}

function needsOnly({ fields, options }: CollectionSchema, title: FieldSchema | null): boolean {
  const needed = Object.values(fields).filter((field) => {
    const mayWrite = !field.readOnly && field.access.create !== false
    return mayWrite && field.required && field.default === undefined
  })
  return options.id === "server" && needed.every(({ name }) => name === title?.name)
}
