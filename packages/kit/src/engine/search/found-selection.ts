import type { Resource, ResourceField } from "../../schema/compile/resource.ts"
import type { ParseContext } from "../../sql/parse/parse-context.ts"
import { wholeSelection } from "../../sql/parse/parse-selection.ts"
import type { Selection } from "../../sql/parse/selection.ts"
import { isPlainObject } from "../../wire/codecs/query-string.ts"
import { mapErrorPaths } from "../context/error-path.ts"
import type { UncheckedOptions } from "../context/read-options.ts"
import { parseListSelection } from "../read/plan-read.ts"

/** The selections of the records that a search finds in one collection. */
export interface FoundSelection {
  /** The selection that the options `with` and `columns` request. */
  readonly requested: Selection
  /** The requested selection, with the record's title if the caller may see it. */
  readonly read: Selection
}

interface SearchedRead {
  readonly resource: Resource
  readonly given: UncheckedOptions
  readonly reading: ParseContext
}

/** Parses the options `with` and `columns` of a search for one collection, of which a page has at most `limit` records. */
export function parseFoundSelection(search: SearchedRead, limit: number): FoundSelection {
  const requested = parseAt(search, limit)
  const { resource, given, reading } = search
  const { columns } = given.options
  const title = resource.search?.title?.name
  const mayLack = title !== undefined && isPlainObject(columns) && !hasField(requested, title)
  if (!mayLack || !hasField(wholeSelection(resource, reading), title)) return { requested, read: requested }
  const titled = { ...given, options: { ...given.options, columns: withColumn(columns, title) } }
  // The filters inside of `with` have been counted already.
  const uncounted = { ...reading, cost: undefined }
  return { requested, read: parseListSelection({ resource, given: titled, reading: uncounted }, limit) }
}

// True if the records have the field. A field that is only an input of computed fields is removed from them.
function hasField({ fields, computed }: Selection, name: string): boolean {
  const isNamed = (field: ResourceField) => field.name === name
  return fields.some(isNamed) && !computed?.inputs.some(isNamed)
}

// In an error, the path of an option begins with its name: `with.author` is `with.articles.author` in a search.
function parseAt(search: SearchedRead, limit: number): Selection {
  try {
    return parseListSelection(search, limit)
  } catch (error) {
    throw mapErrorPaths(error, (path) => path.replace(/^\w+/, (option) => `${option}.${search.resource.name}`))
  }
}

// Adds a field to checked columns: they either name the selected fields or those that are left out.
function withColumn(columns: Readonly<Record<string, unknown>>, name: string): Readonly<Record<string, unknown>> {
  const { [name]: _left, ...others } = columns
  const isSelection = Object.values(others).some((value) => value === true || value === "true")
  return isSelection ? { ...others, [name]: true } : others
}
