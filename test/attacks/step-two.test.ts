// @module-tag not-about-connections

import { collection, type Session } from "kit"
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest"
import { type Attack, type AttackWorld, apartFromName, attackWorld, SECRETS } from "../support/worlds/attack-world.ts"

const MISSING = "01890000-0000-7000-8000-00000000ffff"
const isAdmin = ({ session }: { session: Session | null }) => session?.user.role === "admin"
const ownRows = ({ session }: { session: Session | null }) => session && { owner: session.user.id }
const isSignedIn = ({ session }: { session: Session | null }) => session !== null

const papers = collection("papers")
  .fields(({ f }) => ({
    title: f.text(200).required(),
    secretNote: f.text().hidden(),
    // Everyone may write it; only the admin reads it.
    verdict: f.text().access({ read: isAdmin }),
    owner: f.relation("members").required(),
    traces: f.relation("traces").hasMany({ via: "paper" }),
    remarks: f.relation("remarks").hasMany({ via: "paper" }),
    readers: f.relation("members").manyToMany(),
  }))
  .options({ revision: true, softDelete: true })
  .access({ read: true, create: isSignedIn, update: ownRows, delete: ownRows, purge: isAdmin })
  .hooks({ afterChange: ({ onAfterCommit }) => onAfterCommit(() => void told.push("papers")) })

const traces = collection("traces").fields(({ f }) => ({ ip: f.text().required(), paper: f.relation("papers") }))

const remarks = collection("remarks")
  .fields(({ f }) => ({ text: f.text().required(), owner: f.relation("members"), paper: f.relation("papers") }))
  .access({ read: true, create: ownRows, update: ownRows, delete: ownRows })

const inbox = collection("inbox")
  .fields(({ f }) => ({ text: f.text().required() }))
  .access({ create: true, update: true, delete: true })

const told: string[] = []
let world: AttackWorld
let mine: string
let bobs: string
let bobsRemark: string

beforeAll(async () => {
  world = await attackWorld({}, [papers, traces, remarks, inbox])
  const secret = { secretNote: SECRETS.note, verdict: SECRETS.token }
  mine = await add("papers", { title: "Mine", owner: world.alice.user.id, ...secret })
  bobs = await add("papers", { title: "Bobs", owner: world.bob.user.id, ...secret })
  bobsRemark = await add("remarks", { text: "of bob", owner: world.bob.user.id, paper: mine })
  await add("remarks", { text: "of alice", owner: world.alice.user.id, paper: mine })
  await add("traces", { ip: SECRETS.ip, paper: mine })
})
beforeEach(() => void told.splice(0))
afterAll(() => world[Symbol.asyncDispose]())

async function add(name: string, data: Record<string, unknown>): Promise<string> {
  return String((await world.app.app.system.collections[name]?.create(data))?.["id"])
}

const get = (path: string, as: Session = world.alice) => world.attack({ path, as })

const send = (method: string, path: string, body?: unknown, options: Partial<Attack> = {}) =>
  world.attack({
    method,
    path,
    as: world.alice,
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...options,
  })

const mineBefore = () => world.app.database.query("select title, revision from papers where id = $1", [mine])

