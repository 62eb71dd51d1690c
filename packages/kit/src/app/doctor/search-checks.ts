import { type IndexedTable, indexedTables } from "../../engine/search/index/indexed-tables.ts"
import { readIndexStates } from "../../engine/search/index/rebuild.ts"
import { statusOf } from "../../features/search/reindexer.ts"
import type { Connection } from "../../ports/database.ts"
import type { AppSchema } from "../../schema/compile/resource.ts"
import { configurationOf } from "../../schema/search/compile-search.ts"
import { PLAIN_LANGUAGE } from "../../schema/search/languages.ts"
import { SELECT_UNFOLDED_CONFIGURATIONS } from "../../sql/search/configurations.ts"
import { SELECT_OLDEST_QUEUED } from "../../sql/search/queue.ts"
import { HAS_INDEX_STATES } from "../../sql/search/state.ts"
import { type Finding, ok, warn } from "./finding.ts"

// A worker takes a changed record within seconds, so that one that has waited longer shows that none is running.
const MAX_WAIT_SECONDS = 300

/** Checks whether the search indexes of the database are built and kept up to date. */
export async function checkSearchIndexes(connection: Connection, schema: AppSchema): Promise<readonly Finding[]> {
  const tables = [...indexedTables(schema).values()]
  const { rows } = await connection.query(HAS_INDEX_STATES)
  // The first start with this version of the app creates the indexes.
  if (tables.length === 0 || rows[0]?.[0] !== true) return []
  const findings = [
    ...(await checkBuilt(connection, tables)),
    ...(await checkQueue(connection)),
    ...(await checkAccents(connection)),
  ]
  return [...(findings.length === 0 ? [ok("the search indexes are up to date")] : findings), ...findPlain(tables)]
}

async function checkBuilt(connection: Connection, tables: readonly IndexedTable[]): Promise<readonly Finding[]> {
  const states = await readIndexStates(connection)
  const names = [...new Set(tables.map(({ resource }) => resource.name))]
  const unfinished = names.map((name) => statusOf(name, tables, states)).filter(({ state }) => state !== "ready")
  return unfinished.map(({ collection, state, done, total }) =>
    state === "outdated"
      ? warn(
          `the search index of "${collection}" was built for another .searchable(…)`,
          "Start the app, or run kit search reindex, which also shows the progress.",
        )
      : warn(
          `the search index of "${collection}" is not finished: ${done} of ${total} rows`,
          `Leave the app or kit worker running, or run kit search reindex ${collection}.`,
        ),
  )
}

async function checkQueue(connection: Connection): Promise<readonly Finding[]> {
  const { rows } = await connection.query(SELECT_OLDEST_QUEUED)
  const [count, waitSeconds, failed] = (rows[0] ?? []).map(Number)
  if (!count || !waitSeconds || waitSeconds < MAX_WAIT_SECONDS) return []
  const message = `${count} changed records wait for the search index, the oldest for ${Math.round(waitSeconds / 60)} minutes`
  const fix = failed
    ? "Look in the log of the worker for “search index”: it says which step fails, and why."
    : "Run the app with queue.worker, or kit worker beside it."
  return [warn(message, fix)]
}

async function checkAccents(connection: Connection): Promise<readonly Finding[]> {
  const { rowCount } = await connection.query({ text: SELECT_UNFOLDED_CONFIGURATIONS, values: [] })
  if (rowCount === 0) return []
  return [
    warn(
      "the database has refused the extension unaccent: searches tell “café” from “cafe”",
      "Run create extension unaccent; as a superuser, start the app, then run kit search reindex.",
    ),
  ]
}

// Locales without a stemmer are no mistake, but explain why "apples" does not find "apple".
function findPlain(tables: readonly IndexedTable[]): readonly Finding[] {
  const plain = tables.flatMap(({ resource }) =>
    (resource.search?.indexes ?? [])
      .filter(({ configuration }) => configuration === configurationOf(PLAIN_LANGUAGE))
      .map(({ locale }) => locale ?? "the default locale"),
  )
  if (plain.length === 0) return []
  const locales = [...new Set(plain)].sort().join(", ")
  return [ok(`words are not reduced to their stems in: ${locales} (search.languages sets the language of a locale)`)]
}
