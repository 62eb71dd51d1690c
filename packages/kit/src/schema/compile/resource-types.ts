import type { WhereInput } from "../../wire/options/query-options.ts"

/** What is generated of a collection or a global for the code that takes part in its reads and writes. */
export interface ResourceTypes {
  where: object
  /** What a caller has sent for a write. */
  input: object
  /** The checked values of a new record. */
  data: object
  /** The checked values of a change. */
  change: object
  /** The whole stored row, hidden fields included. */
  row: object
  /** Null where the first change finds no row; never elsewhere. */
  firstOriginal: null
  /** What a computed field is made from. */
  readable: object
  /** The record as a caller may have asked for it. */
  shown: object
}

/** Stands in for the types of a resource that nothing is generated for: every name is accepted. */
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

// biome-ignore lint/suspicious/noExplicitAny: what compiles with generated types has to compile before there are any.
type LooseRow = Record<string, any>

/** What was sent for a write, before it is checked: the names are known, the values are not. */
export type Sent<Data> = { [Name in keyof Data]?: unknown }

/** A record as `columns` and `with` of a caller may have shaped it: a relation is an id, or the related records. */
export type Shown<Record, Relations> = {
  [Name in Exclude<keyof Record, keyof Relations>]?: Record[Name]
} & { [Name in keyof Relations]?: unknown }
