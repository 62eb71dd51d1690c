import type { Direction } from "../options/query-options.ts"
import type { CollectionTypes, GlobalTypes } from "./app-config.ts"
import type { ItemOf, KeyOf, Leaf, MemberOf } from "./shape.ts"

/**
 * The type of the option `with`, from whose value the compiler infers `With`. A name that the resource does not have is
 * an error.
 */
export type WithOption<Types extends GlobalTypes, With> =
  | (With & NoInfer<WithNames<Types> extends With ? unknown : ExactMembers<With, Types["with"]>>)
  | OfferedTo<With, Types["with"]>
  | undefined

/** The same as `WithOption`, for the option `columns`. */
export type ColumnsOption<Types extends GlobalTypes, Columns> =
  | (Columns & NoInfer<keyof Columns extends keyof Types["columns"] ? unknown : ExactNames<Columns, Types["columns"]>>)
  | OfferedTo<Columns, Types["columns"]>
  | undefined

/**
 * Checks the inferred type `Given` of an option: rejects every name, at any depth, that the type `Shape` does not have.
 * The compiler itself does not check an inferred type parameter for excess properties. If `Shape` has no named keys, as
 * for a JSON operand, every name is accepted.
 */
type Exact<Given, Shape> = Given extends Leaf
  ? unknown
  : Given extends readonly unknown[]
    ? { [Index in keyof Given]: Exact<Given[Index], ItemOf<Shape>> }
    : [KeyOf<Shape>] extends [never]
      ? unknown
      : ExactMembers<Given, Shape>

/** The same as `Exact`, if the type `Given` is known to be an object type. */
type ExactMembers<Given, Shape> = {
  [Key in keyof Given]: Key extends KeyOf<Shape> ? Exact<Given[Key], MemberOf<Shape, Key>> : NoSuchName<Key>
}

/** The same as `Exact`, but checks only the names of the members and not their values. */
export type ExactNames<Given, Shape> = {
  [Name in keyof Given]: Name extends keyof Shape ? unknown : NoSuchName<Name>
}

/** The same as `Exact`, for `groupBy`: the name of a field, or an object with the field and further options. */
export type ExactGroup<Group> = Group extends object ? ExactNames<Group, GroupNames> : unknown

/** The same as `Exact`, for the `groupBy` of an aggregate: a key, or a list of them. */
export type ExactKeys<Group> = Group extends readonly unknown[]
  ? { [Index in keyof Group]: ExactKey<Group[Index]> }
  : ExactKey<Group>

type ExactKey<Key> = Key extends object ? ExactNames<Key, KeyNames> : unknown

interface KeyNames {
  field: unknown
  by: unknown
  timeZone: unknown
}

interface GroupNames {
  field: unknown
  order: unknown
  docs: unknown
}

/**
 * A type with the names that can be used in a `with` option, for a fast check of the option's type `With`:
 * `WithNames<Types> extends With` holds if `With` uses only these names, because their types are `never`, which is
 * assignable to every type. Filters, orders by a relation and lists are left out here. A `with` that uses them is
 * checked name by name.
 */
type WithNames<Types extends GlobalTypes> = {
  [Name in keyof Types["relations"]]: RelationNames<Types["relations"][Name]>
}

// Assignable to both forms of a relation in `with`: `true`, and an object of options.
type RelationNames<Target> = Target extends readonly CollectionTypes[]
  ? true & ManyNames<Target[number]>
  : Target extends CollectionTypes
    ? true & RelatedNames<Target>
    : // The relations inside of a value are checked name by name.
      unknown

interface RelatedNames<Types extends CollectionTypes> {
  columns: { [Name in keyof Types["columns"]]-?: never }
  with: WithNames<Types>
  stage: never
}

interface ManyNames<Types extends CollectionTypes> {
  columns: { [Name in keyof Types["columns"]]-?: never }
  with: WithNames<Types>
  stage: never
  orderBy: {
    [Name in keyof Types["orderBy"]]-?: Types["orderBy"][Name] extends Direction | undefined ? never : unknown
  }
  limit: never
  offset: never
  _count: never
}

declare const NO_VALUE: unique symbol

/** A type without values: no value is assignable to it. */
interface Offered {
  readonly [NO_VALUE]: never
}

/**
 * A type that is added to the type of an inferred option, so that editors can complete the option's names. If a name in
 * the inferred type `Chosen` is wrong, this type becomes `never`, so that the compiler's error is about that name
 * alone.
 */
type OfferedTo<Chosen, Names> = [Chosen] extends [never]
  ? Names & Offered
  : keyof Chosen extends keyof Names
    ? Names & Offered
    : never

/** A type that no option's value has, so that the compiler reports an error. The error shows the wrong name. */
interface NoSuchName<Name> {
  readonly noSuchName: Name
}
