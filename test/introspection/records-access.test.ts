import fc from "fast-check"
import { ApiError, collection, type Session } from "kit"
import { QuestpieClientError } from "kit/client"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"

const ann: Session = { user: { id: "ann", role: "writer" } }
const bob: Session = { user: { id: "bob", role: "editor" } }
const CALLERS: readonly (Session | undefined)[] = [undefined, ann, bob]

interface Call {
  readonly session: Session | null
  readonly id?: string
}

/** The rules of the generated collections: constant, by session, by row, by id, and such as fail. */
const RULES: readonly any[] = [
  true,
  true,
  false,
  ({ session }: Call) => session !== null,
  ({ session }: Call) => session?.user.role === "editor" || { owner: session?.user.id ?? "nobody" },
  ({ session }: Call) => session !== null && { owner: session.user.id },
  { name: { ne: "two" } },
  ({ id }: Call) => id !== "one",
  ({ id }: Call) => ({ name: id ?? "one" }),
  ({ session, id }: Call) => session !== null && (id === "two" || { owner: session.user.id }),
  () => {
    throw new Error("This rule fails.")
  },
  async ({ session }: Call) => session !== null,
].map((rule) => (typeof rule === "object" ? () => rule : rule))

const OPERATIONS = ["read", "update", "delete", "restore", "purge", "versions", "drafts", "transition"]
const COLLECTIONS = 24
const IDS = ["one", "two", "three", "deleted", "missing", "not an id \u{1f600}", "one"]

const worlds = fc.sample(
  fc.record({
    access: fc.record(Object.fromEntries(OPERATIONS.map((name) => [name, fc.constantFrom(...RULES)]))),
    field: fc.record({ read: fc.constantFrom(...RULES), update: fc.constantFrom(...RULES) }),
    hasStages: fc.boolean(),
    hook: fc.constantFrom("none", "none", "none", "refuses one"),
  }),
  { seed: 11, numRuns: COLLECTIONS },
)

const generated = worlds.map(({ access, field, hasStages, hook }, index) =>
  collection(`things${index}`)
    .fields(({ f }) => ({ name: f.text(), owner: f.text(), note: f.text().access(field) }))
    .options({ id: "client", softDelete: true, versions: true, ...(hasStages && { workflow: true }) })
    .hooks({
      beforeRead: ({ id }) => {
        if (hook === "refuses one" && id === "one") throw new ApiError("FORBIDDEN")
      },
    })
    .access({ ...access, create: true }),
)

const notes = collection("notes")
  .fields(({ f }) => ({ name: f.text(), owner: f.text() }))
  .access({ read: ({ session }) => session !== null && { name: { ne: "hidden" } }, update: true })

let app: TestApp
let shown: string
let hidden: string

beforeAll(async () => {
  app = await testApp({ resources: [...generated, notes] })
  const system = app.app.system.collections as Record<string, any>
  for (const { definition } of generated) {
    const things = system[definition.name]
    for (const [id, owner] of Object.entries({ one: "ann", two: "bob", three: "ann", deleted: "ann" }))
      await things.create({ id, name: id, owner, note: "n" })
    await things.deleteById({ id: "deleted" })
    if (definition.options.workflow) await things.transitionStage({ id: "three", stage: "published" })
  }
  shown = (await system["notes"].create({ name: "shown" })).id
  hidden = (await system["notes"].create({ name: "hidden" })).id
})
afterAll(() => app[Symbol.asyncDispose]())

function ask(session: Session | undefined, body: unknown): Promise<{ status: number; body: any }> {
  return app.fetch("/_kit/access", { method: "POST", body: JSON.stringify(body), ...(session && { session }) })
}

test.each(generated.map(({ definition }, index) => [definition.name, index] as const))(
  "the rights to several records of %s are those to each of them",
  async (name) => {
    for (const session of CALLERS) {
      for (const includeDeleted of [false, true]) {
        const options = session && { session }
        const one = (id: string) =>
          app.fetch(`/${name}/${encodeURIComponent(id)}/access?includeDeleted=${includeDeleted}`, options)
        const single = await Promise.all(IDS.map(one))
        const many = await ask(session, { resource: name, ids: IDS, includeDeleted })

        const expected = single.map(({ status, body }) => (status === 200 ? body : null))
        const denials = single.filter(({ status }) => status === 401 || status === 403)
        if (many.status === 200) expect(many.body).toEqual(expected)
        else expect([many.status, denials.length]).toEqual([denials[0]?.status, IDS.length])
      }
    }
  },
)

test("the generated rules allow, deny and divide", async () => {
  const answers = await Promise.all(
    generated.map(({ definition }) => ask(ann, { resource: definition.name, ids: IDS })),
  )

  const kinds = new Set(
    answers.map(({ status, body }) => {
      if (status !== 200) return status
      const known = body.filter((access: unknown) => access !== null)
      return new Set(known.map((access: unknown) => JSON.stringify(access))).size > 1 ? "different" : "equal"
    }),
  )
  expect(kinds).toEqual(new Set([403, "different", "equal"]))
})

describe("records of a collection with ids of the server", () => {
  test("are null if the caller may not read them, as if they did not exist", async () => {
    const missing = "0193c3a0-7b1c-7000-8000-000000000000"

    const { body } = await ask(ann, { resource: "notes", ids: [hidden, missing, "x", shown] })

    expect(body).toEqual([null, null, null, expect.objectContaining({ operations: expect.any(Object) })])
  })

  test("are refused as a whole if the caller may read none", async () => {
    expect((await ask(undefined, { resource: "notes", ids: [shown] })).status).toBe(401)
    expect(await ask(undefined, { resource: "notes", ids: [] })).toMatchObject({ status: 200, body: [] })
  })
})

test.each<[body: unknown, status: number, path: string | undefined]>([
  [{ resource: "notes" }, 400, "ids"],
  [{ resource: "notes", ids: "x" }, 400, "ids"],
  [{ resource: "notes", ids: [7] }, 400, "ids"],
  [{ resource: "notes", ids: Array.from({ length: 101 }, String) }, 400, "ids"],
  [{ ids: [] }, 400, "resource"],
  [{ resource: 7, ids: [] }, 400, "resource"],
  [{ resource: "notes", ids: [], stage: "draft" }, 400, "stage"],
  [{ resource: "notes", ids: [], locale: "xx" }, 400, "locale"],
  [{ resource: "notes", ids: ["x"], includeDeleted: true }, 400, "includeDeleted"],
  [[], 400, ""],
  [{ resource: "nothing", ids: [] }, 404, undefined],
  [{ resource: "__proto__", ids: [] }, 404, undefined],
])("%j is refused", async (body, status, path) => {
  const answer = await ask(ann, body)

  expect(answer.status).toBe(status)
  expect(answer.body.error.fieldErrors?.[0]?.path).toBe(path)
})

test("the client asks with accessMany, and so does code on the server", async () => {
  const client = app.client(ann)
  const inProcess = (app.app.as(ann).collections as Record<string, any>)["notes"]

  const [access, none] = await client.collections.notes.accessMany({ ids: [shown, hidden] })

  expect(access).toEqual(await client.collections.notes.access({ id: shown }))
  expect(none).toBeNull()
  expect(await inProcess.accessMany({ ids: [shown, hidden] })).toEqual([access, null])
  await expect(client.collections.notes.accessMany({ ids: "x" as never })).rejects.toThrow(QuestpieClientError)
})
