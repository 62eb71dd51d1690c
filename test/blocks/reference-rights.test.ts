import { collection, type Session } from "kit"
import { afterAll, beforeAll, expect, test } from "vitest"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"

const editor: Session = { user: { id: "ed", role: "admin" } }
const guest: Session = { user: { id: "guest" } }

const isEditor = ({ session }: { session: Session | null }) => session?.user["role"] === "admin"
const everyone = { read: true, create: true, update: true, delete: true } as const

const tags = collection("tags")
  .fields(({ f }) => ({ name: f.text() }))
  .access(everyone)
  .options({ id: "client" })
const secrets = collection("secrets")
  .fields(({ f }) => ({ name: f.text() }))
  .access({ ...everyone, read: isEditor })
  .options({ id: "client" })
const body = (f: any) => f.blocks({ card: { tag: f.relation("tags"), secret: f.relation("secrets") } })
const notes = collection("notes")
  .fields(({ f }) => ({ body: body(f) }))
  .access(everyone)
const letters = collection("letters")
  .fields(({ f }) => ({ body: body(f) }))
  .access({ ...everyone, read: isEditor })
const drafts = collection("drafts")
  .fields(({ f }) => ({ body: body(f) }))
  .options({ workflow: { stages: { draft: {}, shown: {} }, public: "shown" } })
  .access({ ...everyone, drafts: isEditor })

let app: TestApp
beforeAll(async () => {
  app = await testApp({ resources: [tags, secrets, notes, letters, drafts] })
  const { tags: tagged, secrets: hidden } = app.client(editor).collections
  for (const id of ["both", "tag"]) await tagged?.create({ id })
  for (const id of ["both", "held", "other"]) await hidden?.create({ id })
})
afterAll(() => app[Symbol.asyncDispose]())

const as = (session: Session, name: string) => app.client(session).collections[name]
const card = (more: object) => ({ body: [{ type: "card", ...more }] })
const missing = { fieldErrors: [{ path: "body.0.secret", message: "There is no such record." }] }

test.each([
  ["that exists, but is hidden", "both"],
  ["that does not exist", "tag"],
])("an id that the field holds of one collection says nothing of a record of another %s", async (_, tag) => {
  const { id } = await as(editor, "notes").create(card({ tag }))

  const written = as(guest, "notes").updateById({ id, data: card({ secret: tag }) })

  await expect(written).rejects.toMatchObject(missing)
})

test.each(["letters", "drafts"])("of %s that the caller may not read, no id can be guessed", async (name) => {
  const { id } = await as(editor, name).create(card({ secret: "held" }))
  const write = (secret: string) => as(guest, name).updateById({ id, data: card({ secret }) })

  for (const secret of ["held", "other", "none"]) await expect(write(secret)).rejects.toMatchObject(missing)
})
