import { selectTitles } from "../../../sql/search/titles/select-titles.ts"
import type { TitleWords } from "../../../sql/search/titles/title-words.ts"
import type { OperationContext } from "../../context/operation-context.ts"
import { isStatementTimeout } from "../../database/database-errors.ts"
import { mapInParallel } from "../../read/map-in-parallel.ts"
import { readForAnswer } from "../../read/read-for-answer.ts"
import { tookTooLong } from "../query-search.ts"
import type { OpenTitles } from "./open-titles.ts"
import type { PlannedTitles, TitlesPlan } from "./plan-titles.ts"

// A statement locks every table and index that it names, and PostgreSQL has room for some thousand locks.
const MAX_TABLES = 50

/** A record with a matching title. */
export interface TitleMatch {
  readonly titles: OpenTitles
  readonly id: string
  readonly title: string
  /** Matches with a lower rank are better, and of the same rank those with a shorter title. */
  readonly rank: number
  readonly length: number
}

interface TitleSearch {
  readonly words: TitleWords
  readonly limit: number
}

/** The best matches first, and the collections that could not be searched in time. */
interface FoundMatches {
  readonly matches: readonly TitleMatch[]
  readonly late: readonly OpenTitles[]
}

/**
 * Searches the planned collections, in one statement for all small ones unless there are very many, and in one for each
 * other one. Without the other ones there is still an answer, so those that take too long are left out.
 */
export async function searchTitles(
  ctx: OperationContext,
  { small, indexed }: TitlesPlan,
  search: TitleSearch,
): Promise<FoundMatches> {
  const parts = [
    ...chunks(small).map((reads) => ({ reads, isNeeded: true })),
    ...indexed.map((read) => ({ reads: [read], isNeeded: false })),
  ]
  const found = await mapInParallel(parts, async ({ reads, isNeeded }) => {
    const matches = await readMatches(ctx, reads, search)
    if (matches instanceof Error && isNeeded) throw tookTooLong(matches)
    return { reads, matches }
  })
  const all = found.flatMap(({ matches }) => (matches instanceof Error ? [] : matches))
  return {
    matches: all.sort(byQuality).slice(0, search.limit),
    late: found.flatMap(({ reads, matches }) => (matches instanceof Error ? reads : [])),
  }
}

function chunks(reads: readonly PlannedTitles[]): (readonly PlannedTitles[])[] {
  const count = Math.ceil(reads.length / MAX_TABLES)
  return Array.from({ length: count }, (_, place) => reads.slice(place * MAX_TABLES, (place + 1) * MAX_TABLES))
}

// Returns the error if the statement was cancelled because it took too long.
async function readMatches(
  ctx: OperationContext,
  reads: readonly PlannedTitles[],
  search: TitleSearch,
): Promise<readonly TitleMatch[] | Error> {
  const { callerMs } = ctx.search.settings
  try {
    const { rows } = await readForAnswer(ctx, { ...selectTitles({ ...search, reads }), callerMs })
    return rows.flatMap((row) => matchOf(reads, row))
  } catch (error) {
    if (error instanceof Error && isStatementTimeout(error)) return error
    throw error
  }
}

function matchOf(
  reads: readonly PlannedTitles[],
  [place, id, title, rank, length]: readonly unknown[],
): readonly TitleMatch[] {
  const titles = reads[Number(place)]
  return titles ? [{ titles, id: String(id), title: String(title), rank: Number(rank), length: Number(length) }] : []
}

// Matches of the same quality stay in the order of their collections, and within a collection in that of its statement.
function byQuality(left: TitleMatch, right: TitleMatch): number {
  return left.rank - right.rank || left.length - right.length || compareNames(left, right)
}

function compareNames({ titles: left }: TitleMatch, { titles: right }: TitleMatch): number {
  if (left.resource.name === right.resource.name) return 0
  return left.resource.name < right.resource.name ? -1 : 1
}