describe("naming what may not be read", () => {
  test.each([
    ["groupBy=secretNote", "groupBy=secretNoxx"],
    ["groupBy[field]=secretNote", "groupBy[field]=secretNoxx"],
    ["groupBy=verdict", "groupBy=verdixx"],
    ["groupBy=traces", "groupBy=tracxx"],
    ["groupBy=owner.passwordHash", "groupBy=owner.passwordHaxx"],
    ["groupBy=title&orderBy[verdict]=asc", "groupBy=title&orderBy[verdixx]=asc"],
    ["groupBy=title&columns[verdict]=true", "groupBy=title&columns[verdixx]=true"],
    ["where[traces][some][ip][startsWith]=10.", "where[tracxx][some][ip][startsWith]=10."],
    ["where[traces][none][ip]=1", "where[tracxx][none][ip]=1"],
    ["where[traces][every][ip]=1", "where[tracxx][every][ip]=1"],
    ["where[traces][ip]=1", "where[tracxx][ip]=1"],
    ["with[traces]=true", "with[tracxx]=true"],
    ["with[traces][_count]=true", "with[tracxx][_count]=true"],
    ["where[remarks][some][paper][traces][some][ip]=1", "where[remarks][some][paper][tracxx][some][ip]=1"],
    ["where[remarks][some][owner][is][passwordHash]=1", "where[remarks][some][owner][is][passwordHaxx]=1"],
    ["where[readers][some][passwordHash][startsWith]=h", "where[readers][some][passwordHaxx][startsWith]=h"],
    ["where[readers][some][resetToken][startsWith]=r", "where[readers][some][resetTokxx][startsWith]=r"],
    ["with[remarks][with][paper][with][traces]=true", "with[remarks][with][paper][with][tracxx]=true"],
    ["with[readers][columns][resetToken]=true", "with[readers][columns][resetTokxx]=true"],
    ["with[readers][orderBy][resetToken]=asc", "with[readers][orderBy][resetTokxx]=asc"],
    ["with[remarks][orderBy][paper][verdict]=asc", "with[remarks][orderBy][paper][verdixx]=asc"],
  ])("attacks 7 and 11: ?%s is answered as ?%s", async (hidden, unknown) => {
    const [name = "", other = ""] = [hidden, unknown].map((query) => differing(query, hidden, unknown))

    const refused = await get(`/papers?${hidden}`)
    const missing = await get(`/papers?${unknown}`)

    expect(refused).toMatchObject({ status: 400, body: { error: { code: "VALIDATION_ERROR" } } })
    expect(apartFromName(refused, name)).toEqual(apartFromName(missing, other))
  })

  test("attack 7: nor in the body of a query", async () => {
    const options = [
      { groupBy: "secretNote" },
      { groupBy: { field: "verdict", docs: 0 } },
      { groupBy: "owner.passwordHash" },
      { where: { traces: { some: { ip: { startsWith: "10." } } } } },
      { groupBy: ["title"] },
      { groupBy: { field: { toString: "title" } } },
    ]

    for (const body of options) {
      const answer = await send("POST", "/papers/query", body)
      expect(answer.status).toBe(400)
      expect(answer.body).not.toHaveProperty("groups")
    }
  })

  test("groups count only what the caller may read, and name nobody else", async () => {
    const answer = await get("/notes?groupBy=owner")

    expect(answer.body).toMatchObject({ totalDocs: 1, groups: [{ key: world.alice.user.id, count: 1 }] })
  })

  test("attack 47: names with SQL in them are refused without a word of the database", async () => {
    for (const name of [
      'title"||(select version())||"',
      "title;drop table papers",
      "title--",
      "count(*)",
      "__proto__",
    ]) {
      const answers = [
        await get(`/papers?groupBy=${encodeURIComponent(name)}`),
        await get(`/papers?groupBy[field]=${encodeURIComponent(name)}&groupBy[docs]=0`),
        await get(`/papers?columns[${encodeURIComponent(name)}]=true`),
        await get(`/papers?with[remarks][orderBy][${encodeURIComponent(name)}]=asc`),
        await send("POST", "/papers/query", { groupBy: name }),
      ]
      for (const { status, text } of answers) {
        expect(status).toBe(400)
        expect(text).not.toMatch(/PostgreSQL|syntax|relation ".*" does not exist/)
      }
    }
  })

  // Returns the name that only one of two queries contains.
  function differing(query: string, a: string, b: string): string {
    const words = (text: string) => text.split(/\W+/)
    return words(query).find((word) => !words(a).includes(word) || !words(b).includes(word)) ?? ""
  }
})

