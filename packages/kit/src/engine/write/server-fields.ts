import type { Resource } from "../../schema/compile/resource.ts"
import { newId } from "../context/ids.ts"
import type { OperationContext } from "../context/operation-context.ts"
import type { FieldInput } from "./input.ts"
import { stampChange } from "./stamp.ts"

/**
 * Sets the fields of a new record that only the server writes, and returns the record's id. If callers choose the ids
 * in this collection, the input contains the id.
 */
export function addServerFields(ctx: OperationContext, resource: Resource, values: FieldInput): string {
  const now = stampChange(ctx, resource, values)
  const id = resource.id.system ? newId(now) : idFromInput(resource, values)
  values.set(resource.id, id)
  if (resource.revision) values.set(resource.revision, 1)
  if (resource.versions) values.set(resource.versions.number, 1)
  if (resource.workflow) values.set(resource.workflow.stage, resource.workflow.initial)
  if (resource.createdAt) values.set(resource.createdAt, now)
  return id
}

function idFromInput(resource: Resource, values: FieldInput): string {
  const id = values.get(resource.id)
  if (typeof id === "string") return id
  throw new Error(`A beforeChange hook of "${resource.name}" left out the id, which every new record needs.`)
}
