import type { CollectionTypes, GlobalTypes } from "./app-config.ts"

/** No `with`, no `columns`. */
export type Nothing = Record<never, never>

/** A record as `with` and `columns` ask for it. */
export type Found<Types extends GlobalTypes, With = Nothing, Columns = Nothing> = [keyof With | keyof Columns] extends [
  never,
]
  ? Types["record"]
  : string extends keyof Types["record"]
    ? Types["record"]
    : [ManyName<Types, With>] extends [never]
      ? Selected<Types, With, Columns>
      : Selected<Types, With, Columns> & HydratedMany<Types, With>

// Columns that are known only at run time leave every field but the id in doubt.
type Selected<Types extends GlobalTypes, With, Columns> = boolean extends Columns[keyof Columns]
  ? Partial<Answered<Types, With, keyof Types["record"]>> & Pick<Types["record"], "id" & keyof Types["record"]>
  : Answered<Types, With, HydratedName<With> | ColumnName<keyof Types["record"], Columns>>

type Answered<Types extends GlobalTypes, With, Names> = {
  [Name in keyof Types["record"] as Name & Names]: Name extends keyof With & keyof Types["relations"]
    ? Hydrated<Types["relations"][Name], With[Name], Types["record"][Name]>
    : Types["record"][Name]
}

type HydratedName<With> = { [Name in keyof With]: With[Name] extends false | undefined ? never : Name }[keyof With]

type ColumnName<Name, Columns> = [keyof Columns] extends [never]
  ? Name
  : true extends Columns[keyof Columns]
    ? "id" | { [Key in keyof Columns]: Columns[Key] extends true ? Key : never }[keyof Columns]
    : "id" | Exclude<Name, keyof Columns>

// A target that the caller may not read is answered as null.
type Hydrated<Target, Given, Id> = Target extends CollectionTypes
  ? Given extends true
    ? Found<Target> | null
    : Given extends object
      ? Found<Target, OptionOf<Given, "with">, OptionOf<Given, "columns">> | null
      : Id
  : never

type ManyName<Types extends GlobalTypes, With> = {
  [Name in keyof With & keyof Types["relations"]]: Types["relations"][Name] extends readonly unknown[]
    ? With[Name] extends false | undefined
      ? never
      : Name
    : never
}[keyof With & keyof Types["relations"]]

type HydratedMany<Types extends GlobalTypes, With> = {
  [Name in ManyName<Types, With>]: Types["relations"][Name] extends readonly (infer Target extends CollectionTypes)[]
    ? ManyFound<Target, With[Name]>
    : never
} & ([CountedName<Types, With>] extends [never] ? unknown : { _count: Record<CountedName<Types, With>, number> })

type ManyFound<Target extends CollectionTypes, Given> = Given extends true
  ? readonly Found<Target>[]
  : Given extends object
    ? readonly Found<Target, OptionOf<Given, "with">, OptionOf<Given, "columns">>[]
    : undefined

type CountedName<Types extends GlobalTypes, With> = {
  [Name in ManyName<Types, With>]: With[Name] extends { _count: true } ? Name : never
}[ManyName<Types, With>]

type OptionOf<Given, Name> = Name extends keyof Given ? Exclude<Given[Name], undefined> : Nothing
