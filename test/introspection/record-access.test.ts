// @module-tag not-about-engine

import { collection, global, route, type Session } from "kit"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"

const ann: Session = { user: { id: "ann", role: "writer" } }
const bob: Session = { user: { id: "bob", role: "writer" } }
const edda: Session = { user: { id: "edda", role: "editor" } }

type Call = { readonly session: Session | null }
const isEditor = ({ session }: Call) => session?.user.role === "editor"
const owns = ({ session }: Call) => session !== null && { owner: session.user.id }

const notes = collection("notes")
  .fields(({ f }) => ({
    name: f.text(),
    owner: f.text(),
    mood: f.text().access({ read: owns, update: ({ session }) => isEditor({ session }) || owns({ session }) }),
    fee: f.text().access({ read: isEditor, update: isEditor }),
    token: f.text().hidden(),
    stamp: f.text().readOnly(),
  }))
  .options({ id: "client", softDelete: true, versions: true })
  .access({
    read: ({ session }) => isEditor({ session }) || { name: { ne: "hidden" } },
    create: true,
    update: ({ session }) => isEditor({ session }) || owns({ session }),
    delete: ({ session }) => isEditor({ session }) || owns({ session }),
    restore: isEditor,
    purge: isEditor,
    versions: owns,
  })

const pages = collection("pages")
  .fields(({ f }) => ({ name: f.text(), owner: f.text() }))
  .options({
    id: "client",
    workflow: {
      stages: { draft: { to: ["review"] }, review: { to: ["draft", "published"] }, published: { to: ["draft"] } },
    },
  })
  .access({
    read: true,
    update: owns,
    drafts: ({ session }) => session !== null,
    transition: ({ session, stage }) => isEditor({ session }) || (stage === "review" && owns({ session })),
  })

const ruled = collection("ruled")
  .fields(({ f }) => ({ name: f.text() }))
  .options({ id: "client" })
  .access({
    read: true,
    update: ({ input }) => input?.["name"] === "x",
    delete: ({ id }) => id === "one",
  })

const settings = global("settings")
  .fields(({ f }) => ({ motto: f.text(), owner: f.text() }))
  .access({ read: true, update: ({ session }) => isEditor({ session }) || owns({ session }) })

const draft = global("draft")
  .fields(({ f }) => ({ motto: f.text() }))
  .access({ read: true, update: isEditor })

let app: TestApp

beforeAll(async () => {
  app = await testApp({ resources: [notes, pages, ruled, settings, draft] })
  const system = app.app.system.collections as Record<string, any>
  for (const id of ["open", "hidden", "deleted"]) await system["notes"].create({ id, name: id, owner: "ann" })
  await system["notes"].deleteById({ id: "deleted" })
  for (const id of ["one", "two"]) await system["ruled"].create({ id, name: id })
  await system["pages"].create({ id: "fresh", owner: "ann" })
  await system["pages"].create({ id: "shown", owner: "ann" })
  for (const stage of ["review", "published"]) await system["pages"].transitionStage({ id: "shown", stage })
  await (app.app.system.globals as Record<string, any>)["settings"].update({ motto: "M", owner: "ann" })
})
afterAll(() => app[Symbol.asyncDispose]())

async function access(session: Session | undefined, path: string): Promise<any> {
  const { status, body } = await app.fetch(`${path}/access`, session && { session })
  expect({ path, status }).toEqual({ path, status: 200 })
  return body
}

