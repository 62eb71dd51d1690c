// @module-tag not-about-connections

import { collection } from "kit"
import { afterAll, beforeAll, expect, test } from "vitest"
import { ALWAYS, EVERYTHING } from "../../packages/kit/src/sql/filter/predicate.ts"
import { typedParseContext } from "../../packages/kit/src/sql/parse/parse-context.ts"
import { parseOrder } from "../../packages/kit/src/sql/parse/parse-order.ts"
import { parseSelection, wholeSelection } from "../../packages/kit/src/sql/parse/parse-selection.ts"
import { selectRange } from "../../packages/kit/src/sql/read/cursor-page.ts"
import { selectVersionRange } from "../../packages/kit/src/sql/versions/version-range.ts"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"

const ROWS = 20_000
const LIMIT = 10

const visits = collection("visits")
  .fields(({ f }) => ({ rank: f.number().integer(), kind: f.select(["red", "green"]) }))
  .access({ read: true })

const notes = collection("notes")
  .fields(({ f }) => ({ text: f.text() }))
  .options({ versions: { max: ROWS } })
  .access({ read: true })

let app: TestApp

beforeAll(async () => {
  app = await testApp({ resources: [visits, notes] })
  await app.database.query(
    `insert into visits (id, rank, "createdAt", "updatedAt")
     select lpad(to_hex(n), 32, '0')::uuid, nullif(n % 5000, 0), now() - n * interval '1 second', now()
     from generate_series(1, ${ROWS}) n`,
  )
  await app.database.query("create index on visits (rank, id)")
  await app.database.query("vacuum analyze visits")
  await app.database.query(
    `insert into notes (id, text, _version, "createdAt", "updatedAt") values ('${MIDDLE}', 'new', ${ROWS}, now(), now())`,
  )
  await app.database.query(
    `insert into _kit_versions ("table", record, number, operation, created_at, data)
     select 'notes', '${MIDDLE}', n, 'update', now(), '{"text":"old"}' from generate_series(1, ${ROWS}) n`,
  )
  await app.database.query("vacuum analyze _kit_versions")
})

afterAll(() => app[Symbol.asyncDispose]())

const MIDDLE = `${"0".repeat(8)}-0000-0000-0000-000000002710`
const NEWEST = ["2024-01-01 00:00:00+00", MIDDLE]

test.each([
  ["the default order", undefined, NEWEST],
  ["the oldest first", { createdAt: "asc" }, NEWEST],
  ["the id", { id: "desc" }, [MIDDLE]],
  ["a field that may be null, upward", { rank: "asc" }, ["2500", MIDDLE]],
  ["a field that may be null, downward", { rank: "desc" }, ["2500", MIDDLE]],
  ["the nulls of a field, upward", { rank: "asc" }, [null, MIDDLE]],
  ["the nulls of a field, downward", { rank: "desc" }, [null, MIDDLE]],
])("an index finds the rows of a page behind and before a cursor, by %s", async (_name, orderBy, values) => {
  const boundary = { side: "after", values } as const

  expect(await mostRows({ after: boundary, before: undefined, isFromEnd: false }, orderBy)).toBeLessThan(10 * LIMIT)
  expect(await mostRows({ after: undefined, before: boundary, isFromEnd: true }, orderBy)).toBeLessThan(10 * LIMIT)
})

test("an index finds the versions of a page in the middle of a history", async () => {
  const boundary = { side: "after", values: [String(ROWS / 2)] } as const

  for (const isFromEnd of [false, true]) {
    const ends = { after: isFromEnd ? undefined : boundary, before: isFromEnd ? boundary : undefined }
    const plan = await planOf(versionsOf({ ...ends, isFromEnd }))
    // The count of all versions is a step of its own.
    const steps = (plan.Plans ?? []).filter((step) => step["Node Type"] !== "Aggregate")
    expect(steps.length).toBeGreaterThan(1)
    expect(Math.max(...steps.flatMap(rowsOf))).toBeLessThan(10 * LIMIT)
  }
})

type Range = Parameters<typeof selectRange>[0]["range"]

function resourceNamed(name: string) {
  const resource = app.app.schema.collections.get(name)
  if (resource === undefined) throw new Error(`There are no ${name}.`)
  return resource
}

function versionsOf(range: Range): Statement {
  const resource = resourceNamed("notes")
  const whole = wholeSelection(resource, typedParseContext(EVERYTHING))
  const selection = { ...whole, fields: [...whole.fields, ...(resource.versions?.answerFields ?? [])] }
  return selectVersionRange(selection, { id: MIDDLE, limit: LIMIT, range })
}

/** Returns the largest number of rows that a step of the statement's plan reads. */
async function mostRows(range: Range, orderBy: object | undefined): Promise<number> {
  const resource = resourceNamed("visits")
  const context = typedParseContext(EVERYTHING)
  const statement = selectRange({
    selection: parseSelection(resource, {}, context),
    predicate: ALWAYS,
    order: parseOrder(resource, orderBy, context),
    window: { limit: LIMIT, offset: 0 },
    visibility: EVERYTHING,
    total: { kind: "none" },
    range,
  })
  return Math.max(...rowsOf(await planOf(statement)))
}

type Statement = Pick<ReturnType<typeof selectRange>, "text" | "values">

async function planOf({ text, values }: Statement): Promise<Plan> {
  const [row] = await app.database.query(`explain (analyze, format json) ${text}`, [...values])
  // The cast is safe: this is the form in which Postgres explains a statement.
  const [explained] = (row?.["QUERY PLAN"] ?? []) as { Plan: Plan }[]
  if (explained === undefined) throw new Error("Postgres has explained nothing.")
  return explained.Plan
}

interface Plan {
  readonly "Node Type": string
  readonly "Actual Rows": number
  readonly "Rows Removed by Filter"?: number
  readonly "Rows Removed by Index Recheck"?: number
  readonly Plans?: readonly Plan[]
}

function rowsOf(plan: Plan): number[] {
  const removed = (plan["Rows Removed by Filter"] ?? 0) + (plan["Rows Removed by Index Recheck"] ?? 0)
  return [plan["Actual Rows"] + removed, ...(plan.Plans ?? []).flatMap(rowsOf)]
}
