import { selectTableBytes, type TitleRead } from "../../../sql/search/titles/select-titles.ts"
import { titlePrefilter } from "../../../sql/search/titles/title-index.ts"
import type { TitleWords } from "../../../sql/search/titles/title-words.ts"
import type { OperationContext } from "../../context/operation-context.ts"
import type { OpenTitles } from "./open-titles.ts"

// The tables that one search reads completely have at most this size together. Comparing the titles of 40,000 records in
// 44 MB took 0.4 s on a busy machine with two cores.
const MAX_SCANNED_BYTES = 16 * 1024 * 1024

/** A collection, and how its titles are searched. */
export type PlannedTitles = OpenTitles & TitleRead

/** The collections by the cost of searching their titles. */
export interface TitlesPlan {
  /** The collections whose tables are read completely: the smallest ones, up to a limit for all of them together. */
  readonly small: readonly PlannedTitles[]
  /** Other ones with an index that finds the words. */
  readonly indexed: readonly PlannedTitles[]
  readonly left: readonly OpenTitles[]
}

/**
 * Decides how the titles of each collection are searched. The decision depends on the sizes of whole tables: of rows that
 * are hidden from the caller, it can reveal nothing but that a table with them is large.
 */
export async function planTitles(
  ctx: OperationContext,
  open: readonly OpenTitles[],
  words: TitleWords,
): Promise<TitlesPlan> {
  const scanned = await smallTitles(ctx, open)
  const plan = { small: [] as PlannedTitles[], indexed: [] as PlannedTitles[], left: [] as OpenTitles[] }
  // In the order of their names: that of their sizes would decide which of several equal matches are returned.
  for (const titles of open) {
    const prefilter = scanned.has(titles) ? undefined : titlePrefilter(titles.resource, titles.title, words)
    if (scanned.has(titles)) plan.small.push({ ...titles, prefilter })
    else if (prefilter) plan.indexed.push({ ...titles, prefilter })
    else plan.left.push(titles)
  }
  return plan
}

async function smallTitles(ctx: OperationContext, open: readonly OpenTitles[]): Promise<ReadonlySet<OpenTitles>> {
  if (open.length === 0) return new Set()
  const { rows } = await ctx.connection.query(selectTableBytes(open.map(({ resource }) => resource.table)))
  const sized = open.map((titles, place) => ({ titles, bytes: Number(rows[place]?.[0]) }))
  sized.sort((left, right) => left.bytes - right.bytes)
  const fitting = new Set<OpenTitles>()
  let total = 0
  for (const { titles, bytes } of sized) {
    total += bytes
    if (total <= MAX_SCANNED_BYTES) fitting.add(titles)
  }
  return fitting
}
