import type { WhereInput } from "../../wire/options/query-options.ts"

/** The generated types of a collection or global, which its rules, hooks and computed fields use. */
export interface ResourceTypes {
  where: object
  /** The input of a create or update, before validation. */
  input: object
  /** The validated values of a create. */
  data: object
  /** The validated values of a change to a stored record. */
  change: object
  /** The whole stored row, hidden fields included. */
  row: object
  /**
   * The type of `original` in a global's first write, which finds no stored row: null. For a collection, it is `never`.
   */
  firstOriginal: null
  /** The fields of a row that the function of a computed field can read. */
  readable: object
  /** A record in a response, as the `columns` and `with` of the request select it. */
  shown: object
}

/** The types of a resource in an app without generated code. Every field name is accepted. */
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

/** The input of a create or update before validation: the field names are known, the types of their values are not. */
export type UncheckedInput<Data> = { [Name in keyof Data]?: unknown }

/** A record as a request's `columns` and `with` select it. A relation's value is an id, or the related records. */
export type SelectedRecord<Record, Relations> = {
  [Name in Exclude<keyof Record, keyof Relations>]?: Record[Name]
} & { [Name in keyof Relations]?: unknown }
