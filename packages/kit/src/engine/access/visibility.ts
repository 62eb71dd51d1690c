import { type Resource, type ResourceField, toManyOf } from "../../schema/compile/resource.ts"
import { maskedField } from "../../sql/filter/masked-field.ts"
import { type Access, DENY, EVERYTHING, type Visibility } from "../../sql/filter/predicate.ts"
import type { OperationContext } from "../context/operation-context.ts"
import { judgeField, judgeRows } from "./authorize.ts"

type FieldMap = ReadonlyMap<string, ResourceField>

/** What the caller may name of a resource, and name and read of those it leads to; all others stay closed. */
export async function visibilityOf(
  ctx: OperationContext,
  resource: Resource,
  reached: ReadonlySet<Resource>,
): Promise<Visibility> {
  if (ctx.isSystem) return EVERYTHING
  const fields = new Map<Resource, FieldMap>()
  const rows = new Map<Resource, Access>()
  for (const other of reached) rows.set(other, await judgeRows(ctx, other, { operation: "read" }))
  for (const [other, access] of rows) {
    // Of a closed resource no field can be named: its names answer as names that do not exist.
    fields.set(other, access.kind === "deny" ? NO_FIELDS : await namedFields(ctx, other, rows))
  }
  fields.set(resource, await namedFields(ctx, resource, rows))
  return {
    fields: (named) => fields.get(named) ?? NO_FIELDS,
    rows: (named) => rows.get(named) ?? DENY,
  }
}

// Nothing of a relation to many can be read but records, so it exists only for those who may read some.
// One that the request does not name has not been judged, and is not missed.
async function namedFields(
  ctx: OperationContext,
  resource: Resource,
  rows: ReadonlyMap<Resource, Access>,
): Promise<FieldMap> {
  const stored = await readableFields(ctx, resource)
  const isOpen = (target: Resource | undefined) => target !== undefined && (rows.get(target) ?? DENY).kind !== "deny"
  const open = [...resource.fields.values()].filter((field) => isOpen(toManyOf(field)?.target))
  if (open.length === 0) return stored
  const named = new Map(stored)
  for (const field of open) {
    const shown = shownField(field, await judgeField(ctx, { resource, field }, { operation: "read" }))
    if (shown) named.set(field.name, shown)
  }
  return named
}

const NO_FIELDS: FieldMap = new Map()
const unconditional = new WeakMap<Resource, FieldMap>()

// Where no field has a rule that must be asked, the readable fields are the same for every caller.
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

function readableFields(ctx: OperationContext, resource: Resource): FieldMap | Promise<FieldMap> {
  return unconditionalFields(resource) ?? judgeFields(ctx, resource)
}

async function judgeFields(ctx: OperationContext, resource: Resource): Promise<FieldMap> {
  const readable = new Map<string, ResourceField>()
  for (const field of resource.fields.values()) {
    if (toManyOf(field)) continue
    const shown = shownField(field, await judgeField(ctx, { resource, field }, { operation: "read" }))
    if (shown) readable.set(field.name, shown)
  }
  return readable
}

// The field as the caller knows it: in every row, in those that the rule names, or not at all.
function shownField(field: ResourceField, access: Access): ResourceField | undefined {
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
