// @module-tag not-about-engine

import { collection } from "kit"
import { describe, expect, test } from "vitest"
import type { Resource } from "../../packages/kit/src/schema/compile/resource.ts"
import { EVERYTHING } from "../../packages/kit/src/sql/filter/predicate.ts"
import { typedParseContext } from "../../packages/kit/src/sql/parse/parse-context.ts"
import { wholeSelection } from "../../packages/kit/src/sql/parse/parse-selection.ts"
import { parseWhere } from "../../packages/kit/src/sql/parse/parse-where.ts"
import { selectMatching } from "../../packages/kit/src/sql/read/select.ts"
import type { TestDatabase } from "../support/test-database.ts"
import { freshDatabase, startOn } from "../support/worlds/synced-app.ts"

const ROWS = 20_000
const INDEXED = /Bitmap Index Scan on "?words\.(text|name)\.contains/

const reading = typedParseContext(EVERYTHING)
const words = collection("words").fields(({ f }) => ({
  text: f.text().index("contains").index(),
  plain: f.text(),
  name: f.text().index("contains").localized(),
}))

describe('.index("contains")', () => {
  test("serves the filters that look inside of a text, in every locale", { timeout: 120_000 }, async () => {
    const database = await freshDatabase()
    const app = await startOn(database, [words], { locales: { default: "en", all: ["en", "sk"] } })
    await database.query(`insert into words (id, text, plain, name, "createdAt", "updatedAt")
      select gen_random_uuid(), md5(i::text), md5(i::text), jsonb_build_object('en', md5(i::text)), now(), now()
      from generate_series(1, ${ROWS}) i`)
    await database.query("analyze words")
    const plan = async (where: object, locale = "en") => {
      const schema = app.schema.inLocale({ locale, hasFallback: true })
      const { text, values } = matching(schema.collections.get("words"), where)
      return (await database.query(`explain ${text}`, [...values])).map((row) => row["QUERY PLAN"]).join("\n")
    }

    for (const operator of ["contains", "startsWith", "endsWith"]) {
      expect(await plan({ text: { [operator]: "c4ca42" } }), operator).toMatch(INDEXED)
      expect(await plan({ plain: { [operator]: "c4ca42" } }), operator).toContain("Seq Scan")
    }
    for (const operator of ["like", "ilike"]) expect(await plan({ text: { [operator]: "%c4ca42%" } })).toMatch(INDEXED)
    expect(await plan({ text: "c4ca42" })).toContain("words.text.index")
    expect(await plan({ name: { contains: "c4ca42" } })).toContain("words.name.contains.en")
    expect(await plan({ name: { contains: "c4ca42" } }, "sk")).toContain("words.name.contains.sk")
  })

  test("is added to a table and removed from it", async () => {
    const database = await freshDatabase()
    const before = collection("words").fields(({ f }) => ({ text: f.text() }))
    const after = collection("words").fields(({ f }) => ({ text: f.text().index("contains") }))
    const steps: boolean[] = []

    for (const words of [before, after, after, before]) {
      const app = await startOn(database, [words])
      await app.system.collections["words"]?.create({ text: "Flood" })
      steps.push((await indexes(database)).includes("words.text.contains"))
    }

    expect(steps).toEqual([false, true, true, false])
  })

  test("is refused with the reason where the database user may not create the extension", async () => {
    const database = await freshDatabase()
    const role = `weak_${process.pid}`
    await database.query(`create role ${role} login password 'weak'; grant all on schema public to ${role}`)
    const url = new URL(database.url)
    url.username = role
    url.password = "weak"

    try {
      await expect(startOn(database, [words], { db: { url: url.href } })).rejects.toThrow(
        'The index "words.text.contains" needs the extension pg_trgm of PostgreSQL. The user of the app may not create it. ' +
          'Have it created by a superuser ("create extension pg_trgm"), or remove .index("contains").',
      )
    } finally {
      await database.query(`drop owned by ${role} cascade; drop role ${role}`)
    }
  })

  test.each([
    ["a number", (f: any) => f.number().index("contains"), "which only a stored text can have"],
    ["a list", (f: any) => f.array(f.text()).index("contains"), "which only a stored text can have"],
    ["a virtual text", (f: any) => f.virtual(f.text(), "'x'").index("contains"), "which only a stored text can have"],
    ["a part", (f: any) => f.object({ name: f.text().index("contains") }), "has .index() on"],
  ])("is refused on %s", async (_, declare, message) => {
    const wrong = collection("words").fields(({ f }) => ({ text: declare(f) }))

    await expect(startOn(await freshDatabase(), [wrong])).rejects.toThrow(message)
  })
})

async function indexes(database: TestDatabase): Promise<unknown[]> {
  const rows = await database.query("select indexname from pg_indexes where tablename = 'words'")
  return rows.map((row) => row["indexname"])
}

function matching(words: Resource | undefined, where: object) {
  if (words === undefined) throw new Error("There is no such collection.")
  return selectMatching(wholeSelection(words, reading), parseWhere(words, where, reading))
}
