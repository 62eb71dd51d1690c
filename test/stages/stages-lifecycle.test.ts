import { collection, type Session } from "kit"
import { afterAll, beforeAll, expect, test } from "vitest"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"

const ann: Session = { user: { id: "ann" } }
const isAnn = ({ session }: { session: Session | null }) => session !== null
const open = { read: true, create: true, update: isAnn, delete: true } as const

const pages = collection("pages")
  .fields(({ f }) => ({
    title: f.text(),
    tail: f.text(),
    needed: f.relation("pages"),
    above: f.relation("pages").onDelete("cascade"),
    beside: f.relation("pages").onDelete("setNull"),
    shelf: f.relation("shelves").onDelete("cascade"),
    below: f.relation("pages").hasMany({ via: "above" }),
    next: f.relation("pages").manyToMany({ through: "way" }),
    previous: f.relation("pages").manyToMany({ through: "way" }),
    marks: f.relation("marks").manyToMany({ through: "marking" }),
  }))
  .options({ workflow: true, versions: true })
  .access(open)

const marks = collection("marks")
  .fields(({ f }) => ({ name: f.text(), pages: f.relation("pages").manyToMany({ through: "marking" }) }))
  .options({ workflow: true })
  .access(open)

const shelves = collection("shelves")
  .fields(({ f }) => ({ name: f.text(), pages: f.relation("pages").hasMany({ via: "shelf" }) }))
  .access(open)

let app: TestApp

beforeAll(async () => {
  app = await testApp({ resources: [pages, marks, shelves] })
})
afterAll(() => app[Symbol.asyncDispose]())

const as = (session?: Session) => app.client(session).collections
const make = async (data: object = {}) => (await as(ann)["pages"].create(data)).id
const change = (id: string, data: object) => as(ann)["pages"].updateById({ id, data })
const publish = (id: string) => as(ann)["pages"].transitionStage({ id, stage: "published" })
const shown = (id: string, options: object = {}) => as()["pages"].findOne({ where: { id }, ...options })
const remove = (id: string) => as(ann)["pages"].deleteById({ id })
const operationsOf = async (id: string) =>
  (await as(ann)["pages"].findVersions({ id })).map((each: any) => each.versionOperation)

test("a record that points to itself does not hold itself back by its copy", async () => {
  const id = await make({ title: "Own" })
  await change(id, { needed: id, above: id, beside: id, next: { connect: [id] } })
  await publish(id)

  expect(await remove(id)).toMatchObject({ success: true })
  expect(await shown(id)).toBeNull()
})

test("a target that only a copy needs is kept, until the copy no longer needs it or goes along", async () => {
  const target = await make({ title: "Needed" })
  const id = await make({ title: "Needs", needed: target })
  await publish(id)
  await change(id, { needed: null })

  await expect(remove(target)).rejects.toMatchObject({
    status: 409,
    context: { relation: { collection: "pages", field: "needed" } },
  })
  expect(await shown(id)).toMatchObject({ needed: target })
  const both = { where: { id: { in: [id, target] } } }
  expect(await as(ann)["pages"].deleteMany(both)).toMatchObject({ count: 2 })
})

test("records whose copies point to each other go together", async () => {
  const first = await make()
  const second = await make({ needed: first })
  await change(first, { needed: second })
  await publish(first)
  await publish(second)
  await change(first, { needed: null })
  await change(second, { needed: null })

  expect(await as(ann)["pages"].deleteMany({ where: { id: { in: [first, second] } } })).toMatchObject({ count: 2 })
})

test("what goes with a target that only its copy points to is the copy", async () => {
  const target = await make()
  const mark = await as(ann)["marks"].create({ name: "m" })
  const id = await make({ title: "Stays", above: target, beside: target, marks: { connect: [mark.id] } })
  await publish(id)
  await change(id, { above: null, beside: null })
  await remove(target)

  expect(await shown(id)).toBeNull()
  expect(await as(ann)["pages"].findOne({ where: { id } })).toMatchObject({ title: "Stays" })
  const links = `select 1 from "marking.links.pages.stage.published" where "pages_id" = '${id}'`
  expect(await app.database.query(links)).toEqual([])
  expect(await operationsOf(id)).toEqual(["update", "transition", "create"])
})

