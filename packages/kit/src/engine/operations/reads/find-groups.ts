import type { RowValues } from "../../../ports/database.ts"
import type { Resource, ResourceField } from "../../../schema/compile/resource.ts"
import { GROUP_COLUMNS, type GroupRead, selectGroups } from "../../../sql/read/group.ts"
import type { ExtendedMeta } from "../../../wire/codecs/extended-json.ts"
import type { RecordData } from "../../../wire/results/operations.ts"
import { EMPTY_GROUP_KEY, type Group, type GroupedPage, pageOf } from "../../../wire/results/results.ts"
import type { OperationContext } from "../../context/operation-context.ts"
import type { UncheckedOptions } from "../../context/read-options.ts"
import { type Answer, authoredAnswer } from "../../read/answer.ts"
import { planGroups } from "../../read/plan-read.ts"
import { readForAnswer } from "../../read/read-for-answer.ts"
import { hasReadHooks, runAfterRead } from "../../read/read-hooks.ts"
import { extendedMeta, hasUnlistedParts, toRecords } from "../../read/records.ts"

/** Groups the records that match the options and that the caller may read, and returns one page of the groups. */
export async function findGroups(
  ctx: OperationContext,
  resource: Resource,
  given: UncheckedOptions,
): Promise<Answer<GroupedPage<RecordData>>> {
  return readPlannedGroups(ctx, await planGroups(ctx, resource, given))
}

/** Runs a planned read of groups. The `afterRead` hooks run with the context `hookCtx`. */
export async function readPlannedGroups(
  ctx: OperationContext,
  read: GroupRead,
  hookCtx = ctx,
): Promise<Answer<GroupedPage<RecordData>>> {
  const { rows } = await readForAnswer(ctx, selectGroups(read))
  const page = await groupedPage(read, rows)
  if (hasReadHooks(read.selection)) return answerGroups(hookCtx, read, page)
  return { value: page, isSearched: hasUnlistedParts(read.selection), meta: () => groupsMeta(read) }
}

async function answerGroups(
  ctx: OperationContext,
  { selection }: GroupRead,
  page: GroupedPage<RecordData>,
): Promise<Answer<GroupedPage<RecordData>>> {
  const groups: Group<RecordData>[] = []
  for (const group of page.groups) {
    groups.push({ ...group, docs: await runAfterRead(ctx, { selection, operation: "find" }, group.docs) })
  }
  return authoredAnswer({ ...page, groups })
}

type GroupRow = Readonly<Record<(typeof GROUP_COLUMNS)[number], unknown>>

async function groupedPage(read: GroupRead, rows: readonly RowValues[]): Promise<GroupedPage<RecordData>> {
  const shown: { readonly group: GroupWithDocs; readonly row: RowValues }[] = []
  const groups = new Map<unknown, GroupWithDocs>()
  let totals: GroupRow | undefined
  for (const row of rows) {
    totals = groupRow(row)
    // If the requested page lies past the last group, the result is a single row, which holds only the totals.
    if (totals.place === null) break
    const group = groups.get(totals.place) ?? newGroup(read, totals)
    groups.set(totals.place, group)
    if (totals.rank !== null) shown.push({ group, row })
  }
  const records = await toRecords(
    read.selection,
    shown.map(({ row }) => row),
  )
  for (const [index, record] of records.entries()) shown[index]?.group.docs.push(record)
  const { docs, totalDocs, ...paging } = pageOf([...groups.values()], Number(totals?.totalGroups), read.window)
  return {
    groups: docs,
    groupBy: read.grouping.field.name,
    totalGroups: totalDocs,
    totalDocs: Number(totals?.totalDocs),
    ...paging,
  }
}

function groupRow(row: RowValues): GroupRow {
  const own = row.slice(-GROUP_COLUMNS.length)
  // The cast is safe: the keys come from `GROUP_COLUMNS`, from which the type `GroupRow` is derived.
  return Object.fromEntries(GROUP_COLUMNS.map((name, index) => [name, own[index]])) as GroupRow
}

interface GroupWithDocs extends Group<RecordData> {
  readonly docs: RecordData[]
}

function newGroup({ grouping }: GroupRead, { value: found, count }: GroupRow): GroupWithDocs {
  const { fromWider } = grouping.field.type
  const value = fromWider && found !== null ? fromWider(found) : found
  return { key: keyOf(value), value, count: Number(count), docs: [] }
}

function keyOf(value: unknown): string {
  if (value === null) return EMPTY_GROUP_KEY
  return value instanceof Date ? value.toISOString() : String(value)
}

function groupsMeta({ selection, grouping }: GroupRead): ExtendedMeta {
  return { ...valueMeta(grouping.field), ...extendedMeta(selection, "groups.*.docs.*.") }
}

function valueMeta({ type }: ResourceField): ExtendedMeta {
  return type.extended ? { "groups.*.value": type.extended } : {}
}
