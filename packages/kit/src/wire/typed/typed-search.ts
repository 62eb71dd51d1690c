import type { Found } from "../results/found.ts"
import type {
  FacetOptions,
  FoundRecord,
  ReindexOptions,
  ReindexResult,
  SearchOptions,
  SearchResult,
  UntypedFound,
} from "../results/search.ts"
import type { FindByTitleOptions, FoundTitles } from "../results/titles.ts"
import type { CollectionTypes } from "./app-config.ts"
import type { ColumnsOption, WithOption } from "./exact.ts"

/** The generated types of a searchable collection. */
interface SearchableTypes {
  /** A found record. */
  found: object
  where: object
  /** The names of the fields that can be facets, as a union; `never` if there are none. */
  facet: string
  /** The names of the collection's stages, as a union; `never` if it has none. */
  stage: string
  /** The generated types of the collection. */
  types: CollectionTypes
}

/** The searchable collections of an app whose types are not known. */
export interface UntypedSearchable {
  [collection: string]: { found: UntypedFound; where: object; facet: string; stage: string; types: UntypedTypes }
}

/** The types of a collection of which only the names of its options are known. */
interface UntypedTypes extends CollectionTypes {
  record: { readonly [field: string]: unknown }
  columns: { readonly [field: string]: boolean }
  with: { readonly [relation: string]: unknown }
}

/**
 * The search of an app. `Searchable` has the types of its searchable collections by name. `Call` has the arguments that
 * every call of a client has besides its own.
 */
export interface TypedSearch<Searchable, Locale extends string = string, Call extends unknown[] = []> {
  /**
   * Finds the records that match a text that a person typed, the best first. Only what the caller may read is found.
   *
   * const { docs, total } = await search.search({ query: "river flood", collections: ["articles"], highlights: true })
   */
  search<
    Name extends keyof Searchable & string = keyof Searchable & string,
    const With extends OptionsBy<Searchable, "with"> = never,
    const Columns extends OptionsBy<Searchable, "columns"> = never,
  >(
    options: SelectingSearchOptions<Searchable, Name, Locale, With, Columns>,
    ...call: Call
  ): Promise<SearchResult<FoundBy<Searchable, Name, With, Columns>>>
  // The last signature: functions that take a search infer its types from it.
  search<Name extends keyof Searchable & string = keyof Searchable & string>(
    options: TypedSearchOptions<Searchable, Name, Locale>,
    ...call: Call
  ): Promise<SearchResult<MemberOf<Searchable[Name], "found">>>
  /**
   * Finds records of all collections, searchable or not, by the beginnings of the words in their titles: for a menu of
   * commands, or for mentions.
   *
   * const { docs } = await search.findByTitle({ query: "river fl", limit: 10 })
   */
  findByTitle(options: TypedTitleOptions<Locale>, ...call: Call): Promise<FoundTitles>
}

/** The search operations of a client. */
export interface ClientSearch<Searchable, Locale extends string, Call extends unknown[]>
  extends TypedSearch<Searchable, Locale, Call> {
  /**
   * Builds the index of a collection again, in the background unless `wait` is true. Searches are answered meanwhile.
   * It is needed only after a change that kit cannot see, because the index is part of every write.
   */
  reindex(collection: keyof Searchable & string, options?: ReindexOptions, ...call: Call): Promise<ReindexResult>
}

interface TypedTitleOptions<Locale extends string> extends FindByTitleOptions {
  readonly locale?: Locale | undefined
}

interface TypedSearchOptions<Searchable, Name extends keyof Searchable, Locale extends string>
  extends Omit<SearchOptions, "collections" | "where" | "with" | "columns" | "facets" | "locale" | "stage"> {
  readonly collections?: readonly Name[] | undefined
  readonly where?: { readonly [Each in NoInfer<Name>]?: MemberOf<Searchable[Each], "where"> | undefined } | undefined
  readonly facets?: readonly FacetOptions<MemberOf<Searchable[NoInfer<Name>], "facet"> & string>[] | undefined
  readonly locale?: Locale | undefined
  readonly stage?: (MemberOf<Searchable[NoInfer<Name>], "stage"> & string) | undefined
}

/** The options of a search that also selects what it returns of the records of each collection. */
export interface SelectingSearchOptions<Searchable, Name extends keyof Searchable, Locale extends string, With, Columns>
  extends TypedSearchOptions<Searchable, Name, Locale> {
  readonly with?:
    | (With & { [Each in keyof With]: Each extends NoInfer<Name> ? WithIn<Searchable, Each, With> : never })
    | undefined
  readonly columns?:
    | (Columns & { [Each in keyof Columns]: Each extends NoInfer<Name> ? ColumnsIn<Searchable, Each, Columns> : never })
    | undefined
}

/** An option of `find`, for each of the searchable collections. */
export type OptionsBy<Searchable, Option extends "with" | "columns"> = {
  readonly [Name in keyof Searchable]?: TypesOf<Searchable, Name>[Option] | undefined
}

/** The type of a record that a search returns with these options. */
export type FoundBy<Searchable, Name extends keyof Searchable, With, Columns> = With | Columns extends never
  ? MemberOf<Searchable[Name], "found">
  : { [Each in Name]: FoundIn<Searchable, Each, With, Columns> }[Name]

type FoundIn<Searchable, Name extends keyof Searchable, With, Columns> = Name extends keyof With | keyof Columns
  ? Found<TypesOf<Searchable, Name>, OptionIn<With, Name>, OptionIn<Columns, Name>> & FoundRecord<Name & string>
  : MemberOf<Searchable[Name], "found">

type OptionIn<Options, Name> = Name extends keyof Options ? NonNullable<Options[Name]> : never

type WithIn<Searchable, Name, With> = Name extends keyof Searchable & keyof With
  ? WithOption<TypesOf<Searchable, Name>, With[Name]>
  : never

type ColumnsIn<Searchable, Name, Columns> = Name extends keyof Searchable & keyof Columns
  ? ColumnsOption<TypesOf<Searchable, Name>, Columns[Name]>
  : never

type TypesOf<Searchable, Name extends keyof Searchable> = Searchable[Name] extends {
  types: infer Types extends CollectionTypes
}
  ? Types
  : never

type MemberOf<Types, Member extends keyof SearchableTypes> = Types extends { [Key in Member]: infer Value }
  ? Value
  : never
