import { collection } from "kit"
import { expect, test } from "vitest"
import { testApp } from "../support/worlds/test-app.ts"

const teams = collection("teams")
  .fields(({ f }) => ({ name: f.text().required() }))
  .access({ read: true, create: true })

// The generated types of contexts promise these values; see docs/types.md.
function letters(seen: Record<string, unknown>) {
  return collection("letters")
    .fields(({ f }) => ({
      title: f.text().required(),
      note: f.text(),
      count: f.number().integer().default(1),
      size: f.number().bigint(),
      price: f.number().decimal(8, 2),
      sentAt: f.datetime(),
      meta: f.json<{ tags: string[] }>(),
      team: f.relation("teams"),
      teams: f.relation("teams").manyToMany(),
      secret: f.text().hidden().default("s"),
      internal: f.text().access({ read: false }).default("i"),
      length: f.virtual(f.number().integer().required(), 'length("title")'),
      loud: f.computed(({ row }) => String(row.title).toUpperCase()),
    }))
    .access({ read: true, create: ({ input }) => note(seen, "input", input), update: true })
    .hooks({
      beforeValidate: ({ data, operation }) => note(seen, `beforeValidate ${operation}`, { ...data }),
      beforeChange: ({ data, operation, original }) =>
        note(seen, `beforeChange ${operation}`, { data: { ...data }, original }),
      afterChange: ({ row, data, operation }) => note(seen, `afterChange ${operation}`, { row, data }),
      afterRead: ({ row }) => note(seen, "afterRead", { ...row }),
    })
}

function note(seen: Record<string, unknown>, moment: string, value: unknown): true {
  seen[moment] = value
  return true
}

const SENT = {
  ...{ title: "Hello", size: "5", price: "1.50", sentAt: "2026-05-04T10:30:00Z", meta: { tags: ["a"] } },
  team: { create: { name: "New" } },
}
const STORED = { size: 5n, price: "1.50", sentAt: new Date("2026-05-04T10:30:00Z"), meta: { tags: ["a"] } }

test("hooks and rules are handed the values that their types promise", async () => {
  const seen: Record<string, any> = {}
  await using app = await testApp({ resources: [teams, letters(seen)] })

  const { body } = await app.fetch("/letters", { method: "POST", body: JSON.stringify(SENT) })
  const change = JSON.stringify({ title: "Bye", teams: [body.team] })
  await app.fetch(`/letters/${body.id}`, { method: "PATCH", body: change })
  await app.fetch(`/letters/${body.id}?columns[title]=true&with[team]=true`)

  expect(seen["input"]).toEqual(SENT)
  expect(seen["beforeValidate create"]).toEqual(SENT)
  expect(seen["beforeChange create"]).toEqual({
    data: { title: "Hello", ...STORED, team: SENT.team, count: 1, secret: "s", internal: "i" },
    original: null,
  })
  const row = {
    id: body.id,
    title: "Hello",
    note: null,
    count: 1,
    ...STORED,
    team: body.team,
    secret: "s",
    internal: "i",
  }
  expect(seen["afterChange create"].row).toEqual({
    ...{ ...row, length: 5, loud: "HELLO" },
    ...{ createdAt: expect.any(Date), updatedAt: expect.any(Date) },
  })
  expect(seen["afterChange create"].data).toEqual({ title: "Hello", ...STORED, count: 1, secret: "s", internal: "i" })
  expect(seen["beforeChange update"].data).toMatchObject({ title: "Bye", teams: { set: [body.team] } })
  expect(seen["beforeChange update"].original).toEqual(seen["afterChange create"].row)
  expect(seen["afterRead"]).toEqual({ id: body.id, title: "Bye", team: expect.objectContaining({ name: "New" }) })
})

test("what a hook returns counts only if it is a record", async () => {
  const returned = [null, [], "text", 5, undefined]
  const posts = collection("posts")
    .fields(({ f }) => ({ title: f.text().required() }))
    .access({ read: true, create: true })
    .hooks({
      beforeValidate: returned.map((value) => () => value),
      beforeChange: returned.map((value) => () => value),
      afterRead: returned.map((value) => () => value),
    })
  await using app = await testApp({ resources: [posts] })

  const { status, body } = await app.fetch("/posts", { method: "POST", body: JSON.stringify({ title: "Kept" }) })

  expect(status).toBe(201)
  expect(body).toMatchObject({ title: "Kept" })
})
