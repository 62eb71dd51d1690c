import type { Grouping } from "../parse/parse-group.ts"
import type { PageTotal } from "./page-total.ts"
import type { PageRead } from "./select.ts"

/** A read of grouped records, parsed and checked. The limit and offset of its window count groups, not records. */
export interface GroupRead extends PageRead {
  readonly grouping: Grouping
  readonly counting: GroupCounting
}

/**
 * How a read counts: the groups and their records exactly, each number up to a maximum, or nothing. A number that is not
 * counted is -1.
 */
export type GroupCounting = Exclude<PageTotal, { readonly kind: "estimate" }>
