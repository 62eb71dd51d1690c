import type { ListFilter, ListOptions } from "../list-options.ts"
import type { Grouping } from "./grouping.ts"

/** The number of records that a group shows before "Show all". */
export const FIRST_RECORDS = 10
/** The number of groups that are shown first, and more with each press. */
export const GROUP_STEP = 25
/** The largest number that is counted in a group. A larger group says that it has more. */
export const MAX_IN_GROUP = 10_000
/** The most groups that one read answers. */
export const MOST_GROUPS = 1000
// A read of groups answers at most so many records.
const MOST_RECORDS = 1000

/** Returns the options that read the groups by a value with their first records. */
export function valueGroupOptions(options: ListOptions, { field }: Grouping, limit: number) {
  const docs = Math.max(1, Math.min(FIRST_RECORDS, Math.floor(MOST_RECORDS / limit)))
  return { ...options, groupBy: { field: field.name, docs }, total: { max: MAX_IN_GROUP }, limit }
}

/** Returns the options that count the records of each month, the last month first. */
export function monthGroupOptions(options: ListFilter, { field }: Grouping, limit: number) {
  const { where, search, stage, locale, includeDeleted } = options
  const isMoment = (field.valueType ?? field.type) === "datetime"
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  return {
    ...(where && { where }),
    ...(search !== undefined && { search }),
    ...(stage !== undefined && { stage }),
    ...(locale !== undefined && { locale }),
    ...(includeDeleted && { includeDeleted }),
    groupBy: { field: field.name, by: "month" as const, ...(isMoment && { timeZone }) },
    count: true as const,
    orderBy: { [field.name]: "desc" as const },
    limit,
  }
}
