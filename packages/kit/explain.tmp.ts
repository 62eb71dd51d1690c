import pg from "pg"
import { PREPARE_VECTOR_FUNCTION } from "./src/sql/search/search-vector.ts"
import { selectHits } from "./src/sql/search/hits.ts"
import { wordsMatch } from "./src/sql/search/text-match.ts"
import { parseQuery } from "./src/sql/search/query/search-query.ts"
import { highlightsQuery } from "./src/sql/search/highlights.ts"
const db = new pg.Client({ host: "127.0.0.1", port: 54999, user: "postgres" })
await db.connect()
for (const s of PREPARE_VECTOR_FUNCTION) await db.query(s)
await db.query(`create table if not exists big (id uuid primary key default gen_random_uuid(), title text, body text, section text, kind text, "createdAt" timestamptz default now(), _search tsvector)`)
if ((await db.query("select count(*)::int n from big")).rows[0].n === 0) {
  await db.query(`insert into big (title, body, section, kind, "createdAt") select 'word'||(random()*2000)::int||' word'||(random()*200)::int, (select string_agg('word'||(random()*random()*20000)::int, ' ') from generate_series(1, 80 + g.n % 2)), 's'||(g.n%7), case when g.n%3=0 then 'secret' else 'open' end, now() - g.n * interval '1 second' from generate_series(1,100000) g(n)`)
  await db.query(`update big set _search = _kit_search_vector('_kit_english', array[title, body], '{A,B}')`)
  await db.query(`create index on big using gin (_search)`); await db.query("vacuum analyze big")
}
const type = { sqlType: "text", operators: "text" }
const f = (name) => ({ name, type, localized: undefined, isStored: true })
const id = f("id"), title = f("title"), body = f("body"), createdAt = f("createdAt"), section = f("section")
const resource = { table: "big", id, createdAt, working: undefined }
const readable = { kind: "compare", field: f("kind"), operator: { sql: ({ column, parameters }) => `${column} = ${parameters.add("open")}` }, operand: "open" }
const index = { locale: undefined, vector: "_search", configuration: "_kit_english", fields: [{ field: title, label: "A" }, { field: body, label: "B" }] }
const text = { fields: index.fields, content: undefined, index, isIndexed: true }
for (const [q, indexed] of [["word12 word500 ", true], ["word12 word50", true], ["word7", true], ["word12 word500 ", false]]) {
  const query = parseQuery(q)
  const t = { ...text, isIndexed: indexed }
  const statement = selectHits({ resource, readable, match: wordsMatch(t, query, { labelWeights: [1, 0.5, 0, 0] }), window: { limit: 10, offset: 0 }, facets: [{ field: section, limit: 10, sortBy: "count" }], highlighted: { fields: [title, body], configuration: "_kit_english", query: highlightsQuery(query) } })
  await db.query(statement)
  const t0 = performance.now(); const r = await db.query(statement); const ms = performance.now() - t0
  console.log("=====", q, indexed, Object.values(r.rows[0])[0], ms.toFixed(1), "ms")
  const plan = await db.query({ text: "explain (analyze, costs off, timing on) " + statement.text, values: statement.values })
  console.log(plan.rows.map((x) => x["QUERY PLAN"].slice(0, 150)).join("\n"))
}
await db.end()
