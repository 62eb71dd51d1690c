import { createHash } from "node:crypto"
import type { FieldRule } from "../../schema/access/access.ts"
import { isUpdatable, isWritable, type Resource, type ResourceField, toManyOf } from "../../schema/compile/resource.ts"
import type { WhereInput } from "../../wire/options/query-options.ts"
import type { OperationAccess } from "../../wire/results/introspection.ts"
import type { OperationContext } from "../context/operation-context.ts"
import { plainValue } from "../read/answer-text.ts"
import type { FieldRights } from "./caller-rights.ts"
import { describeResource } from "./describe-resource.ts"
import type { KnownRights } from "./known-rights.ts"
import { Texts } from "./texts.ts"

/** The evaluated rights that the hash of a description covers. */
type HashedRights = Pick<KnownRights, "operations" | "transitions" | "stages" | "relations">

/**
 * Returns a value that changes whenever the description of the resource for this caller does. It covers what the author
 * declares of all that the caller may know, the evaluated rights to operations, stages and related collections, and the
 * user. It does not cover the rules of fields that are functions, because the index has the hashes of all resources,
 * and would have to call too many of them: such a rule counts as one that decides by the user alone. So the hash misses
 * one kind of change, that of a field rule that reads the database.
 */
export function descriptionHash(ctx: OperationContext, resource: Resource, rights: HashedRights): string {
  const { operations, transitions, stages, relations } = rights
  const key = JSON.stringify([ctx.locale, operations, [...transitions], [...stages], [...relations]])
  const described = hashes.get(resource) ?? new Map<string, string>()
  hashes.set(resource, described)
  const known = described.get(key) ?? hashOf(presumedDescription(ctx, resource, rights))
  if (described.size >= MAX_HASHES) described.clear()
  described.set(key, known)
  return hasFieldFunctions(resource) ? hashOf([known, ctx.isSystem, ctx.session?.user]) : known
}

// Callers with equal rights share a hash. Few combinations of rights occur in an app; if there are many, the hashes are
// computed again.
const MAX_HASHES = 100
const hashes = new WeakMap<Resource, Map<string, string>>()

function hasFieldFunctions({ fields }: Resource): boolean {
  for (const { access } of fields.values()) {
    if (Object.values(access).some((rule) => typeof rule === "function")) return true
  }
  return false
}

// Returns the description for a caller whom every field rule that is a function allows everything, and the sources of
// these functions, because a changed rule may decide otherwise.
function presumedDescription({ schema, locale }: OperationContext, resource: Resource, rights: HashedRights): unknown {
  const fields = presumedFields(resource, rights)
  const mayKnowFilter = (where: WhereInput) => namesKnownFields(where, resource, { fields, ...rights })
  const known = { ...rights, fields, mayKnowFilter, mayFilterBy: mayKnowFilter }
  const description = describeResource(resource, known, new Texts(schema.locales, locale))
  const rules = [...fields.keys()].map((name) => Object.values(resource.fields.get(name)?.access ?? {}).map(String))
  return [description, rules]
}

function presumedFields(resource: Resource, rights: HashedRights): ReadonlyMap<string, FieldRights> {
  const all = [...resource.fields.values()].map(
    (field) => [field.name, presumedRights(resource, field, rights)] as const,
  )
  return new Map(all.filter(([, { read, create, update }]) => read || create || update))
}

function presumedRights(resource: Resource, field: ResourceField, rights: HashedRights): FieldRights {
  const { operations } = rights
  const { read, create, update } = field.access
  const mayCreate = operations.create || operations.upload
  return {
    read: isOpen(operations.read, read) && !field.hidden && isReached(field, rights),
    create: isOpen(mayCreate, create) && isWritable(field),
    update: isOpen(operations.update, update) && isUpdatable(resource, field),
  }
}

function isOpen(operation: OperationAccess["read"], rule: FieldRule | undefined): boolean {
  return operation !== undefined && operation !== false && rule !== false
}

// A relation to many records consists of these records alone.
function isReached(field: ResourceField, { relations }: HashedRights): boolean {
  return toManyOf(field) === undefined || relations.get(field.name)?.isReadable === true
}

// True if every name in the filter that may be one of a field is known. Filters that lead to another collection count
// as known if that collection is.
function namesKnownFields(
  where: unknown,
  resource: Resource,
  known: Pick<KnownRights, "fields" | "relations">,
): boolean {
  if (Array.isArray(where)) return where.every((part) => namesKnownFields(part, resource, known))
  if (typeof where !== "object" || where === null) return true
  return Object.entries(where).every(([name, value]) => {
    if (name === "AND" || name === "OR" || name === "NOT") return namesKnownFields(value, resource, known)
    return known.fields.has(name) && (known.relations.get(name)?.isKnown ?? true)
  })
}

const HASH_LENGTH = 22

function hashOf(value: unknown): string {
  return createHash("sha256").update(JSON.stringify(value, plainValue)).digest("base64url").slice(0, HASH_LENGTH)
}
