import type { CodeExample } from "../../as-code/code-call.ts"
import { PAGE_SIZE } from "../../kit/list-window/list-pages.ts"
import type { ListFilter, ListOptions } from "./list-options.ts"

interface ShownList {
  readonly collection: string
  readonly filter: ListFilter
  readonly options: ListOptions
  /** The locale of the texts; null if the app has one alone. */
  readonly locale: string | null
}

/** Returns the calls of a list: its first records, and how many there are. */
export function listExamples({ collection, filter, options, locale }: ShownList): readonly CodeExample[] {
  // The console asks for the language of the person in a header. A program has none.
  const inLocale = locale !== null && { locale }
  const { where, search, stage, includeDeleted, orderBy, columns, with: related } = options
  const found = {
    ...(where && { where }),
    ...(search !== undefined && { search }),
    ...(stage !== undefined && { stage }),
    ...inLocale,
    ...(includeDeleted && { includeDeleted }),
    ...(orderBy && { orderBy }),
    columns,
    ...(related && { with: related }),
    limit: PAGE_SIZE,
  }
  const counted = { ...filter, ...inLocale }
  return [
    { purpose: "find", call: { path: ["collections", collection, "find"], args: [found] } },
    {
      purpose: "count",
      call: { path: ["collections", collection, "count"], args: Object.keys(counted).length === 0 ? [] : [counted] },
    },
  ]
}
