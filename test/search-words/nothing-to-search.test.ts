import { collection, type Session } from "kit"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"

const ann: Session = { user: { id: "ann", role: "editor" } }

type Call = { readonly session: Session | null }
const isEditor = ({ session }: Call) => session?.user.role === "editor"

const untitled = collection("untitled")
  .fields(({ f }) => ({ name: f.text(), size: f.number() }))
  .access({ read: true })

const closed = collection("closed")
  .fields(({ f }) => ({ name: f.text().access({ read: isEditor }) }))
  .title("name")
  .access({ read: true })

const closedSearch = collection("closedSearch")
  .fields(({ f }) => ({ name: f.text().access({ read: isEditor }) }))
  .title("name")
  .searchable({ fields: [] })
  .access({ read: true })

const titled = collection("titled")
  .fields(({ f }) => ({ name: f.text() }))
  .title("name")
  .access({ read: true })

const ADVICE = {
  code: "VALIDATION_ERROR",
  fieldErrors: [
    { path: "search", message: expect.stringMatching(/no text here .*\.title\("name"\) or \.searchable\(/) },
  ],
}

let app: TestApp

beforeAll(async () => {
  app = await testApp({ resources: [untitled, closed, closedSearch, titled] })
  for (const name of ["untitled", "closed", "closedSearch", "titled"])
    await app.app.system.collections[name]?.create({ name: "apple" })
})
afterAll(() => app[Symbol.asyncDispose]())

describe("a search where the caller may search no text", () => {
  test.each([
    "/untitled?search=apple",
    "/untitled/count?search=apple",
    "/untitled?search=apple&groupBy=name",
    "/untitled/0193c3a0-7b1c-7000-8000-000000000000?search=apple",
  ])("is refused with advice: %s", async (path) => {
    const { status, body } = await app.fetch(path)

    expect(status).toBe(400)
    expect(body.error).toMatchObject(ADVICE)
  })

  test("is refused in the client, in the process and in a live query", async () => {
    const asked = { search: "apple" }
    const client = app.client()

    await expect(client.collections["untitled"].find(asked)).rejects.toMatchObject(ADVICE)
    await expect(app.app.system.collections["untitled"]?.find(asked)).rejects.toMatchObject(ADVICE)
    const error = await new Promise((resolve) => {
      client.collections["untitled"].watch(asked, () => {}, { onError: resolve })
    })
    client.realtime.destroy()

    expect(error).toMatchObject({ code: "VALIDATION_ERROR", message: expect.stringContaining("no text here") })
  })

  test("is refused alike if the text is there, but hidden from the caller", async () => {
    const errors = await Promise.all(
      ["untitled", "closed", "closedSearch"].map(async (name) => {
        const { requestId: _, ...error } = (await app.fetch(`/${name}?search=apple`)).body.error
        return error
      }),
    )

    expect(errors[1]).toEqual(errors[0])
    expect(errors[2]).toEqual(errors[0])
  })

  test("is no search if its text is empty", async () => {
    expect((await app.fetch("/untitled?search=")).body.totalDocs).toBe(1)
  })
})

test("a search finds texts that the caller may read", async () => {
  expect((await app.fetch("/titled?search=app")).body.totalDocs).toBe(1)
  expect((await app.fetch("/closed?search=app", { session: ann })).body.totalDocs).toBe(1)
  expect((await app.fetch("/closedSearch?search=app", { session: ann })).body.totalDocs).toBe(1)
})
