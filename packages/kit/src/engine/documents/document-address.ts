import type { Resource, ResourceField } from "../../schema/compile/resource.ts"

/** The place of a collaborative document: one collaborative field of one record, in one locale if it is localized. */
export interface DocumentAddress {
  readonly resource: Resource
  readonly field: ResourceField
  /** The id of the record; of a global, the id of its only row. */
  readonly recordId: string
  /** Undefined if the field is not localized. */
  readonly locale: string | undefined
}

/** Returns a text that is equal for equal addresses only. */
export function documentKey({ resource, field, recordId, locale }: DocumentAddress): string {
  return JSON.stringify([resource.kind, resource.name, recordId, field.name, locale ?? ""])
}
