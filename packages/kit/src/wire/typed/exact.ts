import type { Direction } from "../options/query-options.ts"
import type { CollectionTypes, GlobalTypes } from "./app-config.ts"

/**
 * Refuses every name of `Given` that `Shape` does not have, at any depth: an inferred type parameter is not checked for
 * excess properties. Where the shape names no keys, as for a JSON operand, anything goes.
 */
export type Exact<Given, Shape> = Given extends Leaf
  ? unknown
  : Given extends readonly unknown[]
    ? { [Index in keyof Given]: Exact<Given[Index], ItemOf<Shape>> }
    : [KeyOf<Shape>] extends [never]
      ? unknown
      : ExactMembers<Given, Shape>

/** As `Exact`, for what is known to be an object. */
export type ExactMembers<Given, Shape> = {
  [Key in keyof Given]: Key extends KeyOf<Shape> ? Exact<Given[Key], MemberOf<Shape, Key>> : NoSuchName<Key>
}

/** As `Exact`, for names whose values need no second look. */
export type ExactNames<Given, Shape> = {
  [Name in keyof Given]: Name extends keyof Shape ? unknown : NoSuchName<Name>
}

/** As `Exact`, for a field to group by, or one with further options. */
export type ExactGroup<Group> = Group extends object ? ExactNames<Group, GroupNames> : unknown

interface GroupNames {
  field: unknown
  order: unknown
  docs: unknown
}

/**
 * Extends each `with` that has no other names than these: never fits every value, and what is missing here fits none. A
 * filter, an order by a relation and a list are missing: a `with` that has them is looked at name by name.
 */
export type WithNames<Types extends GlobalTypes> = {
  [Name in keyof Types["relations"]]: RelationNames<Types["relations"][Name]>
}

// Both `true` and the options of a relation.
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

/** No value is of this type: it lets nothing in. */
export interface Offered {
  readonly [NO_VALUE]: never
}

/**
 * Stands beside an option whose type is inferred, and tells an editor the names of the option, chosen or not. Beside a wrong
 * name it is gone, so that the compiler speaks of that name alone. Generated code has it written out.
 */
export type OfferedTo<Chosen, Names> = [Chosen] extends [never]
  ? Names & Offered
  : keyof Chosen extends keyof Names
    ? Names & Offered
    : never

/** What no option is; the compiler's message says the name. */
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
