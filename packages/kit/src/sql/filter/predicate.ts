import type { Resource, ResourceField, ToManyRelation } from "../../schema/compile/resource.ts"
import type { Parameters } from "../text/fragment.ts"
import type { Operator } from "./operator.ts"
import { operatorsOf } from "./operators.ts"

/** A parsed and checked filter, which comes from a `where` or from a row rule. */
export type Predicate =
  | { readonly kind: "all"; readonly parts: readonly Predicate[] }
  | { readonly kind: "any"; readonly parts: readonly Predicate[] }
  | { readonly kind: "not"; readonly part: Predicate }
  | { readonly kind: "compare"; readonly field: ResourceField; readonly operator: Operator; readonly operand: unknown }
  | { readonly kind: "related"; readonly field: ResourceField; readonly target: Resource; readonly part: Predicate }
  | SomeRelated
  | TextMatch

/** True if at least one record at the other end of a to-many relation satisfies the predicate `part`. */
interface SomeRelated {
  readonly kind: "some"
  readonly relation: ToManyRelation
  readonly part: Predicate
  /** How a write changes the links of the row. The predicate is about the links as they will be. */
  readonly links?: LinkChange
}

/** The links of a many-to-many relation that a write of their row adds and removes. */
export interface LinkChange {
  readonly added: readonly string[]
  readonly removed: readonly string[] | "all"
}

/** True if the text of some fields matches a search. Only SQL can evaluate it. */
interface TextMatch {
  readonly kind: "text"
  /** The fields as the caller sees them. */
  readonly fields: readonly ResourceField[]
  /** Returns the SQL condition for these fields in a row of the table with this alias. */
  write(fields: readonly ResourceField[], row: RowScope): string
}

/** The row for which SQL is written, and the parameters of the statement. */
interface RowScope {
  readonly alias: string
  readonly parameters: Parameters
}

export const ALWAYS: Predicate = Object.freeze<Predicate>({ kind: "all", parts: [] })
export const NEVER: Predicate = Object.freeze<Predicate>({ kind: "any", parts: [] })

export function isAlways(predicate: Predicate): boolean {
  return predicate.kind === "all" && predicate.parts.length === 0
}

/** Returns the predicate that is true for the rows that satisfy both of these predicates. */
export function both(left: Predicate, right: Predicate): Predicate {
  if (isAlways(left)) return right
  if (isAlways(right)) return left
  return { kind: "all", parts: [left, right] }
}

/** The rows of a resource that the caller may access. */
export type Access =
  | { readonly kind: "allow" }
  | { readonly kind: "deny" }
  | { readonly kind: "where"; readonly predicate: Predicate }

export const ALLOW: Access = Object.freeze<Access>({ kind: "allow" })
export const DENY: Access = Object.freeze<Access>({ kind: "deny" })

export function predicateOf(access: Access): Predicate {
  switch (access.kind) {
    case "allow":
      return ALWAYS
    case "deny":
      return NEVER
    case "where":
      return access.predicate
    default:
      return access satisfies never
  }
}

/**
 * Returns a predicate on a stage copy that is true if the record's working copy satisfies this predicate. For a
 * resource without stage copies, it returns the predicate unchanged.
 */
export function onWorkingCopy({ working, id }: Resource, predicate: Predicate): Predicate {
  if (working === undefined || isAlways(predicate)) return predicate
  return { kind: "related", field: id, target: working, part: predicate }
}

/**
 * Returns a predicate on the working copy as a predicate on the stage copy: its conditions on links use the link tables
 * of the stage copy.
 */
export function onStageCopy(copy: Resource, predicate: Predicate): Predicate {
  switch (predicate.kind) {
    case "all":
    case "any":
      return { ...predicate, parts: predicate.parts.map((part) => onStageCopy(copy, part)) }
    case "not":
      return { ...predicate, part: onStageCopy(copy, predicate.part) }
    case "some":
      return { ...predicate, relation: relationOfCopy(copy, predicate.relation) }
    default:
      return predicate
  }
}

function relationOfCopy({ working, fields }: Resource, relation: ToManyRelation): ToManyRelation {
  const field = [...(working?.fields.values() ?? [])].find((own) => isSameLink(own.relation, relation))
  const copied = field && fields.get(field.name)?.relation
  return copied?.kind === "manyToMany" ? copied : relation
}

/** True if both are the same many-to-many relation, seen from the same end. */
export function isSameLink(left: ResourceField["relation"], right: ToManyRelation): boolean {
  if (left?.kind !== "manyToMany" || right.kind !== "manyToMany") return false
  return left.link.table === right.link.table && left.link.own === right.link.own
}

const activeRowsOf = new WeakMap<Resource, Predicate>()

/** Returns the predicate for the rows that are not soft-deleted, or for all rows if the resource has no soft delete. */
export function activeRows(resource: Resource): Predicate {
  const { deletedAt } = resource
  if (deletedAt === undefined) return ALWAYS
  const known = activeRowsOf.get(resource)
  if (known) return known
  const operator = operatorsOf(deletedAt.type.operators).get("isNull")
  if (operator === undefined) throw new Error("The operator table has no test for null.")
  const predicate: Predicate = Object.freeze<Predicate>({ kind: "compare", field: deletedAt, operator, operand: true })
  activeRowsOf.set(resource, predicate)
  return predicate
}

/** Restricts the caller's access to rows that are not soft-deleted. */
export function activeOnly(resource: Resource, access: Access): Access {
  if (resource.deletedAt === undefined || access.kind === "deny") return access
  return { kind: "where", predicate: both(activeRows(resource), predicateOf(access)) }
}

/**
 * The fields of each resource that a request may name, and the rows of each resource that are visible to the caller.
 */
export interface Visibility {
  fields(resource: Resource): ReadonlyMap<string, ResourceField>
  rows(resource: Resource): Access
}

/**
 * The visibility for system code and row rules. They may name every field, but soft-deleted rows are hidden from them
 * too.
 */
export const EVERYTHING: Visibility = Object.freeze<Visibility>({
  fields: (resource) => resource.fields,
  rows: (resource) => activeOnly(resource, ALLOW),
})
