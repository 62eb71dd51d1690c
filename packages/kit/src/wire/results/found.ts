import type { CollectionTypes, GlobalTypes } from "../typed/app-config.ts"

/** The type of a record that is read with these `with` and `columns` options; `never` stands for an omitted option. */
export type Found<Types extends GlobalTypes, With = never, Columns = never> = With | Columns extends never
  ? Types["record"]
  : string extends keyof Types["record"]
    ? Types["record"]
    : Selected<Types, With, Columns>

/** The same as `Found`, for a read that is known to have `with`, `columns` or both. */
export type Selected<Types extends GlobalTypes, With, Columns> = [Columns] extends [never]
  ? WithOne<Types, With> & WithMany<Types, With>
  : [With] extends [never]
    ? Chosen<Types["record"], Columns>
    : Chosen<WithOne<Types, With>, Columns, HydratedName<With>> & WithMany<Types, With>

// The type of a record in which each hydrated relation to one record holds that record instead of its id. It is a
// mapped type, so that the compiler computes each field only when code reads that field.
type WithOne<Types extends GlobalTypes, With> = {
  [Name in keyof Types["record"]]: Name & keyof With extends never
    ? Types["record"][Name]
    : OneFound<Types["relations"][Name & keyof Types["relations"]], With[Name & keyof With], Types["record"][Name]>
}

/**
 * The type of a record with the chosen columns, its id and its hydrated relations. If the columns are known only at run
 * time, the id and the hydrated relations are required, and all other fields are optional.
 */
type Chosen<Record, Columns, More = never> = Columns[keyof Columns] extends true
  ? Pick<Record, (keyof Columns extends never ? keyof Record : "id" | keyof Columns | More) & keyof Record>
  : boolean extends Columns[keyof Columns]
    ? Partial<Record> & Pick<Record, ("id" | More) & keyof Record>
    : true extends Columns[keyof Columns]
      ? Pick<Record, ("id" | TrueName<Columns> | More) & keyof Record>
      : Pick<Record, Exclude<keyof Record, Exclude<keyof Columns, "id" | More>>>

type TrueName<Columns> = { [Name in keyof Columns]: Columns[Name] extends true ? Name : never }[keyof Columns]

type HydratedName<With> = { [Name in keyof With]-?: With[Name] extends false | undefined ? never : Name }[keyof With]

// The type of a hydrated relation to one record. It includes null, because a related record that the caller may not
// read is null in the result.
type OneFound<Target, Given, Id> = Target extends CollectionTypes
  ? Given extends true
    ? Target["record"] | null
    : Given extends object
      ? Found<Target, WithOf<Given>, ColumnsOf<Given>> | null
      : Id
  : PlacesFound<Id, Target, Given>

/**
 * The type of a field's value in which records stand in the places of ids. `Places` says where the value has ids, and
 * `Given` is the part of the option `with` that is about the value.
 */
type PlacesFound<Value, Places, Given> = Places extends BlockPlaces
  ? BlocksFound<Value, Places["blocks"], Given>
  : Places extends MemberPlaces
    ? MembersFound<Value, Places["members"], Given>
    : Places extends ItemPlaces
      ? ItemsFound<Value, Places["items"], Given>
      : Places extends LocalePlaces
        ? LocalesFound<Value, Places["locales"], Given>
        : Value

/** The places of ids in a list of blocks, by the names of the block and of its member. */
interface BlockPlaces {
  blocks: object
}

/** The places of ids in an object, by the name of the member. */
interface MemberPlaces {
  members: object
}

/** The places of ids in every item of a list. Like `locales`, it adds no name to `with`. */
interface ItemPlaces {
  items: object
}

/** The places of ids in the value of each locale. */
interface LocalePlaces {
  locales: object
}

// The type parameter `Value` of these types is a union, mostly with null, and each part of it is looked at by itself.
type BlocksFound<Value, Blocks, Given> = Value extends readonly (infer Item)[]
  ? BlockFound<Item, Blocks, Given>[]
  : Value

type BlockFound<Item, Blocks, Given> = Item extends { type: infer Name extends keyof Blocks & keyof Given }
  ? MembersFound<Item, Blocks[Name], Given[Name]>
  : Item

type MembersFound<Value, Members, Given> = Value extends object
  ? {
      [Name in keyof Value]: Name extends keyof Members & keyof Given
        ? OneFound<Members[Name], Given[Name], Value[Name]>
        : Value[Name]
    }
  : Value

// Ids whose records the caller cannot read are left out of a list.
type ItemsFound<Value, Item, Given> = Value extends readonly (infer Each)[]
  ? Item extends CollectionTypes
    ? NonNullable<OneFound<Item, Given, Each>>[]
    : PlacesFound<Each, Item, Given>[]
  : Value

type LocalesFound<Value, Places, Given> = Value extends object
  ? { [Locale in keyof Value]: PlacesFound<Value[Locale], Places, Given> }
  : Value

// The hydrated relations to many records. They are not fields of the record: each is returned only if `with` requests
// it.
type WithMany<Types extends GlobalTypes, With, Names = Exclude<keyof With, keyof Types["record"]>> = [Names] extends [
  never,
]
  ? unknown
  : {
      [Name in Names & keyof With as With[Name] extends false | undefined ? never : Name]: ManyFound<
        Types["relations"][Name & keyof Types["relations"]],
        With[Name]
      >
    } & Counted<With>

type ManyFound<Target, Given> = Target extends readonly CollectionTypes[]
  ? Given extends true
    ? readonly Target[number]["record"][]
    : Given extends object
      ? readonly Found<Target[number], WithOf<Given>, ColumnsOf<Given>>[]
      : undefined
  : never

type Counted<With> =
  Extract<With[keyof With], CountRequest> extends never ? unknown : { _count: Record<CountedName<With>, number> }

type CountedName<With> = { [Name in keyof With]-?: With[Name] extends CountRequest ? Name : never }[keyof With]

interface CountRequest {
  readonly _count: true
}

type WithOf<Given> = "with" extends keyof Given ? NonNullable<Given["with" & keyof Given]> : never

type ColumnsOf<Given> = "columns" extends keyof Given ? NonNullable<Given["columns" & keyof Given]> : never
