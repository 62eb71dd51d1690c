import type { Direction } from "../options/query-options.ts"
import type { CollectionTypes, GlobalTypes } from "./app-config.ts"

/**
 * Rejects every name of `WriteInput` that `SelectionInput` does not have, at any depth: the compiler does not check an inferred type
 * parameter for excess properties. If the shape names no keys, as for a JSON operand, every name is accepted.
 */
export type Exact<Given, Shape> = Given extends Leaf
  ? unknown
  : Given extends readonly unknown[]
    ? { [Index in keyof Given]: Exact<Given[Index], ItemOf<Shape>> }
    : [KeyOf<Shape>] extends [never]
      ? unknown
      : ExactMembers<Given, Shape>

/** The same as `Exact`, for a value that is known to be an object. */
export type ExactMembers<Given, Shape> = {
  [Key in keyof Given]: Key extends KeyOf<Shape> ? Exact<Given[Key], MemberOf<Shape, Key>> : NoSuchName<Key>
}

/** The same as `Exact`, but checks only names and not their values. */
export type ExactNames<Given, Shape> = {
  [Name in keyof Given]: Name extends keyof Shape ? unknown : NoSuchName<Name>
}

/** The same as `Exact`, for a field to group by, or a field with further options. */
export type ExactGroup<Group> = Group extends object ? ExactNames<Group, GroupNames> : unknown

interface GroupNames {
  field: unknown
  order: unknown
  docs: unknown
}

/**
 * Extends every `with` that has only these names: `never` is assignable to every value, and a missing name to none.
 * Filters, orders by a relation and lists are missing here: a `with` that has them is checked name by name.
 */
export type WithNames<Types extends GlobalTypes> = {
  [Name in keyof Types["relations"]]: RelationNames<Types["relations"][Name]>
}

// Extends both `true` and the options of a relation.
type RelationNames<Target> = Target extends readonly CollectionTypes[]
  ? true & ManyNames<Target[number]>
  : Target extends CollectionTypes
    ? true & RelatedNames<Target>
    : never

interface RelatedNames<Types extends CollectionTypes> {
  columns: { [Name in keyof Types["columns"]]-?: never }
  with: WithNames<Types>
}

interface ManyNames<Types extends CollectionTypes> {
  columns: { [Name in keyof Types["columns"]]-?: never }
  with: WithNames<Types>
  orderBy: {
    [Name in keyof Types["orderBy"]]-?: Types["orderBy"][Name] extends Direction | undefined ? never : unknown
  }
  limit: never
  offset: never
  _count: never
}

declare const NO_VALUE: unique symbol

/** A type without values: nothing is assignable to it. */
export interface Offered {
  readonly [NO_VALUE]: never
}

/**
 * Stands beside an option whose type is inferred, and gives editors the names of the option for completion. If a chosen
 * name is wrong, it becomes `never`, so that the compiler's error is about that name alone. Generated code has it
 * inlined.
 */
export type OfferedTo<Chosen, Names> = [Chosen] extends [never]
  ? Names & Offered
  : keyof Chosen extends keyof Names
    ? Names & Offered
    : never

/** A type that no option has; the compiler's error shows the name. */
interface NoSuchName<Name> {
  readonly noSuchName: Name
}

type Leaf = string | number | bigint | boolean | null | undefined | Date

type ItemOf<Shape> = Shape extends readonly (infer Item)[] ? Item : never

type KeyOf<Shape> = Shape extends Leaf | readonly unknown[] ? never : keyof Shape

type MemberOf<Shape, Key> = Shape extends Leaf | readonly unknown[]
  ? never
  : Key extends keyof Shape
    ? Shape[Key]
    : never