describe("answers of writes", () => {
  test("attack 29: leave out what the caller may write but not read, and are honest about the number", async () => {
    const owner = world.alice.user.id
    const ids = [await add("papers", { title: "a", owner }), await add("papers", { title: "b", owner })]
    const data = { verdict: "written by alice" }
    const where = { title: { in: ["a", "b", "Bobs"] } }

    const many = await send("PATCH", "/papers", { where, data })
    const batch = await send("POST", "/papers/update-batch", { updates: ids.map((id) => ({ id, data })) })
    const one = await send("DELETE", `/papers/${ids[0]}`)
    const restored = await send("POST", `/papers/${ids[0]}/restore`)
    const deleted = await send("POST", "/papers/delete-many", { where })

    expect([many, batch, one, restored, deleted].map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
    for (const answer of [many, batch, one, restored]) expect(answer.text).not.toMatch(/verdict|secretNote|written by/)
    expect(many.body.map(({ id }: { id: string }) => id)).toEqual(ids.toSorted())
    expect(batch.body).toHaveLength(2)
    expect(deleted.body).toEqual({ success: true, count: 2 })
  })

  test("attack 29: who may not read a collection reaches nothing of it by filter, and gets bare ids", async () => {
    const created = await send("POST", "/inbox", { text: "for your eyes" })
    const many = await send("PATCH", "/inbox", { all: true, data: { text: "x" } })
    const deleted = await send("POST", "/inbox/delete-many", { all: true })

    expect(created.body).toEqual({ id: expect.any(String) })
    expect(many.text + deleted.text).not.toContain("for your eyes")
    expect(await world.app.database.query("select text from inbox")).toEqual([{ text: "for your eyes" }])
  })
})

describe("refused writes", () => {
  test("attack 33: an unreadable target and a missing one get the same answer, wherever it is named", async () => {
    const places: ((id: string) => [string, string, unknown])[] = [
      (id) => ["POST", "/papers", { title: "x", owner: { connect: { id } } }],
      (id) => ["PATCH", `/papers/${mine}`, { owner: { connect: { id } } }],
      (id) => ["PATCH", `/papers/${mine}`, { readers: { connect: [{ id }] } }],
      (id) => ["PATCH", `/papers/${mine}`, { readers: { disconnect: id } }],
      (id) => ["PATCH", `/papers/${mine}`, { readers: { update: { id, data: { name: "x" } } } }],
      (id) => ["PATCH", `/papers/${mine}`, { readers: [id] }],
      (id) => ["PATCH", "/papers", { where: { id: mine }, data: { owner: id } }],
      (id) => ["POST", "/papers/update-batch", { updates: [{ id: mine, data: { owner: id } }] }],
      (id) => ["PATCH", `/papers/${mine}`, { remarks: { create: { text: "x", owner: id } } }],
    ]

    for (const place of places) {
      const unreadable = await send(...place(world.bob.user.id))
      const missing = await send(...place(MISSING))
      expect(unreadable.status).toBe(400)
      expect(apartFromName(unreadable, world.bob.user.id)).toEqual(apartFromName(missing, MISSING))
    }
  })

  test("attack 35: children of somebody else stay where they are", async () => {
    const takeovers = [{ set: [] }, [], { disconnect: bobsRemark }, { delete: bobsRemark }, { set: [], create: [] }]

    for (const remarks of takeovers) {
      expect((await send("PATCH", `/papers/${mine}`, { title: "taken", remarks })).status).toBe(403)
      const updates = [{ id: mine, data: { remarks } }]
      expect((await send("POST", "/papers/update-batch", { updates })).status).toBeOneOf([400, 403])
      const many = { where: { id: mine }, data: { remarks } }
      expect((await send("PATCH", "/papers", many)).status).toBeOneOf([400, 403])
    }
  })

  test("attacks 36 and 38: bulk writes without a filter, or with one on what may not be read, reach nothing", async () => {
    const filters = [
      {},
      { where: {} },
      { where: null },
      { where: { AND: [] } },
      { where: { OR: [{}] } },
      { where: { NOT: { OR: [] } } },
      { where: { NOT: { id: { in: [] } } } },
      { where: { id: { notIn: [] } } },
      { where: { NOT: { id: { in: [] } } }, all: "true" },
      { where: { secretNote: { startsWith: "s" } } },
      { where: { verdict: { startsWith: "r" } } },
      { where: { traces: { some: { ip: { startsWith: "10." } } } } },
      { where: { owner: { is: { passwordHash: { startsWith: "h" } } } } },
      { where: { remarks: { some: { owner: { is: { resetToken: { startsWith: "r" } } } } } } },
      { where: { OR: { 0: { id: mine } } } },
    ]

    for (const filter of filters) {
      const changed = await send("PATCH", "/papers", { ...filter, data: { title: "all" } })
      const deleted = await send("POST", "/papers/delete-many", filter)
      expect([filter, changed.status, deleted.status]).toEqual([filter, 400, 400])
      expect(deleted.body).not.toHaveProperty("count")
    }
  })

  test("attacks 39 and 53: one wrong item of a batch refuses it all", async () => {
    const good = { id: mine, data: { title: "new" } }
    const batch = async (...items: unknown[]) => (await send("POST", "/papers/update-batch", { updates: items })).status

    expect(await batch(good, { id: bobs, data: { title: "new" } })).toBe(403)
    expect(await batch(good, { id: mine.toUpperCase(), data: { title: "newer" } })).toBe(400)
    expect(await batch(...Array.from({ length: 10_001 }, () => good))).toBe(400)
    for (const id of [{ ne: null }, { toString: "" }, null, 7, [mine], `${mine}'--`, "", { id: mine }]) {
      expect([id, await batch(good, { id, data: { title: "x" } })]).toEqual([id, expect.toBeOneOf([400, 404])])
    }
    for (const expectedRevision of [{}, "1", -1, 1.5, null, [1]]) {
      expect([expectedRevision, await batch({ ...good, expectedRevision })]).toEqual([expectedRevision, 400])
    }
  })

  test("attack 40: a stale revision is told without any of the newer values", async () => {
    const [{ title, revision } = {}] = await mineBefore()
    const data = { title: "too late" }
    const etag = { headers: { "if-match": '"77"' } }

    const answers = [
      await send("PATCH", `/papers/${mine}?expectedRevision=77`, data),
      await send("DELETE", `/papers/${mine}?expectedRevision=77`),
      await send("POST", "/papers/update-batch", { updates: [{ id: mine, data, expectedRevision: 77 }] }),
      await send("PATCH", `/papers/${mine}`, data, etag),
    ]
    const stranger = await send("PATCH", `/papers/${bobs}?expectedRevision=77`, data)

    expect(answers.map(({ status }) => status)).toEqual([409, 409, 409, 412])
    for (const { body, text } of answers) {
      expect(body.error.context).toEqual({ revision: { expected: 77, actual: revision } })
      expect(text).not.toContain(String(title))
    }
    expect(stranger.status).toBe(403)
    expect(stranger.body.error).not.toHaveProperty("context")
  })

  test("attack 44: purge and restore, of the wrong record, by the wrong caller, in the wrong collection", async () => {
    const purge = async (path: string, as: Session) => (await send("POST", `${path}/purge`, undefined, { as })).status
    const restore = async (path: string, as: Session) =>
      (await send("POST", `${path}/restore`, undefined, { as })).status
    const gone = await add("papers", { title: "gone", owner: world.bob.user.id })
    await send("DELETE", `/papers/${gone}`, undefined, { as: world.bob })

    expect(await purge(`/papers/${mine}`, world.admin)).toBe(409)
    expect(await restore(`/papers/${mine}`, world.alice)).toBe(409)
    expect(await purge(`/posts/${world.ids.alicesPost}`, world.admin)).toBe(400)
    expect(await restore(`/posts/${world.ids.alicesPost}`, world.admin)).toBe(400)
    expect(await purge(`/papers/${gone}`, world.bob)).toBe(403)
    expect(await purge(`/papers/${gone}`, world.alice)).toBeOneOf([403, 404])
    expect(await restore(`/papers/${gone}`, world.alice)).toBeOneOf([403, 404])
    expect(await world.app.database.query("select id from papers where id = $1", [gone])).toHaveLength(1)
  })

  test("attack 45: a refused write tells nobody, and leaves no change behind", async () => {
    const changes = () => world.app.database.query(`select count(*)::int from "_kit_changes"`)
    const before = await changes()

    const answers = [
      await send("PATCH", `/papers/${bobs}`, { title: "x" }),
      await send("DELETE", `/papers/${bobs}`),
      await send("PATCH", `/papers/${mine}`, { title: "x", owner: world.bob.user.id }),
      await send("PATCH", `/papers/${mine}`, { title: "x", remarks: { create: { text: "y" }, delete: bobsRemark } }),
      await send("POST", "/papers/update-batch", {
        updates: [mine, bobs].map((id) => ({ id, data: { title: "x" } })),
      }),
      await send("POST", `/papers/${bobs}/purge`),
    ]

    expect(answers.map(({ status }) => status)).toEqual([403, 403, 400, 403, 403, 403])
    expect(await changes()).toEqual(before)
    expect(told).toEqual([])
  })
})
