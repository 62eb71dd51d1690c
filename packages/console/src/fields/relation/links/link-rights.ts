import type { FieldValues } from "../../../form/form-store.ts"
import type { Relation } from "../relation-of.ts"
import { mayCreate } from "../use-new-record.ts"
import type { Target } from "../use-target.ts"

/**
 * Returns whether records may be connected and disconnected. A child is: its reference to the record is written, so that
 * the person needs the right to do so, and a child that has to have a parent is not taken from another one.
 */
export function mayConnect({ schema }: Target, { kind, via }: Relation): boolean {
  if (kind !== "children") return true
  const reference = via === null ? undefined : schema.fields[via]
  const mayUpdate = schema.access.operations.update
  if (reference === undefined || reference.required || mayUpdate === undefined) return false
  return mayUpdate !== false && reference.access.update !== false
}

/**
 * Returns the values with which a new child starts: its reference to the record, as far as that is known already.
 * Undefined if the person may not create children here.
 */
export function childValues({ schema }: Target, { via }: Relation, recordId: string | null): FieldValues | undefined {
  const reference = via === null ? undefined : schema.fields[via]
  if (reference === undefined || reference.access.create === false || !mayCreate(schema)) return undefined
  return recordId === null ? {} : { [reference.name]: recordId }
}
