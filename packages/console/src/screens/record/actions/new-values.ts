import type { FieldSchema } from "kit/client"
import { type FieldValues, FormStore } from "../../../form/form-store.ts"
import type { ResourceSchema } from "../../../kit/descriptions.ts"

/** Returns what a form of a new record starts with: the defaults that are known, and null in all other fields. */
export function emptyValues({ fields, options }: ResourceSchema): FieldValues {
  const values = Object.values(fields).map((field) => [field.name, field.default ?? null] as const)
  const stage = options.workflow.enabled ? { stage: options.workflow.initialStage } : {}
  return { ...Object.fromEntries(values), ...stage, id: null }
}

/** Returns a form of a new record with the values that another form shows, as far as they are copied and may be written. */
export function copyOf(form: FormStore, schema: ResourceSchema, isCopied: (field: FieldSchema) => boolean): FormStore {
  const copy = new FormStore(emptyValues(schema), form.language)
  for (const field of Object.values(schema.fields)) {
    const value = form.read([field.name])
    const mayWrite = !field.readOnly && field.access.create !== false
    if (mayWrite && isCopied(field) && value !== undefined && value !== null) copy.write([field.name], value)
  }
  return copy
}
