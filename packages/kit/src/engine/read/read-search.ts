import type { Resource, ResourceSearch } from "../../schema/compile/resource.ts"
import { operatorsOf } from "../../sql/filter/operators.ts"
import { NEVER, type Predicate } from "../../sql/filter/predicate.ts"
import type { ParseContext } from "../../sql/parse/parse-context.ts"
import { parseQuery } from "../../sql/search/query/search-query.ts"
import { searchedText } from "../../sql/search/searched-text.ts"
import { matchCondition } from "../../sql/search/text-match.ts"
import { invalid } from "../../wire/errors/api-error.ts"
import { QUERY_LIMITS } from "../../wire/options/query-options.ts"
import type { OperationContext } from "../context/operation-context.ts"
import type { UncheckedOptions } from "../context/read-options.ts"

/** A read of a resource with the option `search`. */
interface SearchingRead {
  readonly resource: Resource
  readonly given: UncheckedOptions
  readonly reading: ParseContext
}

/**
 * Parses the option `search`. Only fields that the caller may read are searched. A record of a searchable resource
 * matches if its text has every word of the search, the last of them perhaps unfinished. Of any other resource, a record
 * matches if the search text occurs in its title. Throws if there is no text that the caller may search: a title that is
 * hidden from the caller does not exist for them, like one that was never declared.
 */
export function readSearch(ctx: OperationContext, { resource, given, reading }: SearchingRead): Predicate | undefined {
  const { search } = given.options
  if (search === undefined || search === "") return undefined
  const isText = typeof search === "string" && !search.includes("\0") && search.isWellFormed()
  if (!isText) throw invalid("search", "Expected well-formed text without U+0000.")
  if (search.length > QUERY_LIMITS.maxSearchLength) {
    throw invalid("search", `Search for at most ${QUERY_LIMITS.maxSearchLength} characters.`)
  }
  const visible = reading.visibility.fields(resource)
  if (resource.search === undefined) return containsText(resource, { visible, search })
  return search.trim() === "" ? undefined : matchesWords(ctx, resource.search, { visible, search })
}

interface VisibleSearch {
  readonly visible: ReturnType<ParseContext["visibility"]["fields"]>
  readonly search: string
}

function containsText({ searchFields }: Resource, { visible, search }: VisibleSearch): Predicate {
  const contains = operatorsOf("text").get("contains")
  const fields = searchFields.flatMap(({ name }) => visible.get(name) ?? [])
  if (fields.length === 0) throw invalid("search", NOTHING_TO_SEARCH)
  if (contains === undefined) throw new Error("The operator table has no search in texts.")
  return {
    kind: "any",
    parts: fields.map((field) => ({ kind: "compare", field, operator: contains, operand: search })),
  }
}

const NOTHING_TO_SEARCH =
  'There is no text here in which you can search. The author of the collection declares it by .title("name") or .searchable({ fields: ["name"] }).'

function matchesWords(
  { locale, schema, hasShortcuts }: OperationContext,
  searched: ResourceSearch,
  { visible, search }: VisibleSearch,
): Predicate {
  const query = parseQuery(search)
  const text = searchedText(searched, { visible, locale, defaultLocale: schema.locales.default, hasShortcuts })
  if (text.fields.length === 0 && text.content === undefined) throw invalid("search", NOTHING_TO_SEARCH)
  if (query.groups.length === 0) return NEVER
  return {
    kind: "text",
    fields: text.fields.map(({ field }) => field),
    // The fields may have been replaced by ones whose masks are evaluated only in readable rows.
    write: (fields, row) => {
      const replaced = text.fields.map((each, index) => ({ ...each, field: fields[index] ?? each.field }))
      return matchCondition({ ...text, fields: replaced }, query, row)
    },
  }
}
