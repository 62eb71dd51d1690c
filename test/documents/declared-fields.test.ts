import { collection } from "kit"
import { afterAll, beforeAll, expect, test } from "vitest"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"

const posts = collection("posts")
  .fields(({ f }) => ({
    title: f.text().required(),
    body: f.richText().localized().collaborative(),
    notes: f.textarea().collaborative(),
    layout: f.json().collaborative(),
  }))
  .access({ read: true, create: true, update: true })

let app: TestApp

beforeAll(async () => {
  app = await testApp({ resources: [posts], config: { locales: { default: "en", all: ["en", "sk"] } } })
})
afterAll(() => app[Symbol.asyncDispose]())

test("a description says which fields are collaborative", async () => {
  const { body } = await app.fetch("/posts/schema")

  const flags = ["title", "body", "notes", "layout", "revision"].map((name) => body.fields[name].collaborative)
  expect(flags).toEqual([false, true, true, true, false])
  expect(body.options.revision).toBe(true)
})

test("records with a collaborative field have a revision, and a stale write is refused", async () => {
  const { posts } = app.client().collections
  const { id, revision } = await posts.create({ title: "A", notes: "one" })
  const changed = await posts.updateById({ id, data: { notes: "two" }, expectedRevision: revision })

  const stale = posts.updateById({ id, data: { notes: "three" }, expectedRevision: revision })

  expect([revision, changed.revision]).toEqual([1, 2])
  await expect(stale).rejects.toMatchObject({ code: "CONFLICT" })
})

test("a plain write of collaborative JSON takes objects only", async () => {
  const { posts } = app.client().collections

  const refused = posts.create({ title: "A", layout: [1, 2] })

  await expect(refused).rejects.toMatchObject({
    code: "VALIDATION_ERROR",
    fieldErrors: [{ path: "layout", message: "Expected an object." }],
  })
  expect(await posts.create({ title: "A", layout: { columns: 2 } })).toMatchObject({ layout: { columns: 2 } })
  expect(await posts.create({ title: "A", layout: null })).toMatchObject({ layout: null })
})
