import { collection, global, type Session } from "kit"
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"

const ann: Session = { user: { id: "ann", role: "editor" } }
const bob: Session = { user: { id: "bob" } }
const isEditor = ({ session }: { session: Session | null }) => session?.user.role === "editor"

const people = collection("people")
  .fields(({ f }) => ({
    name: f.text(),
    phone: f.text().access({ read: isEditor }),
    isHidden: f.boolean(),
    links: f.relation("links").manyToMany(),
  }))
  .options({ workflow: true })
  .access({
    create: true,
    update: true,
    read: ({ session }) => isEditor({ session }) || { isHidden: { ne: true } },
    drafts: isEditor,
  })

const links = collection("links")
  .fields(({ f }) => ({ url: f.text() }))
  .access({ read: true, create: true })

const site = global("site")
  .fields(({ f }) => ({
    name: f.text(),
    motto: f.text(),
    key: f.text().access({ read: isEditor }),
    owner: f.relation("people"),
  }))
  .options({ revision: true, workflow: true })
  .access({ read: true, update: ({ session }) => session !== null, drafts: ({ session }) => session !== null })

const sealed = global("sealed")
  .fields(({ f }) => ({ name: f.text(), owner: f.relation("people") }))
  .access({ update: true })

let app: TestApp
let owner: string

beforeAll(async () => {
  app = await testApp({ resources: [people, links, site, sealed] })
})
afterAll(() => app[Symbol.asyncDispose]())
beforeEach(async () => {
  const eva = { name: "Eva", phone: "1", links: { create: [{ url: "https://a.example" }] } }
  owner = (await app.client(ann).collections["people"].create(eva, { stage: "published" })).id
  await app.client(ann).collections["people"].updateById({ id: owner, data: { name: "Eva's draft" } })
})

const api = (session: Session = ann) => app.client(session).globals["site"]
const SELECTIONS: readonly object[] = [
  {},
  { columns: { name: true } },
  { columns: { revision: false } },
  { columns: { motto: false } },
  { with: { owner: true } },
  { with: { owner: { columns: { name: true }, with: { links: { orderBy: { url: "asc" }, _count: true } } } } },
  { columns: { motto: false }, with: { owner: { with: { links: true } } } },
]

describe("the answer of an update of a global", () => {
  test.each(SELECTIONS)("has the selection of a read: %o", async (selection) => {
    const data = { name: "N", motto: "M", owner }
    const query = new URLSearchParams()
    for (const [name, on] of Object.entries((selection as any).columns ?? {})) query.set(`columns[${name}]`, String(on))

    for (const session of [ann, bob]) {
      const written = await api(session).update(data, selection)
      expect(written).toEqual(await api(session).get(selection))
      const inProcess = (app.app.as(session).globals as any)["site"]
      expect(await inProcess.update(data, selection)).toEqual(await inProcess.get(selection))
    }
    const { status, headers, body } = await app.fetch(`/globals/site?${query}`, {
      ...{ method: "PATCH", session: ann, body: JSON.stringify({ name: "N" }) },
    })
    expect([status, headers.get("x-revision")]).toEqual([200, String((await api().get()).revision)])
    expect("revision" in body).toBe(!query.has("columns[name]") && !query.has("columns[revision]"))
  })

  test("has related records as the caller may read them, in the stage that was written", async () => {
    await api().update({ name: "N", owner }, { with: { owner: true } })
    await api().transitionStage({ stage: "published" })
    const selection = { columns: { name: true }, with: { owner: true } }
    const hidden = (await app.client(ann).collections["people"].create({ name: "Ida", isHidden: true })).id

    expect(await api().update({ name: "W" }, selection)).toMatchObject({ name: "W", owner: { name: "Eva's draft" } })
    const copy = await api().update({ name: "P" }, { ...selection, stage: "published" })
    expect(copy).toMatchObject({ name: "P", owner: { name: "Eva", phone: "1" } })
    expect(copy).toEqual(await api().get({ ...selection, stage: "published" }))
    const seen = await api(bob).update({ name: "B" }, selection)
    expect(seen).toMatchObject({ name: "B", owner: { name: "Eva" } })
    expect(seen.owner).not.toHaveProperty("phone")
    await api().update({ owner: hidden })
    expect(await api(bob).update({ name: "B" }, selection)).toEqual({ name: "B", owner: null })
  })

  test("has records that the same update creates", async () => {
    const selection = { columns: { name: true }, with: { owner: { columns: { name: true }, with: { links: true } } } }
    const data = { owner: { create: { name: "New", links: { create: [{ url: "https://b.example" }] } } } }

    const written = await api().update(data, selection)

    expect(written).toMatchObject({ owner: { name: "New", links: [{ url: "https://b.example" }] } })
    expect(written).toEqual(await api().get(selection))
  })

  test("has nothing for a caller who may not read the global", async () => {
    const selection = { columns: { name: true }, with: { owner: true } }

    expect(await app.client().globals["sealed"].update({ name: "S", owner }, selection)).toEqual({})
  })
})

test.each([
  ["with[oner]=true", "with.oner"],
  ["with[owner][columns][fone]=true", "with.owner.columns.fone"],
  ["columns[nmae]=true", "columns.nmae"],
  ["columns[key]=true", "columns.key"],
  ["columns[name]=true&columns[motto]=false", "columns"],
  ["where[name]=x", "where"],
  ["includeDeleted=true", "includeDeleted"],
])("%s is refused, and nothing is written", async (query, path) => {
  await api().update({ name: "Before" })

  const { status, body } = await app.fetch(`/globals/site?${query}`, {
    ...{ method: "PATCH", session: bob, body: JSON.stringify({ name: "After" }) },
  })

  expect([status, body.error.fieldErrors?.[0]?.path]).toEqual([400, path])
  expect(await api().get()).toMatchObject({ name: "Before" })
})
