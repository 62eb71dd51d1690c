import { collection } from "kit"
import { afterAll, beforeAll, expect, test } from "vitest"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"

const everyone = { read: true, create: true, update: true, delete: true } as const

const tags = collection("tags")
  .fields(({ f }) => ({ name: f.text() }))
  .access(everyone)
  .options({ id: "client" })
const notes = collection("notes")
  .fields(({ f }) => ({ body: f.blocks({ card: { tags: f.array(f.relation("tags").onDelete("setNull")) } }) }))
  .access(everyone)

let app: TestApp
beforeAll(async () => {
  app = await testApp({ resources: [tags, notes] })
})
afterAll(() => app[Symbol.asyncDispose]())

const of = (name: string) => app.client().collections[name]
const cards = (count: number, ids: readonly string[]) =>
  Array.from({ length: count }, () => ({ type: "card", tags: ids }))

test("as many ids as a body has room for are refused with their paths", async () => {
  const written = of("notes").create({
    body: cards(
      25,
      Array.from({ length: 9_500 }, () => "-"),
    ),
  })

  await expect(written).rejects.toMatchObject({ status: 400, fieldErrors: { 0: { path: "body.0.tags.0" } } })
})

test("as many unknown names as a body has room for are refused, with the paths of the first", async () => {
  const names = Array.from({ length: 90_000 }, (_, index) => `a${index.toString(36)}`)
  const unknown = Object.fromEntries(names.map((name) => [name, 0]))
  const written = of("notes").create({ body: [{ type: "card", tags: [], ...unknown }] })

  await expect(written).rejects.toMatchObject({ status: 400, fieldErrors: { 0: { path: "body.0.a0" } } })
})

test("thousands of ids are written again and again, and let go", async () => {
  const ids = Array.from({ length: 3_000 }, (_, index) => `tag ${index}`)
  await app.database.query(`insert into tags (id, "createdAt", "updatedAt") select unnest($1::text[]), now(), now()`, [
    ids,
  ])
  const { id } = await of("notes").create({ body: cards(2, ids) })
  const stored = () =>
    app.database.query(`select count(*)::int as count from "_kit_references" where record = $1`, [id])

  // Postgres makes a new plan for a statement of a function five times, and then keeps a plan.
  for (let time = 0; time < 7; time++) await of("notes").updateById({ id, data: { body: cards(3, ids) } })
  const all = await stored()
  await of("tags").deleteById({ id: "tag 7" })
  const without = await stored()
  await of("notes").updateById({ id, data: { body: [] } })

  expect([all, without, await stored()]).toEqual([[{ count: 3_000 }], [{ count: 2_999 }], [{ count: 0 }]])
})
