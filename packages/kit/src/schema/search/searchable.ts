/**
 * Declares how the records of a collection are searched.
 *
 * .searchable({ fields: ["title", "lead", "body"], facets: ["section"], weights: { title: 5, body: 1 } })
 */
export interface SearchableDefinition<Name extends string = string, Facet extends string = string> {
  /**
   * The fields whose text is searched, besides the title field. A caller finds a record only by fields that the caller
   * may read. A hidden field can be searched by everyone who may read the record, and is never sent.
   */
  readonly fields?: readonly Name[]
  /**
   * Returns further text by which a record is found, for example from related records, which `with` requests. The text
   * is never sent, and everyone who may read the record can find it.
   *
   * content: ({ author, tags }) => [author?.name, ...tags].join(" ")
   */
  readonly content?: SearchContent
  /** The related records that `content` needs, as in a `find`. A change of one of them changes the index, too. */
  readonly with?: object
  /** The field whose value is the title of a found record; the field of `.title()` unless set. */
  readonly title?: Name
  /** The fields over whose values the found records can be counted. */
  readonly facets?: readonly Facet[]
  /**
   * How much a word counts in each field, and in `content`. Unless set, the title counts most. At most four different
   * weights can be used.
   */
  readonly weights?: Readonly<Partial<Record<Name | "content", number>>>
}

export type SearchContent = (record: never) => string | null | undefined
