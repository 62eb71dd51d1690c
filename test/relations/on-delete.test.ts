import { collection, global, type Session } from "kit"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { fingerprint } from "../support/worlds/attack-world.ts"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"

const teams = collection("teams")
  .fields(({ f }) => ({ name: f.text(), parent: f.relation("teams").onDelete("cascade") }))
  .access({ read: true, delete: isSignedIn })

const people = collection("people")
  .fields(({ f }) => ({
    name: f.text(),
    team: f.relation("teams").required().onDelete("cascade"),
    boss: f.relation("people"),
    tags: f.relation("tags").manyToMany(),
    friends: f.relation("people").manyToMany(),
  }))
  .access({ read: true })

const notes = collection("notes")
  .fields(({ f }) => ({
    text: f.text(),
    person: f.relation("people").onDelete("setNull"),
    team: f.relation("teams").onDelete("restrict"),
  }))
  .access({ read: true })

const tags = collection("tags")
  .fields(({ f }) => ({ name: f.text() }))
  .access({ read: true, delete: isSignedIn })

const hens = collection("hens").fields(({ f }) => ({ egg: f.relation("eggs").onDelete("cascade") }))
const eggs = collection("eggs").fields(({ f }) => ({ hen: f.relation("hens").required().onDelete("cascade") }))

const site = global("site").fields(({ f }) => ({ home: f.relation("tags").onDelete("setNull") }))

const alice: Session = { user: { id: "alice" } }

function isSignedIn({ session }: { session: Session | null }) {
  return session !== null
}

let app: TestApp

beforeAll(async () => {
  app = await testApp({ resources: [teams, people, notes, tags, hens, eggs, site] })
})

afterAll(() => app[Symbol.asyncDispose]())

async function add(name: string, data: Record<string, unknown> = {}): Promise<string> {
  return String((await app.app.system.collections[name]?.create(data))?.["id"])
}

function find(name: string, id: string) {
  return app.app.system.collections[name]?.findOne({ where: { id } })
}

describe("when a record is deleted", () => {
  test("records that point to it go with it or let go of it, at every level", async () => {
    const root = await add("teams", { name: "root" })
    const child = await add("teams", { name: "child", parent: root })
    const person = await add("people", { name: "Ann", team: child })
    const note = await add("notes", { text: "kept", person })

    const { status, body } = await app.fetch(`/teams/${root}`, { method: "DELETE", session: alice })

    expect([status, body.data.name]).toEqual([200, "root"])
    expect(await find("teams", child)).toBeNull()
    expect(await find("people", person)).toBeNull()
    expect(await find("notes", note)).toMatchObject({ text: "kept", person: null })
  })

  test("one that must stay keeps everything as it was", async () => {
    const root = await add("teams", { name: "root" })
    const child = await add("teams", { name: "child", parent: root })
    await add("people", { name: "Ann", team: root })
    await add("notes", { text: "in the way", team: child })
    const before = await fingerprint(app)

    const { status, body } = await app.fetch(`/teams/${root}`, { method: "DELETE", session: alice })

    expect(status).toBe(409)
    expect(body.error).toMatchObject({
      code: "CONFLICT",
      context: { relation: { collection: "notes", field: "team" } },
    })
    expect(await fingerprint(app)).toEqual(before)
  })

  test("a relation that says nothing restricts", async () => {
    const team = await add("teams")
    const boss = await add("people", { team })
    await add("people", { team: await add("teams"), boss })

    const { body } = await app.fetch(`/teams/${team}`, { method: "DELETE", session: alice })

    expect(body.error.context).toEqual({ relation: { collection: "people", field: "boss" } })
  })

  test("its links go too, from either end", async () => {
    const tag = await add("tags", { name: "red" })
    const team = await add("teams")
    const friend = await add("people", { team: await add("teams") })
    const person = await add("people", { team, tags: [tag], friends: [friend] })
    await app.app.system.collections["people"]?.updateById({ id: friend, data: { friends: [person], tags: [tag] } })

    await app.client(alice).collections["teams"].deleteById({ id: team })
    await app.client(alice).collections["tags"].deleteById({ id: tag })

    expect(await find("people", person)).toBeNull()
    expect(await app.database.query(`select * from "people.tags.tags.links"`)).toEqual([])
    expect(await app.database.query(`select * from "people.friends.people.links"`)).toEqual([])
  })

  test("records that point to themselves or in a circle can be deleted", async () => {
    const self = await add("teams")
    await app.app.system.collections["teams"]?.updateById({ id: self, data: { parent: self } })
    const hen = await add("hens")
    const egg = await add("eggs", { hen })
    await app.app.system.collections["hens"]?.updateById({ id: hen, data: { egg } })

    await app.app.system.collections["teams"]?.deleteById({ id: self })
    await app.app.system.collections["hens"]?.deleteById({ id: hen })

    expect(await find("teams", self)).toBeNull()
    expect(await find("eggs", egg)).toBeNull()
  })

  test("a global lets go of it", async () => {
    const home = await add("tags")
    await app.app.system.globals["site"]?.update({ home })

    await app.app.system.collections["tags"]?.deleteById({ id: home })

    expect(await app.app.system.globals["site"]?.get()).toMatchObject({ home: null })
  })

  test("a record that points to it at the same moment is refused, or stops the delete", async () => {
    const outcomes = await Promise.all(
      Array.from({ length: 8 }, async () => {
        const team = await add("teams")
        const [deleted, made] = await Promise.allSettled([
          app.app.system.collections["teams"]?.deleteById({ id: team }),
          app.app.system.collections["notes"]?.create({ team }),
        ])
        return [deleted.status, made.status].sort()
      }),
    )

    expect(new Set(outcomes.map(String))).toEqual(new Set(["fulfilled,rejected"]))
  })
})
