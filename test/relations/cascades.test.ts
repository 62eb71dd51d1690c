import { ApiError, collection, type Session } from "kit"
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest"
import { fingerprint } from "../support/worlds/attack-world.ts"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"

const ann: Session = { user: { id: "ann" } }
const heard: string[] = []
const hear = (name: string) => ({
  beforeDelete: ({ operation, original }: { operation: string; original: Readonly<Record<string, unknown>> }) => {
    heard.push(`${name} ${operation} ${original["name"]}`)
    if (original["name"] === "stay") throw new ApiError("CONFLICT", { message: "This one stays." })
  },
})

// Callers may delete only the root, and may do nothing to the rest.
const roots = collection("roots")
  .fields(({ f }) => ({ name: f.text(), trees: f.relation("trees").hasMany({ via: "root" }) }))
  .access({ read: true, update: true, delete: ({ session }) => session !== null })
  .hooks(hear("roots"))

const trees = collection("trees")
  .fields(({ f }) => ({ name: f.text(), root: f.relation("roots").onDelete("cascade") }))
  .access({ read: true, delete: ({ session }) => session !== null && { name: { ne: "guarded" } } })
  .hooks(hear("trees"))

const twigs = collection("twigs")
  .fields(({ f }) => ({ name: f.text(), tree: f.relation("trees").required().onDelete("cascade") }))
  .hooks(hear("twigs"))

const leaves = collection("leaves")
  .fields(({ f }) => ({
    name: f.text(),
    twig: f.relation("twigs").onDelete("cascade"),
    next: f.relation("leaves").onDelete("cascade"),
  }))
  .options({ softDelete: true })
  .hooks(hear("leaves"))

const birds = collection("birds")
  .fields(({ f }) => ({ name: f.text(), tree: f.relation("trees").onDelete("setNull") }))
  .hooks({ afterChange: ({ row }) => void heard.push(`birds update ${row["name"]}`) })

const nests = collection("nests")
  .fields(({ f }) => ({ name: f.text(), tree: f.relation("trees") }))
  .options({ softDelete: true })
  .access({ read: true, delete: true, purge: true })

let app: TestApp

beforeAll(async () => {
  app = await testApp({ resources: [roots, trees, twigs, leaves, birds, nests] })
})

beforeEach(async () => {
  await app.database.query('truncate roots, trees, twigs, leaves, birds, nests, "_kit_changes" cascade')
  heard.length = 0
})

afterAll(() => app[Symbol.asyncDispose]())

async function add(name: string, data: Record<string, unknown>): Promise<string> {
  return String((await app.app.system.collections[name]?.create(data))?.["id"])
}

const send = (method: string, path: string, body?: unknown) =>
  app.fetch(path, { method, session: ann, ...(body !== undefined && { body: JSON.stringify(body) }) })

async function changes(): Promise<string[]> {
  const rows = await app.database.query(
    `select resource, kind, coalesce(after, before)->>'name' as name, xid::text from "_kit_changes" order by "_kit_changes".xid, id`,
  )
  await app.database.query('truncate "_kit_changes"')
  return rows.map(({ resource, kind, name }) => `${resource} ${kind} ${name}`)
}

/** Creates a root with a tree, a twig, two leaves that refer to each other, and a bird. */
async function grow(name: string): Promise<{ root: string; tree: string; leaf: string }> {
  const root = await add("roots", { name })
  const tree = await add("trees", { name, root })
  const twig = await add("twigs", { name, tree })
  const leaf = await add("leaves", { name: `${name} 1`, twig })
  const next = await add("leaves", { name: `${name} 2`, next: leaf })
  await app.app.system.collections["leaves"]?.updateById({ id: leaf, data: { next } })
  await add("birds", { name, tree })
  await app.database.query('truncate "_kit_changes"')
  heard.length = 0
  return { root, tree, leaf }
}

