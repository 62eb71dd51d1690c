import type { WhereInput } from "../../wire/options/query-options.ts"

/** The generated types of a collection or a global, for its rules, hooks and computed fields. */
export interface ResourceTypes {
  where: object
  /** The input of a write. */
  input: object
  /** The validated values of a create. */
  data: object
  /** The validated values of a change. */
  change: object
  /** The whole stored row, hidden fields included. */
  row: object
  /** Null for a global, whose first change finds no row; otherwise `never`. */
  firstOriginal: null
  /** The row that a computed field is computed from. */
  readable: object
  /** The record in an answer, shaped by the `columns` and `with` of the request. */
  shown: object
}

/** The types of a resource before `kit generate`: every name is accepted. */
export interface LooseResource {
  where: WhereInput
  input: Record<string, unknown>
  data: LooseRow
  change: LooseRow
  row: LooseRow
  firstOriginal: null
  readable: LooseRow
  shown: LooseRow
}

// biome-ignore lint/suspicious/noExplicitAny: code that compiles with generated types has to compile without them too.
type LooseRow = Record<string, any>

/** The input of a write before validation: the names are known, the types of the values are not. */
export type UncheckedInput<Data> = { [Name in keyof Data]?: unknown }

/** A record as the `columns` and `with` of a request shape it: a relation is an id, or the related records. */
export type SelectedRecord<Record, Relations> = {
  [Name in Exclude<keyof Record, keyof Relations>]?: Record[Name]
} & { [Name in keyof Relations]?: unknown }
