import type { Resource } from "../../../schema/compile/resource.ts"
import type { RecordData } from "../../../wire/results/operations.ts"
import type { GroupedPage, Page } from "../../../wire/results/results.ts"
import type { OperationContext } from "../../context/operation-context.ts"
import type { UncheckedOptions } from "../../context/read-options.ts"
import type { Answer } from "../../read/answer.ts"
import { findRecords } from "./find.ts"
import { findGroups } from "./find-groups.ts"

/** Returns the result of a `find`: a page of records or, with `groupBy`, a page of groups. */
export function listRecords(
  ctx: OperationContext,
  resource: Resource,
  given: UncheckedOptions,
): Promise<Answer<Page<RecordData> | GroupedPage<RecordData>>> {
  return given.options["groupBy"] === undefined ? findRecords(ctx, resource, given) : findGroups(ctx, resource, given)
}
