import type { WhereInput } from "../wire/query-options.ts"

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
  /** The fields of a row whose types only the author's file knows, each with what it may be besides; never for none. */
  declaredRow: object
  /** Those of them that can be written. */
  declaredData: object
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
  declaredRow: never
  declaredData: never
}

// biome-ignore lint/suspicious/noExplicitAny: what compiles with generated types has to compile before there are any.
type LooseRow = Record<string, any>

/**
 * The types of a resource together with what only the declarations of its fields know. They are read from the builder at
 * hand: asking the file that it stands in would ask for the type of an expression that is just being typed.
 */
export type Whole<Types extends ResourceTypes, Declared> = [Types["declaredRow"]] extends [never]
  ? Types
  : WholeTypes<Types, Declared>

interface WholeTypes<Types extends ResourceTypes, Declared> {
  where: Types["where"]
  input: Types["input"]
  data: Types["data"] & DeclaredValues<Types["declaredData"], Declared>
  change: Types["change"] & Partial<DeclaredValues<Types["declaredData"], Declared>>
  row: Types["row"] & Readonly<DeclaredValues<Types["declaredRow"], Declared>>
  firstOriginal: Types["firstOriginal"]
  readable: Types["readable"]
  shown: Types["shown"] & Partial<DeclaredValues<Types["declaredRow"], Declared>>
  declaredRow: object
  declaredData: object
}

type DeclaredValues<Names, Declared> = {
  [Name in keyof Names]: FieldValue<Declared, Name> | Names[Name]
}

type FieldValue<Declared, Name> = Name extends keyof Declared
  ? Declared[Name] extends { readonly value: infer Value }
    ? Value
    : unknown
  : unknown

/** What was sent for a write, before it is checked: the names are known, the values are not. */
export type Sent<Data> = { [Name in keyof Data]?: unknown }

/** A record as `columns` and `with` of a caller may have shaped it: a relation is an id, or the related records. */
export type Shown<Record, Relations> = {
  [Name in Exclude<keyof Record, keyof Relations>]?: Record[Name]
} & { [Name in keyof Relations]?: unknown }