describe("what a delete takes along", () => {
  const WAYS: Record<string, (root: string) => ReturnType<typeof send>> = {
    "of one record": (root) => send("DELETE", `/roots/${root}`),
    "of many": () => send("POST", "/roots/delete-many", { all: true }),
  }

  test.each(Object.entries(WAYS))("%s needs no right but the one on the record itself", async (_name, remove) => {
    const { root } = await grow("oak")

    const { status } = await remove(root)

    expect(status).toBe(200)
    for (const table of ["roots", "trees", "twigs", "leaves"]) {
      expect(await app.database.query(`select id from ${table}`)).toEqual([])
    }
    expect(await app.database.query("select tree from birds")).toEqual([{ tree: null }])
  })

  test.each(Object.entries(WAYS))("%s runs every hook and leaves a change for every row", async (_name, remove) => {
    const { root } = await grow("oak")

    await remove(root)

    expect(heard.toSorted()).toEqual([
      "birds update oak",
      "leaves purge oak 1",
      "leaves purge oak 2",
      "roots delete oak",
      "trees delete oak",
      "twigs delete oak",
    ])
    // Two leaves refer to each other: the last one drops its reference before it is deleted.
    expect((await changes()).toSorted()).toEqual([
      "birds update oak",
      "leaves purge oak 1",
      "leaves purge oak 2",
      "leaves update oak 1",
      "roots delete oak",
      "trees delete oak",
      "twigs delete oak",
    ])
  })

  test.each(Object.entries(WAYS))("%s stays whole when a hook three levels down refuses", async (_name, remove) => {
    const { root, leaf } = await grow("oak")
    await app.app.system.collections["leaves"]?.updateById({ id: leaf, data: { name: "stay" } })
    const before = await fingerprint(app)

    const { status, body } = await remove(root)

    expect([status, body.error.message]).toEqual([409, "This one stays."])
    expect(await fingerprint(app)).toEqual(before)
  })

  test("through a nested delete is under the delete rule of the named record alone", async () => {
    const { root, tree } = await grow("oak")
    const guarded = await add("trees", { name: "guarded", root })

    const refused = await send("PATCH", `/roots/${root}`, { trees: { delete: [tree, guarded] } })
    const done = await send("PATCH", `/roots/${root}`, { trees: { delete: [tree] } })

    expect([refused.status, done.status]).toEqual([403, 200])
    expect(await app.database.query("select name from trees")).toEqual([{ name: "guarded" }])
    expect(await app.database.query("select name from leaves")).toEqual([])
    // A cascade evaluates no rule: the root may be deleted, so its trees may be too.
    expect((await send("DELETE", `/roots/${root}`)).status).toBe(200)
    expect(await app.database.query("select name from trees")).toEqual([])
  })

  test("is done for a thousand records as for one", async () => {
    const root = await add("roots", { name: "wide" })
    const tree = await add("trees", { name: "wide", root })
    await app.database.query(
      `insert into twigs (id, name, tree, "createdAt", "updatedAt")
       select gen_random_uuid(), n::text, $1, now(), now() from generate_series(1, 1000) n`,
      [tree],
    )
    await app.database.query('truncate "_kit_changes"')
    heard.length = 0

    const { status } = await send("DELETE", `/roots/${root}`)

    expect(status).toBe(200)
    expect(heard.filter((one) => one.startsWith("twigs delete")).length).toBe(1000)
    const noted = await changes()
    expect(noted.length).toBe(1002)
    expect(new Set(noted).size).toBe(1002)
  })

  test("follows a chain of a thousand records to its end", async () => {
    const root = await add("roots", { name: "deep" })
    const twig = await add("twigs", { name: "deep", tree: await add("trees", { name: "deep", root }) })
    await app.database.query(
      `with chain as (select n, gen_random_uuid() as id from generate_series(1, 1000) n)
       insert into leaves (id, name, twig, next, "createdAt", "updatedAt")
       select own.id, own.n::text, case own.n when 1 then $1::uuid end, before.id, now(), now()
       from chain own left join chain before on before.n = own.n - 1`,
      [twig],
    )

    const { status } = await send("DELETE", `/roots/${root}`)

    expect(status).toBe(200)
    expect(heard.length).toBe(1003)
    expect(await app.database.query("select id from leaves")).toEqual([])
  })
})

describe("deleted records that are kept", () => {
  test("still count for what they point to: restrict refuses until they are purged", async () => {
    const root = await add("roots", { name: "r" })
    const tree = await add("trees", { name: "t", root })
    const nest = await add("nests", { name: "n", tree })
    await send("DELETE", `/nests/${nest}`)

    const refused = [await send("DELETE", `/trees/${tree}`), await send("DELETE", `/roots/${root}`)]
    await app.app.system.collections["nests"]?.purgeById({ id: nest })
    const done = await send("DELETE", `/trees/${tree}`)

    for (const { status, body } of refused) {
      expect(status).toBe(409)
      expect(body.error.context).toEqual({ relation: { collection: "nests", field: "tree" } })
    }
    expect(done.status).toBe(200)
  })

  test("go for good with what they point to where that cascades", async () => {
    const { root, leaf } = await grow("oak")
    await app.app.system.collections["leaves"]?.deleteById({ id: leaf })
    heard.length = 0

    expect((await send("DELETE", `/roots/${root}`)).status).toBe(200)

    expect(heard.filter((one) => one.startsWith("leaves"))).toEqual(["leaves purge oak 1", "leaves purge oak 2"])
    expect(await app.database.query("select id from leaves")).toEqual([])
  })

  test("keep what points to them; only a purge does what the fields of those say", async () => {
    const [first, second] = [await add("leaves", { name: "1" }), await add("leaves", { name: "2" })]
    await app.app.system.collections["leaves"]?.updateById({ id: second, data: { next: first } })
    await changes()

    await app.app.system.collections["leaves"]?.deleteById({ id: first })
    expect(await changes()).toEqual(["leaves delete 1"])
    await app.app.system.collections["leaves"]?.purgeById({ id: first })
    expect(await changes()).toEqual(["leaves purge 2", "leaves purge 1"])
  })
})
