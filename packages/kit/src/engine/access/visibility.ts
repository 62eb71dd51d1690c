import { type Resource, type ResourceField, toManyOf } from "../../schema/compile/resource.ts"
import { forEachReady, type MaybePromise, whenReady } from "../../schema/context/when-ready.ts"
import { maskedField } from "../../sql/filter/masked-field.ts"
import { type Access, DENY, EVERYTHING, type Visibility } from "../../sql/filter/predicate.ts"
import type { OperationContext } from "../context/operation-context.ts"
import { evaluateActiveAccess, evaluateFieldRule } from "./authorize.ts"
import { comparedLinks, withReadableComparison } from "./readable-comparison.ts"

type FieldMap = ReadonlyMap<string, ResourceField>

/**
 * Evaluates which fields of `resource` the caller may name in a read, and which fields and rows of the resources in
 * `reached` the caller may read. All other resources are hidden. Returns a promise only if a rule does.
 */
export function visibilityOf(
  ctx: OperationContext,
  resource: Resource,
  reached: ReadonlySet<Resource>,
): MaybePromise<Visibility> {
  if (ctx.isSystem) return EVERYTHING
  const own = ctx.hasShortcuts && reached.size === 0 ? unconditionalFields(resource) : undefined
  return own ? visibilityOfFields(resource, own) : evaluateVisibility(ctx, resource, reached)
}

const sharedVisibilities = new WeakMap<FieldMap, Visibility>()

// Returns the visibility for a read that refers to no other resource, if its fields are the same for every caller.
function visibilityOfFields(resource: Resource, fields: FieldMap): Visibility {
  const known = sharedVisibilities.get(fields)
  if (known) return known
  const made = { fields: (named: Resource) => (named === resource ? fields : NO_FIELDS), rows: () => DENY }
  sharedVisibilities.set(fields, made)
  return made
}

function evaluateVisibility(
  ctx: OperationContext,
  resource: Resource,
  reached: ReadonlySet<Resource>,
): MaybePromise<Visibility> {
  const rows = new Map<Resource, Access>()
  const fields = new Map<Resource, FieldMap>()
  const evaluateRows = (other: Resource) =>
    whenReady(evaluateActiveAccess(ctx, other, { operation: "read" }), (access) => void rows.set(other, access))
  const evaluateFields = (other: Resource) =>
    whenReady(namedFields(ctx, other, rows), (named) => void fields.set(other, named))
  // The caller may not name fields of a resource whose read rule denies access. Naming such a field causes the same
  // error as naming a field that does not exist.
  const readable = () => [resource, ...[...reached].filter((other) => isOpen(rows, other) && other !== resource)]
  const evaluated = whenReady(forEachReady(reached, evaluateRows), () => forEachReady(readable(), evaluateFields))
  return whenReady(evaluated, () => ({
    fields: (named: Resource) => fields.get(named) ?? NO_FIELDS,
    rows: (named: Resource) => rows.get(named) ?? DENY,
  }))
}

function isOpen(rows: ReadonlyMap<Resource, Access>, resource: Resource | undefined): boolean {
  return resource !== undefined && (rows.get(resource) ?? DENY).kind !== "deny"
}

// Returns the fields that the caller may name in a read. A to-many relation consists only of related records, so it is
// included only if the caller may read some of them. It is left out if the request does not refer to the related
// resource, because the rules of that resource have then not been evaluated.
function namedFields(
  ctx: OperationContext,
  resource: Resource,
  rows: ReadonlyMap<Resource, Access>,
): MaybePromise<FieldMap> {
  const open = [...resource.fields.values()].filter((field) => isOpen(rows, toManyOf(field)?.target))
  const stored = unconditionalFields(resource) ?? evaluateStoredFields(ctx, resource)
  if (open.length === 0) return stored
  return whenReady(stored, (shown) =>
    whenReady(evaluateFields(ctx, resource, open), (related) => new Map([...shown, ...related])),
  )
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
  const readable = all.filter((field) => !field.hidden && field.access.read !== false)
  const stored = byName(readable.filter((field) => !toManyOf(field)))
  const map = withReadableComparison(resource, { stored, links: byName(readable) })
  unconditional.set(resource, map)
  return map
}

function byName(fields: readonly ResourceField[]): FieldMap {
  return new Map(fields.map((field) => [field.name, field]))
}

function evaluateStoredFields(ctx: OperationContext, resource: Resource): MaybePromise<FieldMap> {
  const fields = [...resource.fields.values()].filter((field) => !toManyOf(field))
  const links = comparedLinks(resource)
  return whenReady(evaluateFields(ctx, resource, fields), (stored) =>
    whenReady(evaluateFields(ctx, resource, links), (shown) =>
      withReadableComparison(resource, { stored, links: shown }),
    ),
  )
}

function evaluateFields(
  ctx: OperationContext,
  resource: Resource,
  fields: readonly ResourceField[],
): MaybePromise<FieldMap> {
  const readable = new Map<string, ResourceField>()
  const evaluated = forEachReady(fields, (field) =>
    whenReady(evaluateFieldRule(ctx, { resource, field }, { operation: "read" }), (access) => {
      const shown = visibleField(field, access)
      if (shown) readable.set(field.name, shown)
    }),
  )
  return whenReady(evaluated, () => readable)
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