test("a copy that is let go keeps all else that it shows, and the record gets no version for it", async () => {
  const target = await make()
  const id = await make({ title: "Shown", beside: target })
  const { updatedAt } = await publish(id)
  await change(id, { title: "Worked on", beside: null })
  await remove(target)

  expect(await shown(id)).toMatchObject({ title: "Shown", beside: null, updatedAt })
  expect(await operationsOf(id)).toEqual(["update", "transition", "create"])
})

test("a cascade takes published records along, and their copies", async () => {
  const shelf = await as(ann)["shelves"].create({ name: "s" })
  const top = await make({ shelf: shelf.id })
  const under = await make({ above: top })
  for (const id of [top, under]) await publish(id)
  await as(ann)["shelves"].deleteById({ id: shelf.id })

  expect(await as(ann)["pages"].count({ where: { id: { in: [top, under] } } })).toBe(0)
  const copies = `select 1 from "pages.stage.published" where id in ('${top}', '${under}')`
  expect(await app.database.query(copies)).toEqual([])
})

test("a record that is moved leaves the links of other copies alone, in relations to its own collection too", async () => {
  const first = await make({ title: "first" })
  const second = await make({ title: "second", next: { connect: [first] } })
  await publish(second)
  await publish(first)
  await change(second, { next: { set: [] } })
  await publish(first)

  expect((await shown(second, { with: { next: true } })).next).toMatchObject([{ id: first }])
  expect((await shown(first, { with: { previous: true } })).previous).toEqual([])
  await change(first, { previous: { set: [second] } })
  expect((await shown(first, { with: { previous: true } })).previous).toEqual([])
  await publish(first)
  expect((await shown(first, { with: { previous: true } })).previous).toMatchObject([{ id: second }])
})

test("the links of copies go with either end, and the records they join get one version for it", async () => {
  const mark = await as(ann)["marks"].create({ name: "gone" })
  const id = await make({ title: "Linked", marks: { connect: [mark.id] } })
  await publish(id)
  await as(ann)["marks"].transitionStage({ id: mark.id, stage: "published" })
  const other = await make({ title: "Once linked", marks: { connect: [mark.id] } })
  await publish(other)
  await change(other, { marks: { set: [] } })
  const before = [await operationsOf(id), await operationsOf(other)]
  await as(ann)["marks"].deleteById({ id: mark.id })

  expect((await shown(id, { with: { marks: true } })).marks).toEqual([])
  expect([await operationsOf(id), await operationsOf(other)]).toEqual([["update", ...before[0]], before[1]])
})

const failedOf = async (attempts: readonly Promise<unknown>[]) =>
  (await Promise.allSettled(attempts)).flatMap((each) => (each.status === "rejected" ? [each.reason.status] : []))

test("moves and changes at once of records that are linked in a ring leave whole copies", async () => {
  const made = await Promise.all([1, 2, 3, 4, 5, 6].map(() => make({ title: "0", tail: "0" })))
  const around = (index: number) => made[(index + made.length) % made.length] ?? ""
  for (const [index, id] of made.entries()) {
    await change(id, { beside: around(index + 1), next: { set: [around(index - 1)] } })
  }

  const failed = await failedOf(
    Array.from({ length: 72 }, (_, step) => {
      const id = around(step)
      const ways = [
        () => publish(id),
        () => change(id, { title: `${step}`, tail: `${step}` }),
        () => as(ann)["pages"].transitionStage({ id, stage: step % 4 ? "published" : "draft" }),
      ]
      return Promise.resolve(ways[Math.floor(step / made.length) % ways.length]?.())
    }),
  )

  expect(failed).toEqual([])
  const { docs } = await as()["pages"].find({ where: { id: { in: made } }, with: { next: true } })
  expect(docs.length).toBeGreaterThan(0)
  for (const { title, tail } of docs) expect(tail).toBe(title)
})

test("a record that is moved while it is deleted leaves no copy", async () => {
  const made = await Promise.all([1, 2, 3, 4].map(() => make({ title: "Short-lived" })))
  const failed = await failedOf(made.flatMap((id) => [publish(id), remove(id), publish(id)]))

  expect(failed.filter((status) => status !== 404)).toEqual([])
  const orphans = `select 1 from "pages.stage.published" copy left join pages on pages.id = copy.id where pages.id is null`
  expect(await app.database.query(orphans)).toEqual([])
  expect(await as()["pages"].count({ where: { id: { in: made } } })).toBe(0)
})
