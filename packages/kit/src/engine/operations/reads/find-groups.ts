import type { RowValues } from "../../../ports/database.ts"
import type { Resource, ResourceField } from "../../../schema/compile/resource.ts"
import type { GroupTitles } from "../../../sql/parse/parse-group.ts"
import { GROUP_COLUMNS, selectGroups } from "../../../sql/read/group.ts"
import type { GroupRead } from "../../../sql/read/group-read.ts"
import { columnTypes } from "../../../sql/read/select.ts"
import { isLocaleMap, valueInLocaleChain } from "../../../sql/text/locale-map.ts"
import type { ExtendedMeta } from "../../../wire/codecs/extended-json.ts"
import type { RecordData } from "../../../wire/results/operations.ts"
import { EMPTY_GROUP_KEY, type Group, type GroupedPage, pageOf } from "../../../wire/results/results.ts"
import type { OperationContext } from "../../context/operation-context.ts"
import type { UncheckedOptions } from "../../context/read-options.ts"
import { type Answer, authoredAnswer } from "../../read/answer.ts"
import { planGroups } from "../../read/plan-read.ts"
import { readForAnswer } from "../../read/read-for-answer.ts"
import { hasReadHooks, runAfterRead } from "../../read/read-hooks.ts"
import { extendedMeta, hasUnlistedParts, toRecord, toRecords } from "../../read/records.ts"

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
  const found = await foundGroups(read, rows)
  if (!hasGroupHooks(read)) {
    const value = groupedPage(read, found)
    return { value, isSearched: hasUnlistedParts(read.selection), meta: () => groupsMeta(read) }
  }
  const groups: FoundGroup[] = []
  for (const group of found.groups) groups.push(await runGroupHooks(hookCtx, read, group))
  return authoredAnswer(groupedPage(read, { ...found, groups }))
}

/** True if an `afterRead` hook runs on the records of the groups, or on the related records with their titles. */
export function hasGroupHooks({ selection, grouping: { titles } }: GroupRead): boolean {
  return hasReadHooks(selection) || (titles?.selection !== undefined && hasReadHooks(titles.selection))
}

async function runGroupHooks(
  ctx: OperationContext,
  { selection, grouping: { titles } }: GroupRead,
  { group, docs, titled }: FoundGroup,
): Promise<FoundGroup> {
  const shown = titles?.selection && titled && { selection: titles.selection, operation: "find" as const }
  return {
    group,
    docs: await runAfterRead(ctx, { selection, operation: "find" }, docs),
    titled: shown && titled ? (await runAfterRead(ctx, shown, [titled]))[0] : titled,
  }
}

interface FoundGroups {
  readonly groups: readonly FoundGroup[]
  readonly totals: GroupRow | undefined
}

interface FoundGroup {
  readonly group: GroupRow
  readonly docs: readonly RecordData[]
  /** The related record with the group's title. */
  readonly titled: RecordData | undefined
}

type GroupRow = Readonly<Record<(typeof GROUP_COLUMNS)[number], unknown>>

async function foundGroups({ selection, grouping }: GroupRead, rows: readonly RowValues[]): Promise<FoundGroups> {
  const shown: { readonly docs: RecordData[]; readonly row: RowValues }[] = []
  const groups = new Map<unknown, FoundGroup & { readonly docs: RecordData[] }>()
  let totals: GroupRow | undefined
  for (const row of rows) {
    totals = groupRow(row)
    // If the requested page lies past the last group, the result is a single row, which holds only the totals.
    if (totals.place === null) break
    const group = groups.get(totals.place) ?? { group: totals, docs: [], titled: titledRecord(grouping.titles, row) }
    groups.set(totals.place, group)
    if (totals.doc !== null) shown.push({ docs: group.docs, row })
  }
  const records = await toRecords(
    selection,
    shown.map(({ row }) => row),
  )
  for (const [index, record] of records.entries()) shown[index]?.docs.push(record)
  return { groups: [...groups.values()], totals }
}

function groupRow(row: RowValues): GroupRow {
  const own = row.slice(-GROUP_COLUMNS.length)
  // The cast is safe: the keys come from `GROUP_COLUMNS`, from which the type `GroupRow` is derived.
  return Object.fromEntries(GROUP_COLUMNS.map((name, index) => [name, own[index]])) as GroupRow
}

// The columns of the title are those before the group's own. If the first of them, the id, is null, there is no related
// record that the caller may read.
function titledRecord(titles: GroupTitles | undefined, row: RowValues): RecordData | undefined {
  if (titles?.selection === undefined) return undefined
  const end = row.length - GROUP_COLUMNS.length
  const columns = row.slice(end - columnTypes(titles.selection).length, end)
  return columns[0] === null ? undefined : toRecord(titles.selection, columns)
}

function groupedPage(read: GroupRead, { groups, totals }: FoundGroups): GroupedPage<RecordData> {
  const shown = groups.map((group) => answeredGroup(read, group))
  const { docs, totalDocs: found, ...paging } = pageOf(shown, Number(totals?.totalGroups), read.window)
  return {
    groups: docs,
    groupBy: read.grouping.field.name,
    totalGroups: found,
    totalDocs: Number(totals?.totalDocs),
    ...paging,
    ...countedGroups(read, found),
  }
}

// Returns the number of groups and pages, as far as the read counts them. More groups may have been found, to know
// whether there is a next page.
function countedGroups({ counting, window }: GroupRead, found: number): { totalGroups?: number; totalPages?: number } {
  if (counting.kind === "exact") return {}
  if (counting.kind === "none") return { totalGroups: -1, totalPages: -1 }
  const totalGroups = Math.min(found, counting.max)
  return { totalGroups, totalPages: Math.max(1, Math.ceil(totalGroups / window.limit)) }
}

function answeredGroup({ grouping }: GroupRead, { group, docs, titled }: FoundGroup): Group<RecordData> {
  const { fromWider } = grouping.field.type
  const value = fromWider && group.value !== null ? fromWider(group.value) : group.value
  const title = grouping.titles && { title: titleOf(grouping.titles, titled) }
  return { key: keyOf(value), value, ...title, count: Number(group.count), docs }
}

function keyOf(value: unknown): string {
  if (value === null) return EMPTY_GROUP_KEY
  return value instanceof Date ? value.toISOString() : String(value)
}

function titleOf({ selection }: GroupTitles, titled: RecordData | undefined): string | null {
  const field = selection?.fields.find(({ name }) => name === selection.resource.title)
  if (field === undefined || titled === undefined) return null
  const value = isLocaleMap(field) ? valueInLocaleChain(field.inOneLocale, titled[field.name]) : titled[field.name]
  return typeof value === "string" ? value : null
}

function groupsMeta({ selection, grouping }: GroupRead): ExtendedMeta {
  return { ...valueMeta(grouping.field), ...extendedMeta(selection, "groups.*.docs.*.") }
}

function valueMeta({ type }: ResourceField): ExtendedMeta {
  return type.extended ? { "groups.*.value": type.extended } : {}
}
