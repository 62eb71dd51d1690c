import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { type Attack, type AttackWorld, apartFromName, attackWorld } from "../support/worlds/attack-world.ts"

const MISSING = "01890000-0000-7000-8000-00000000ffff"

let world: AttackWorld
beforeAll(async () => {
  world = await attackWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

describe("fields that only the server sets", () => {
  test.each([
    ["id", MISSING],
    ["createdAt", "2020-01-01T00:00:00Z"],
    ["updatedAt", "2020-01-01T00:00:00Z"],
    ["deletedAt", null],
    ["revision", 7],
    ["stage", "published"],
    ["versionId", MISSING],
    ["versionNumber", 1],
    ["ownerId", MISSING],
    ["secretNote", "x"],
    ["_id", MISSING],
  ])("%s in a create or an update is refused", async (name, value) => {
    const body = JSON.stringify({ title: "x", [name]: value })

    const created = await world.attack({ method: "POST", path: "/posts", body, as: world.alice })
    const changed = await world.attack({
      method: "PATCH",
      path: `/posts/${world.ids.alicesPost}`,
      body,
      as: world.admin,
    })

    for (const answer of [created, changed]) {
      expect(answer).toMatchObject({ status: 400, body: { error: { code: "VALIDATION_ERROR" } } })
      expect(answer.body.error.fieldErrors[0].path).toBe(name)
    }
  })

  test("hidden fields are refused as fields that do not exist", async () => {
    const send = (name: string) =>
      world.attack({
        method: "POST",
        path: "/posts",
        body: JSON.stringify({ title: "x", [name]: "y" }),
        as: world.admin,
      })

    const hidden = await send("secretNote")
    const missing = await send("secretNoxx")

    expect(apartFromName(hidden, "secretNote")).toEqual(apartFromName(missing, "secretNoxx"))
  })
})

describe("rights", () => {
  test("a caller cannot make themselves admin, alone or beside an honest change", async () => {
    const path = `/members/${world.alice.user.id}`

    for (const body of ['{"role":"admin"}', '{"name":"Alicia","role":"admin"}', '{"role":"admin","nope":1}']) {
      const answer = await world.attack({ method: "PATCH", path, body, as: world.alice })

      expect(answer).toMatchObject({
        status: 403,
        body: { error: { code: "FORBIDDEN", fieldErrors: [{ path: "role" }] } },
      })
    }
  })

  const denied: readonly (readonly [string, number, () => Attack])[] = [
    ["an anonymous create", 401, () => ({ method: "POST", path: "/posts", body: '{"title":"x"}' })],
    ["an anonymous update", 401, () => ({ method: "PATCH", path: `/posts/${world.ids.bobsPost}`, body: "{}" })],
    ["an anonymous delete", 401, () => ({ method: "DELETE", path: `/posts/${world.ids.bobsPost}` })],
    [
      "a delete by a member",
      403,
      () => ({ method: "DELETE", path: `/posts/${world.ids.alicesPost}`, as: world.alice }),
    ],
    [
      "a new member by a member",
      403,
      () => ({ method: "POST", path: "/members", body: '{"name":"x"}', as: world.alice }),
    ],
    [
      "a change of somebody else",
      404,
      () => ({ method: "PATCH", path: `/members/${world.bob.user.id}`, body: '{"name":"x"}', as: world.alice }),
    ],
    [
      "a change of somebody else's note",
      404,
      () => ({ method: "PATCH", path: `/notes/${world.ids.bobsNote}`, body: '{"text":"x"}', as: world.alice }),
    ],
    [
      "a delete of somebody else's note",
      404,
      () => ({ method: "DELETE", path: `/notes/${world.ids.bobsNote}`, as: world.alice }),
    ],
    [
      "a note for somebody else",
      400,
      () => ({
        method: "POST",
        path: "/notes",
        body: JSON.stringify({ text: "x", owner: world.bob.user.id }),
        as: world.alice,
      }),
    ],
    [
      "giving a note away",
      400,
      () => ({
        method: "PATCH",
        path: `/notes/${world.ids.alicesNote}`,
        body: JSON.stringify({ owner: world.bob.user.id }),
        as: world.alice,
      }),
    ],
    [
      "a record of what nobody writes",
      403,
      () => ({ method: "POST", path: "/audit", body: '{"ip":"x"}', as: world.admin }),
    ],
    [
      "a change of the settings",
      403,
      () => ({ method: "PATCH", path: "/globals/settings", body: '{"siteName":"x"}', as: world.alice }),
    ],
    [
      "a method override",
      405,
      () => ({
        method: "PUT",
        path: `/posts/${world.ids.bobsPost}`,
        body: "{}",
        headers: { "x-http-method-override": "DELETE" },
        as: world.admin,
      }),
    ],
  ]

  test.each(denied)("%s is refused with %i and leaves no trace", async (_name, status, attack) => {
    const answer = await world.attack(attack())

    expect(answer.status).toBe(status)
  })

  test("a header that overrides the method is ignored", async () => {
    const headers = { "x-http-method-override": "DELETE", "x-method-override": "DELETE" }

    const answer = await world.attack({ path: `/posts/${world.ids.bobsPost}?_method=DELETE`, headers, as: world.admin })
    const plain = await world.attack({ path: `/posts/${world.ids.bobsPost}`, headers, as: world.admin })

    expect([answer.status, plain.status]).toEqual([400, 200])
  })
})

describe("links", () => {
  test.each(["create", "update"])(
    "a link to an unreadable record and to a missing one get the same answer, in a %s",
    async (kind) => {
      const send = (id: string, field: string) =>
        world.attack({
          method: kind === "create" ? "POST" : "PATCH",
          path: kind === "create" ? "/posts" : `/posts/${world.ids.alicesPost}`,
          body: JSON.stringify({ title: "x", [field]: { connect: { id } } }),
          as: world.alice,
        })

      for (const [field, unreadable] of [
        ["author", world.bob.user.id],
        ["audit", world.ids.audit],
      ] as const) {
        const foreign = await send(unreadable, field)
        const missing = await send(MISSING, field)

        expect(foreign).toMatchObject({
          status: 400,
          body: { error: { code: "VALIDATION_ERROR", fieldErrors: [{ path: field }] } },
        })
        expect(apartFromName(foreign, unreadable)).toEqual(apartFromName(missing, MISSING))
      }
    },
  )

  test("a missing record gets the same answer where the database finds out", async () => {
    const body = JSON.stringify({ title: "x", author: MISSING })

    const byRule = await world.attack({ method: "POST", path: "/posts", body, as: world.alice })
    const byForeignKey = await world.attack({ method: "POST", path: "/posts", body, as: world.admin })

    expect(apartFromName(byRule, MISSING)).toEqual(apartFromName(byForeignKey, MISSING))
  })
})

describe("bodies and ids of the wrong type", () => {
  test.each([
    "[]",
    "[[]]",
    '[{"title":"x"}]',
    '"title"',
    "5",
    "null",
    "true",
    '{"title":null}',
    '{"title":{"ne":null}}',
    '{"title":["a"]}',
    '{"title":5}',
    '{"title":{"toString":"x"}}',
    '{"views":"1"}',
    '{"views":1.5}',
    '{"views":1e400}',
    '{"views":99999999999}',
    '{"views":[1]}',
    '{"publishedAt":123}',
    '{"publishedAt":"tomorrow"}',
    '{"publishedAt":"2026-02-30"}',
    '{"publishedAt":{}}',
    '{"author":{"connect":{"id":{"ne":null}}}}',
    '{"author":{"connect":[]}}',
    '{"author":{"connect":{}}}',
    '{"author":{"make":{"name":"x"}}}',
    '{"author":{"connect":{"id":"x"}}}',
    '{"author":{"toString":""}}',
    '{"author":[]}',
    '{"author":7}',
    '{"author":{"set":[]}}',
    '{"author":{"connect":{"id":"x"},"create":{}}}',
    '{"constructor":{"prototype":{"polluted":1}}}',
    '{"title":"x","title":{"ne":null}}',
    '{"":1}',
    '{"where":{},"data":{"title":"x"}}',
  ])("%s is refused", async (body) => {
    const created = await world.attack({ method: "POST", path: "/posts", body, as: world.admin })
    const changed = await world.attack({
      method: "PATCH",
      path: `/posts/${world.ids.alicesPost}`,
      body,
      as: world.admin,
    })

    for (const answer of [created, changed])
      expect(answer).toMatchObject({ status: 400, body: { error: { code: "VALIDATION_ERROR" } } })
  })

  test.each([
    "null",
    "undefined",
    "0",
    "-1",
    "true",
    "[object Object]".replace(" ", "%20"),
    "%7B%22ne%22%3Anull%7D",
    "%00",
    "*",
    "..",
    "%2e%2e",
  ])("the id %s is of no record, whatever the method", async (id) => {
    for (const attack of [{}, { method: "DELETE" }, { method: "PATCH", body: "{}" }]) {
      const answer = await world.attack({ ...attack, path: `/posts/${id}`, as: world.admin })

      expect(answer).toMatchObject({ status: 404, body: { error: { code: "NOT_FOUND" } } })
    }
  })

  test.each([
    "where[id][ne]=",
    "where[id][toString]=",
    "where[id]=x",
    "where[id][in]=x",
    "where[id][in][x]=1",
    "where[id][]=x",
    "where[id][eq][ne]=x",
    "where=x",
    "where[]=x",
    "where[AND]=x",
    "where[AND][x]=1",
    "where[OR][title]=x",
    "where[NOT]=x",
    "where[NOT][]=x",
    "where[author][is]=x",
  ])("%s is refused", async (query) => {
    const answer = await world.attack({ path: `/posts?${query}`, as: world.admin })

    expect(answer).toMatchObject({ status: 400, body: { error: { code: "VALIDATION_ERROR" } } })
  })
})
