import type { CodeExample, CodePurpose } from "../../as-code/code-call.ts"
import { PAGE_SIZE } from "../../kit/list-window/page-size.ts"
import { GROUP_STEP, monthGroupOptions, valueGroupOptions } from "./groups/group-options.ts"
import type { Grouping } from "./groups/grouping.ts"
import type { ListFilter, ListOptions } from "./list-options.ts"

interface ShownList {
  readonly collection: string
  readonly filter: ListFilter
  readonly options: ListOptions
  /** The locale of the texts; null if the app has one alone. */
  readonly locale: string | null
  /** Null if the records are one list. */
  readonly grouping: Grouping | null
}

/** Returns the calls of a list: its first records or its groups, and how many records there are. */
export function listExamples({ collection, filter, options, locale, grouping }: ShownList): readonly CodeExample[] {
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
  }
  const counted = { ...filter, ...inLocale }
  const example = (purpose: CodePurpose, operation: string, asked: object): CodeExample => {
    const args = Object.keys(asked).length === 0 ? [] : [asked]
    return { purpose, call: { path: ["collections", collection, operation], args } }
  }
  const list = example("find", "find", { ...found, limit: PAGE_SIZE })
  const count = example("count", "count", counted)
  if (grouping === null) return [list, count]
  if (grouping.by === "value") return [example("groups", "find", valueGroupOptions(found, grouping, GROUP_STEP)), count]
  return [example("groups", "aggregate", monthGroupOptions(counted, grouping, GROUP_STEP)), list, count]
}
