import type { Selected } from "../../wire/results/found.ts"
import type { GlobalTypes } from "../../wire/typed/app-config.ts"
import type { WithOption } from "../../wire/typed/exact.ts"
import type { LooseResource } from "../compile/resource-types.ts"

/**
 * Declares how the records of a collection are searched.
 *
 * .searchable({ fields: ["title", "lead", "body"], facets: ["section"], weights: { title: 5, body: 1 } })
 */
export interface SearchableDefinition<
  Name extends string = string,
  Facet extends string = string,
  Title extends string = Name,
> {
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
  content?(record: LooseResource["row"]): string | null | undefined
  /** The related records that `content` needs, as in a `find`. A change of one of them changes the index, too. */
  readonly with?: object
  /** The field whose value is the title of a found record; the field of `.title()` unless set. */
  readonly title?: Title
  /** The fields over whose values the found records can be counted. */
  readonly facets?: readonly Facet[]
  /**
   * How much a word counts in each field, and in `content`. Unless set, the title counts most. At most four different
   * weights can be used.
   */
  readonly weights?: Readonly<Partial<Record<Name | "content", number>>>
}

export type SearchContent = NonNullable<SearchableDefinition["content"]>

/**
 * The same as `SearchableDefinition`, with the types of an app. The record that `content` gets has the related records
 * that `with` requests.
 */
export interface SearchableOf<Types extends GlobalTypes, Row extends object, With, Names extends SearchableNames>
  extends Omit<SearchableDefinition<Names["field"], Names["facet"], Names["title"]>, "content" | "with"> {
  readonly with?: WithOption<Types, With>
  content?(record: SearchedRecord<Types, Row, With>): string | null | undefined
}

/** The names of a collection's fields that can be searched, can be titles, and can be facets. */
interface SearchableNames {
  field: string
  title: string
  facet: string
}

type SearchedRecord<Types extends GlobalTypes, Row extends object, With> = [With] extends [never]
  ? Row
  : Selected<RowTypes<Row, Types["relations"]>, With, never>

interface RowTypes<Row extends object, Relations extends object> extends GlobalTypes {
  record: Row
  relations: Relations
}