describe("a record", () => {
  test("has the rights that its row gives to the caller", async () => {
    expect((await access(ann, "/notes/open")).operations).toEqual({
      ...{ read: true, update: true, delete: true, restore: false, purge: false, versions: true },
    })
    expect((await access(bob, "/notes/open")).operations).toEqual({
      ...{ read: true, update: false, delete: false, restore: false, purge: false, versions: false },
    })
    expect((await access(undefined, "/notes/open")).operations).toMatchObject({ read: true, update: false })
  })

  test("has the rights to its fields, and names none that the caller may not know", async () => {
    expect((await access(ann, "/notes/open")).fields).toMatchObject({
      id: { read: true, update: false },
      name: { read: true, update: true },
      mood: { read: true, update: true },
      stamp: { read: true, update: false },
    })
    expect((await access(bob, "/notes/open")).fields).toMatchObject({
      name: { read: true, update: false },
      mood: { read: false, update: false },
    })
    expect((await access(edda, "/notes/open")).fields).toMatchObject({
      mood: { read: false, update: true },
      fee: { read: true, update: true },
    })
    for (const session of [ann, bob, undefined]) {
      expect(Object.keys((await access(session, "/notes/open")).fields)).not.toContain("fee")
    }
    expect(Object.keys((await access(edda, "/notes/open")).fields)).not.toContain("token")
  })

  test("that the caller may not read is not found, like one that does not exist", async () => {
    for (const id of ["hidden", "missing", "deleted"]) {
      const asked = await app.fetch(`/notes/${id}/access`, { session: ann })
      const read = await app.fetch(`/notes/${id}`, { session: ann })
      const { requestId: _one, ...error } = asked.body.error
      const { requestId: _other, ...like } = read.body.error
      expect({ status: asked.status, error }).toEqual({ status: 404, error: like })
    }
  })

  test("of a collection that the caller may not read is refused like a read", async () => {
    const closed = collection("closed").fields(({ f }) => ({ name: f.text() }))
    await using other = await testApp({ resources: [closed] })

    expect((await other.fetch("/closed/01890000-0000-7000-8000-00000000000a/access")).status).toBe(401)
    expect((await other.fetch("/closed/01890000-0000-7000-8000-00000000000a/access", { session: ann })).status).toBe(
      403,
    )
  })

  test("that was deleted has the rights to restore and to purge it", async () => {
    const asked = await app.fetch("/notes/deleted/access?includeDeleted=true", { session: edda })

    expect(asked.body.operations).toMatchObject({ update: false, delete: false, restore: true, purge: true })
  })

  test("is asked with its id, and a rule that needs the input allows what the write then decides", async () => {
    expect((await access(undefined, "/ruled/one")).operations).toMatchObject({ update: true, delete: true })
    expect((await access(undefined, "/ruled/two")).operations).toMatchObject({ update: true, delete: false })
  })

  test("refuses options that it does not know", async () => {
    expect((await app.fetch("/notes/open/access?columns[id]=true")).status).toBe(400)
  })
})

describe("the stages of a record", () => {
  test("to which the caller may move it depend on its stage and on its row", async () => {
    expect((await access(ann, "/pages/fresh")).transitions).toEqual(["review"])
    expect((await access(bob, "/pages/fresh")).transitions).toEqual([])
    expect((await access(edda, "/pages/fresh")).transitions).toEqual(["review"])
    expect((await access(edda, "/pages/shown")).transitions).toEqual(["draft"])
    expect((await access(ann, "/pages/shown")).transitions).toEqual([])
  })

  test("are found in the public stage by callers without drafts", async () => {
    expect((await app.fetch("/pages/fresh/access")).status).toBe(404)
    expect(await access(undefined, "/pages/shown")).toMatchObject({
      operations: { read: true, update: false, transition: false, drafts: false },
      transitions: [],
    })
    expect((await access(ann, "/pages/fresh")).operations).toMatchObject({
      update: true,
      transition: true,
      drafts: true,
    })
  })
})

describe("a global", () => {
  test("has the rights that its record gives to the caller", async () => {
    expect(await access(ann, "/globals/settings")).toMatchObject({
      operations: { read: true, update: true },
      fields: { motto: { read: true, update: true } },
    })
    expect((await access(bob, "/globals/settings")).operations).toEqual({ read: true, update: false })
  })

  test("has the rights that depend on no record before its first write", async () => {
    expect((await access(edda, "/globals/draft")).operations).toEqual({ read: true, update: true })
    expect((await access(ann, "/globals/draft")).operations).toEqual({ read: true, update: false })
  })
})

test("a route of the author with the path of a record's access wins, and the start says so", async () => {
  const routes = {
    "notes/front/access": route()
      .get()
      .handler(() => "mine"),
    "notes/front/other": route()
      .get()
      .handler(() => "mine"),
  }
  await using other = await testApp({ resources: [notes], routes })
  await (other.app.system.collections as Record<string, any>)["notes"].create({ id: "back", name: "b" })

  expect((await other.fetch("/notes/front/access")).body).toBe("mine")
  expect((await other.fetch("/notes/back/access")).body.operations).toMatchObject({ read: true })
  expect(other.logged.filter(({ message }) => message.includes("answers in place of"))).toEqual([
    { message: expect.stringContaining("GET /notes/front/access"), fields: undefined },
  ])
})
