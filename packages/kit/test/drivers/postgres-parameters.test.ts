import fc from "fast-check"
import { afterAll, beforeAll, expect, test } from "vitest"
import { openPostgres } from "../../src/drivers/postgres/open-postgres.ts"
import type { Database } from "../../src/ports/database.ts"
import { rowsOf, type ScratchPostgres, startScratchPostgres } from "./scratch-postgres.ts"

let postgres: ScratchPostgres
let prepared: Database
let unprepared: Database

beforeAll(async () => {
  postgres = await startScratchPostgres()
  prepared = openPostgres({ url: postgres.url, maxConnections: 1 })
  unprepared = openPostgres({ url: postgres.url, maxConnections: 1, preparedStatements: false })
})

afterAll(async () => {
  await Promise.all([prepared.close(), unprepared.close()])
  await postgres.release()
})

// PostgreSQL cannot store the character 0.
const text = fc.string({ unit: "binary" }).filter((value) => !value.includes("\u0000") && value.isWellFormed())
const date = fc.date({ min: new Date("0001-01-01"), max: new Date("9999-12-31"), noInvalidDate: true })
const values = fc.tuple(
  fc.option(text),
  fc.option(fc.integer()),
  fc.option(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })),
  fc.option(fc.double({ noNaN: true, noDefaultInfinity: true })),
  fc.option(fc.boolean()),
  fc.option(date),
  fc.option(fc.array(text, { maxLength: 3 })),
)
const SELECT = "select $1::text, $2::int, $3::bigint, $4::float8, $5::boolean, $6::timestamptz, $7::text[]"

test("a prepared statement gets the same parameters as one that is parsed each time", async () => {
  await fc.assert(
    fc.asyncProperty(values, async (sent) => {
      const expected = await rowsOf(unprepared, SELECT, ...sent)

      expect(await rowsOf(prepared, SELECT, ...sent)).toEqual(expected)
    }),
    { numRuns: 200 },
  )
})

test("statements without lists, and without parameters, are the same once they are prepared", async () => {
  const scalar = "select $1::text || $2::text || coalesce($3::text, 'nothing')"

  for (let use = 1; use <= 5; use++) {
    expect(await rowsOf(prepared, scalar, "Grüße ", "🙂", null)).toEqual([["Grüße 🙂nothing"]])
    expect(await rowsOf(prepared, scalar, "", undefined, "x")).toEqual([[null]])
    expect(await rowsOf(prepared, "select 1 + 1")).toEqual([[2]])
  }
})
