import { collection, type Session } from "kit"
import { afterAll, beforeAll, expect, test } from "vitest"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"
import { BareClient, type Place } from "./bare-client.ts"

const memos = collection("memos")
  .fields(({ f }) => ({
    body: f.textarea().collaborative(),
    salary: f
      .number()
      .min(5)
      .access({ read: ({ session }) => session?.user["role"] === "boss" }),
  }))
  .access({ read: true, create: true, update: true })
  .hooks({
    beforeChange: ({ data }) => (String(data["body"]).includes("low") ? { ...data, salary: 1 } : data),
  })

const EVA: Session = { user: { id: "eva" } }

let app: TestApp

beforeAll(async () => {
  app = await testApp({ resources: [memos], config: { limits: { rate: false } } })
})
afterAll(() => app[Symbol.asyncDispose]())

async function memo(values: Record<string, unknown> = {}): Promise<Place & { id: string }> {
  const made = await app.app.system.collections["memos"]?.create({ body: "Hello", salary: 9, ...values })
  return { collection: "memos", id: String(made?.["id"]), field: "body" }
}

test("the problem of a value names no field that an editor may not read", async () => {
  const place = await memo()
  await using eva = await BareClient.open({ url: app.url, session: EVA }, place)
  eva.doc.getText("body").insert(0, "low ")
  expect((await eva.send()).status).toBe(200)

  const problem = await eva.stream.next("problem")

  expect(problem.message).toMatch(/another field/)
  expect(JSON.stringify(problem)).not.toMatch(/salary|5/)
})
