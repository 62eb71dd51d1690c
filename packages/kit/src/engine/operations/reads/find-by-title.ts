import { ALL_LOCALES } from "../../../schema/compile/locales.ts"
import { parseTitleWords } from "../../../sql/search/titles/title-words.ts"
import { invalid } from "../../../wire/errors/api-error.ts"
import type { FoundTitle, FoundTitles } from "../../../wire/results/titles.ts"
import { inLocale, resourceIn } from "../../context/locale.ts"
import type { OperationContext } from "../../context/operation-context.ts"
import { type Answer, plainAnswer } from "../../read/answer.ts"
import { mapInParallel } from "../../read/map-in-parallel.ts"
import { type OpenTitles, openTitles } from "../../search/titles/open-titles.ts"
import { planTitles } from "../../search/titles/plan-titles.ts"
import { searchTitles, type TitleMatch } from "../../search/titles/search-titles.ts"
import { readTitleBody, readTitleRequest } from "../../search/titles/title-request.ts"
import { findRecords } from "./find.ts"

/**
 * Returns the records of all collections whose titles have words that begin like those of the query, as far as the caller
 * may read them.
 */
export async function findByTitle(outer: OperationContext, body: unknown): Promise<Answer<FoundTitles>> {
  const members = readTitleBody(body)
  const ctx = inLocale(outer, { locale: members["locale"], localeFallback: members["localeFallback"] })
  if (ctx.locale === ALL_LOCALES) throw invalid("locale", "Titles are found in one locale. Name it.")
  const { query, limit, drafts } = readTitleRequest(members)
  const words = parseTitleWords(query)
  if (words.folded.length === 0) return plainAnswer({ docs: [], notSearched: [] })
  const open = await openTitles(ctx, drafts)
  const plan = await planTitles(ctx, open, words)
  const { matches, late } = await searchTitles(ctx, plan, { words, limit })
  const left = new Set([...plan.left, ...late].map(({ resource }) => resource.name))
  const notSearched = open.map(({ resource }) => resource.name).filter((name) => left.has(name))
  return plainAnswer({ docs: await shownTitles(ctx, matches), notSearched })
}

// Returns the matches as their collections show them. An `afterRead` hook may change the title of a record, or take it
// away.
async function shownTitles(ctx: OperationContext, matches: readonly TitleMatch[]): Promise<readonly FoundTitle[]> {
  const hooked = new Set(matches.map(({ titles }) => titles).filter(hasHooks))
  const read = await mapInParallel([...hooked], async (titles) => {
    const ids = matches.filter((match) => match.titles === titles).map(({ id }) => id)
    return [titles, await titlesAfterHooks(ctx, titles, ids)] as const
  })
  const byCollection = new Map(read)
  return matches.flatMap(({ titles, id, title }) => {
    const shown = byCollection.get(titles)
    const text = shown ? shown.get(id) : title
    return text === undefined ? [] : [{ collection: titles.resource.name, id, title: text }]
  })
}

function hasHooks({ resource }: OpenTitles): boolean {
  return resource.hooks.afterRead.length > 0
}

async function titlesAfterHooks(
  ctx: OperationContext,
  { resource, options: stage, title: { name } }: OpenTitles,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const options = { ...stage, where: { id: { in: ids } }, columns: { [name]: true }, limit: ids.length, total: false }
  const { value } = await findRecords(ctx, resourceIn(ctx, resource), { options, isText: false })
  return new Map(
    value.docs.flatMap((record) => {
      const title = record[name]
      return typeof title === "string" ? [[String(record["id"]), title] as const] : []
    }),
  )
}
