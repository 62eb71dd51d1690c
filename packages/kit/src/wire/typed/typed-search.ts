import type {
  FacetOptions,
  ReindexOptions,
  ReindexResult,
  SearchOptions,
  SearchResult,
  UntypedFound,
} from "../results/search.ts"

/** The generated types of a searchable collection. */
export interface SearchableTypes {
  /** A found record. */
  found: object
  where: object
  /** The names of the fields that can be facets, as a union; `never` if there are none. */
  facet: string
  /** The names of the collection's stages, as a union; `never` if it has none. */
  stage: string
}

/** The searchable collections of an app whose types are not known. */
export interface UntypedSearchable {
  [collection: string]: { found: UntypedFound; where: object; facet: string; stage: string }
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
  search<Name extends keyof Searchable & string = keyof Searchable & string>(
    options: TypedSearchOptions<Searchable, Name, Locale>,
    ...call: Call
  ): Promise<SearchResult<MemberOf<Searchable[Name], "found">>>
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

interface TypedSearchOptions<Searchable, Name extends keyof Searchable, Locale extends string>
  extends Omit<SearchOptions, "collections" | "where" | "facets" | "locale" | "stage"> {
  readonly collections?: readonly Name[] | undefined
  readonly where?: { readonly [Each in NoInfer<Name>]?: MemberOf<Searchable[Each], "where"> | undefined } | undefined
  readonly facets?: readonly FacetOptions<MemberOf<Searchable[NoInfer<Name>], "facet"> & string>[] | undefined
  readonly locale?: Locale | undefined
  readonly stage?: (MemberOf<Searchable[NoInfer<Name>], "stage"> & string) | undefined
}

type MemberOf<Types, Member extends keyof SearchableTypes> = Types extends { [Key in Member]: infer Value }
  ? Value
  : never
