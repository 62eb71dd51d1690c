import type { CollectionTypes, GlobalTypes } from "./app-config.ts"

/** A record as `with` and `columns` ask for it; never stands for none of them. */
export type Found<Types extends GlobalTypes, With = never, Columns = never> = [With | Columns] extends [never]
  ? Types["record"]
  : string extends keyof Types["record"]
    ? Types["record"]
    : FoundWith<Types, With, Columns, HydratedName<With>>

type FoundWith<Types extends GlobalTypes, With, Columns, Names> = [Names] extends [never]
  ? Chosen<Types["record"], Columns, never>
  : [Columns] extends [never]
    ? HydratedRecord<Types, With, Names> & HydratedMany<Types, With, Exclude<Names, keyof Types["record"]>>
    : Hydrated<Types, With, Columns, Names>

// Its fields are worked out one by one, as they are read.
type HydratedRecord<Types extends GlobalTypes, With, Names> = {
  [Name in keyof Types["record"]]: Name extends Names
    ? OneFound<Types["relations"][Name & keyof Types["relations"]], With[Name & keyof With], Types["record"][Name]>
    : Types["record"][Name]
}

// Columns that are known only at run time leave every field but the id in doubt.
type Chosen<Record, Columns, Left> = [Columns] extends [never]
  ? Pick<Record, Exclude<keyof Record, Left>>
  : boolean extends Columns[keyof Columns]
    ? Partial<Pick<Record, Exclude<keyof Record, Left>>> & Pick<Record, "id" & keyof Record>
    : true extends Columns[keyof Columns]
      ? Pick<Record, Exclude<("id" | TrueName<Columns>) & keyof Record, Left>>
      : Pick<Record, Exclude<keyof Record, Left | Exclude<keyof Columns, "id">>>

type TrueName<Columns> = { [Name in keyof Columns]: Columns[Name] extends true ? Name : never }[keyof Columns]

type HydratedName<With> = { [Name in keyof With]-?: With[Name] extends false | undefined ? never : Name }[keyof With]

// A relation to many is no field of the record: it is answered only where `with` asks for it.
type Hydrated<Types extends GlobalTypes, With, Columns, Names> = Chosen<Types["record"], Columns, Names> &
  HydratedOne<Types, With, Extract<Names, keyof Types["record"]>> &
  HydratedMany<Types, With, Exclude<Names, keyof Types["record"]>>

type HydratedOne<Types extends GlobalTypes, With, Names extends keyof Types["record"]> = {
  [Name in Names]: OneFound<
    Types["relations"][Name & keyof Types["relations"]],
    With[Name & keyof With],
    Types["record"][Name]
  >
}

// A target that the caller may not read is answered as null.
type OneFound<Target, Given, Id> = Target extends CollectionTypes
  ? Given extends true
    ? Target["record"] | null
    : Given extends object
      ? Found<Target, OptionOf<Given, "with">, OptionOf<Given, "columns">> | null
      : Id
  : never

type HydratedMany<Types extends GlobalTypes, With, Names> = [Names] extends [never]
  ? unknown
  : {
      [Name in Names & keyof With & keyof Types["relations"]]: ManyFound<Types["relations"][Name], With[Name]>
    } & ([CountedName<With, Names>] extends [never] ? unknown : { _count: Record<CountedName<With, Names>, number> })

type ManyFound<Target, Given> = Target extends readonly (infer One extends CollectionTypes)[]
  ? Given extends true
    ? readonly One["record"][]
    : Given extends object
      ? readonly Found<One, OptionOf<Given, "with">, OptionOf<Given, "columns">>[]
      : undefined
  : never

type CountedName<With, Names> = {
  [Name in Names & keyof With & string]: With[Name] extends { _count: true } ? Name : never
}[Names & keyof With & string]

type OptionOf<Given, Name> = Name extends keyof Given ? Exclude<Given[Name], undefined> : never
