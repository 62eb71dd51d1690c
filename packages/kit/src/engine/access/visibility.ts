import { type Resource, type ResourceField, toManyOf } from "../../schema/compile/resource.ts"
import { maskedField } from "../../sql/filter/masked-field.ts"
import { type Access, DENY, EVERYTHING, type Visibility } from "../../sql/filter/predicate.ts"
import type { OperationContext } from "../context/operation-context.ts"
import { evaluateActiveAccess, evaluateFieldRule } from "./authorize.ts"

type FieldMap = ReadonlyMap<string, ResourceField>

/**
 * Evaluates which fields of `resource` the caller may name in a read, and which fields and rows of the resources in
 * `reached` the caller may read. All other resources are hidden.
 */
export async function visibilityOf(
  ctx: OperationContext,
  resource: Resource,
  reached: ReadonlySet<Resource>,
): Promise<Visibility> {
  if (ctx.isSystem) return EVERYTHING
  const fields = new Map<Resource, FieldMap>()
  const rows = new Map<Resource, Access>()
  for (const other of reached) rows.set(other, await evaluateActiveAccess(ctx, other, { operation: "read" }))
  for (const [other, access] of rows) {
    // The caller may not name fields of a resource whose read rule denies access. Naming such a field causes the same
    // error as naming a field that does not exist.
    fields.set(other, access.kind === "deny" ? NO_FIELDS : await namedFields(ctx, other, rows))
  }
  fields.set(resource, await namedFields(ctx, resource, rows))
  return {
    fields: (named) => fields.get(named) ?? NO_FIELDS,
    rows: (named) => rows.get(named) ?? DENY,
  }
}

// Returns the fields that the caller may name in a read. A to-many relation consists only of related records, so it is
// included only if the caller may read some of them. It is left out if the request does not refer to the related
// resource, because the rules of that resource have then not been evaluated.
async function namedFields(
  ctx: OperationContext,
  resource: Resource,
  rows: ReadonlyMap<Resource, Access>,
): Promise<FieldMap> {
  const stored = unconditionalFields(resource) ?? (await evaluateFields(ctx, resource))
  const isOpen = (target: Resource | undefined) => target !== undefined && (rows.get(target) ?? DENY).kind !== "deny"
  const open = [...resource.fields.values()].filter((field) => isOpen(toManyOf(field)?.target))
  if (open.length === 0) return stored
  const named = new Map(stored)
  for (const field of open) {
    const shown = visibleField(field, await evaluateFieldRule(ctx, { resource, field }, { operation: "read" }))
    if (shown) named.set(field.name, shown)
  }
  return named
}

const NO_FIELDS: FieldMap = new Map()
const unconditional = new WeakMap<Resource, FieldMap>()

// Returns the readable fields if no field has a read rule that is a function, because they are then the same for every
// caller. Otherwise returns undefined. The readable fields of each resource are cached.
function unconditionalFields(resource: Resource): FieldMap | undefined {
  const known = unconditional.get(resource)
  if (known) return known
  const all = [...resource.fields.values()]
  if (all.some((field) => typeof field.access.read === "function")) return undefined
  const readable = all.filter((field) => !toManyOf(field) && !field.hidden && field.access.read !== false)
  const map = new Map(readable.map((field) => [field.name, field]))
  unconditional.set(resource, map)
  return map
}

async function evaluateFields(ctx: OperationContext, resource: Resource): Promise<FieldMap> {
  const readable = new Map<string, ResourceField>()
  for (const field of resource.fields.values()) {
    if (toManyOf(field)) continue
    const shown = visibleField(field, await evaluateFieldRule(ctx, { resource, field }, { operation: "read" }))
    if (shown) readable.set(field.name, shown)
  }
  return readable
}

// Returns the field itself if it is visible in every row, a masked field if it is visible only in the rows that the
// rule allows, and undefined if it is hidden.
function visibleField(field: ResourceField, access: Access): ResourceField | undefined {
  switch (access.kind) {
    case "allow":
      return field
    case "deny":
      return undefined
    case "where":
      return maskedField(field, access.predicate)
    default:
      return access satisfies never
  }
}
