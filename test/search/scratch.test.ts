import { collection } from "kit"
import { testApp } from "kit/testing"
import { expect, test } from "vitest"
import { decodeNeighbours, selectNeighbours } from "../../packages/kit/src/sql/search/vocabulary/neighbours.ts"

const posts = collection("posts").fields(({ f }) => ({ title: f.text() }))
test("million", async () => {
  await using app = await testApp({ collections: [posts] })
  await app.query(`begin; set local statement_timeout = 0; drop index "_kit_search_words.deletes"; insert into _kit_search_words select word, array(select word union select overlay(word placing '' from place for 1) from generate_series(1, char_length(word)) place) from (
   select distinct (select string_agg(chr(97 + (floor(26*power(random(),2)))::int), '') from generate_series(1, 4 + (i % 9))) collate "C" as word from generate_series(1, 1000000) i) w on conflict do nothing; create index "_kit_search_words.deletes" on _kit_search_words using gin (deletes) with (fastupdate=off); commit`)
  await app.query("analyze _kit_search_words")
  console.log(
    await app.query(
      "select count(*), pg_size_pretty(pg_total_relation_size('_kit_search_words')) from _kit_search_words",
    ),
  )
  const [{ word }] = (await app.query("select word from _kit_search_words where char_length(word) = 8 limit 1")) as any
  for (const given of [
    { words: [word.slice(0, 3) + "x" + word.slice(4), "abacdaa"], unfinished: "aabcd" },
    { words: ["abacdaa", "hello", "worldly", "abc", "aaaa"], unfinished: undefined },
    { words: [], unfinished: "aabac" },
  ]) {
    const s = selectNeighbours(given)!
    await app.query(s.text, s.values)
    const at = performance.now()
    for (let i = 0; i < 10; i++) await app.query(s.text, s.values)
    console.log("ms", (performance.now() - at) / 10)
    const rows = (await app.query(s.text, s.values)).map((r: any) => Object.values(r))
    console.log(
      JSON.stringify(rows.length),
      JSON.stringify([...decodeNeighbours(given, rows).words]).slice(0, 600),
      decodeNeighbours(given, rows).beginnings.length,
    )
    console.log(
      (await app.query("explain (analyze, costs off) " + s.text, s.values)).map((r: any) => r["QUERY PLAN"]).join("\n"),
    )
  }
}, 600000)
