import { collection, global, type Session } from "kit"
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"

const ann: Session = { user: { id: "ann", role: "editor" } }
const isEditor = ({ session }: { session: Session | null }) => session?.user.role === "editor"
const open = { read: true, create: true, update: true, delete: true, restore: true, purge: true } as const
const PUBLISHED = { stage: "published" } as const

const guides = collection("guides")
  .fields(({ f }) => ({
    title: f.text().localized(),
    body: f.richText(),
    size: f.number().integer(),
    price: f.number().decimal(8, 2),
    words: f.array(f.text()),
    data: f.json(),
    home: f.relation("places").onDelete("setNull"),
    area: f.relation("places").onDelete("cascade"),
    places: f.relation("places").manyToMany({ through: "visits" }),
    route: f.relation("places").manyToMany({ through: "stops", ordered: true }),
    tours: f.relation("tours").manyToMany({ through: "trips" }),
    notes: f.relation("notes").hasMany({ via: "guide" }),
    shout: f.computed(({ row }) => String(row["size"])),
    twice: f.virtual(f.number().integer(), '"size" * 2'),
  }))
  .options({ workflow: true, versions: true, softDelete: true, revision: true })
  .access({ ...open, drafts: isEditor })

const places = collection("places")
  .fields(({ f }) => ({ name: f.text(), guides: f.relation("guides").manyToMany({ through: "visits" }) }))
  .access(open)

/** Callers see their public copies only. */
const tours = collection("tours")
  .fields(({ f }) => ({ name: f.text(), guides: f.relation("guides").manyToMany({ through: "trips" }) }))
  .options({ workflow: true })
  .access({ ...open, drafts: false })

const notes = collection("notes")
  .fields(({ f }) => ({ text: f.text(), guide: f.relation("guides").onDelete("cascade") }))
  .access(open)

// Nothing but what the author has declared, and three stages.
const laws = collection("laws")
  .fields(({ f }) => ({ text: f.text(), links: f.relation("laws").manyToMany() }))
  .options({
    timestamps: false,
    id: "client",
    workflow: { stages: { draft: {}, review: {}, inForce: { withdraws: ["review"] } }, public: "inForce" },
  })
  .access({ ...open, drafts: isEditor })

const front = global("front")
  .fields(({ f }) => ({ motto: f.text() }))
  .options({ workflow: true, versions: true })
  .access({ read: true, update: isEditor })

let app: TestApp

beforeAll(async () => {
  const config = { locales: { default: "en", all: ["en", "sk"] } }
  app = await testApp({ resources: [guides, places, tours, notes, laws, front], config })
})
afterAll(() => app[Symbol.asyncDispose]())

const editor = () => app.client(ann).collections
const flagOf = async (id: string, name = "guides") =>
  (await editor()[name].findOne({ where: { id }, includeDeleted: name === "guides" })).changedSincePublished

async function published(data: object = {}): Promise<string> {
  const { id } = await editor()["guides"].create({ title: "One", size: 1, ...data })
  await editor()["guides"].transitionStage({ id, stage: "published" })
  return id
}

describe("a record", () => {
  test("whose links have changed has changed, also if it is read with the public copies at their other end", async () => {
    const tour = await app.app.system.collections["tours"]?.create({ name: "t" }, { stage: "published" })
    const id = await published({ tours: [tour?.["id"]] })

    await editor()["guides"].updateById({ id, data: { tours: [] } })

    expect(await flagOf(id)).toBe(true)
    const read = await editor()["guides"].findOne({ where: { id }, with: { tours: true } })
    expect(read).toMatchObject({ tours: [], changedSincePublished: true })
  })

  test("whose links have another order has changed if the relation keeps the order", async () => {
    const made = await Promise.all(["a", "b", "c"].map((name) => editor()["places"].create({ name })))
    const [a, b, c] = made.map(({ id }) => id)
    const id = await published({ route: [a, b, c], places: [a, b, c] })

    const moved = await editor()["guides"].updateById({ id, data: { route: { move: { id: c, to: "start" } } } })
    expect(moved.changedSincePublished).toBe(true)
    await editor()["guides"].transitionStage({ id, stage: "published" })
    expect(await flagOf(id)).toBe(false)
    await editor()["guides"].updateById({ id, data: { places: [c, b, a] } })
    expect(await flagOf(id)).toBe(false)
  })

  test("that was never published, or was withdrawn, has no answer", async () => {
    const made = await editor()["guides"].create({ title: "New" })
    const id = await published()
    const left = await published()

    expect(made.changedSincePublished).toBeNull()
    expect((await editor()["guides"].transitionStage({ id, stage: "draft" })).changedSincePublished).toBeNull()
    await editor()["guides"].deleteById({ id: left }, PUBLISHED)
    expect(await flagOf(left)).toBeNull()
  })

  test("has changed as soon as it differs from its public copy, until it is published again", async () => {
    const id = await published()
    const before = await flagOf(id)

    const changed = await editor()["guides"].updateById({ id, data: { size: 2 } })
    const again = await editor()["guides"].transitionStage({ id, stage: "published" })

    expect([before, changed.changedSincePublished, again.changedSincePublished]).toEqual([false, true, false])
  })

  test("has not changed if an edit was undone, or changed nothing", async () => {
    const id = await published({ body: null, data: { a: [1, { b: null }] }, words: ["x", "y"], price: "1.50" })

    const same = await editor()["guides"].updateById({ id, data: { size: 1, data: { a: [1, { b: null }] } } })
    const other = await editor()["guides"].updateById({ id, data: { words: ["y", "x"] } })
    const undone = await editor()["guides"].updateById({ id, data: { words: ["x", "y"], price: "1.5" } })

    expect([same, other, undone].map((each) => each.changedSincePublished)).toEqual([false, true, false])
    expect(undone.updatedAt).not.toEqual((await editor()["guides"].findOne({ where: { id }, ...PUBLISHED })).updatedAt)
  })

  test("has changed if one locale has, and a locale that is emptied again is as it was", async () => {
    const id = await published()

    const slovak = await editor()["guides"].updateById({ id, data: { title: "Jeden" } }, { locale: "sk" })
    const without = await editor()["guides"].updateById({ id, data: { title: null } }, { locale: "sk" })

    expect(slovak.changedSincePublished).toBe(true)
    expect(without.changedSincePublished).toBe(false)
  })

  test("has changed with its links, from whichever end, and not with records that point to it", async () => {
    const [one, two] = await Promise.all(["a", "b"].map((name) => editor()["places"].create({ name })))
    const id = await published({ places: [one.id] })

    const linked = await editor()["guides"].updateById({ id, data: { places: { connect: [two.id] } } })
    await editor()["places"].updateById({ id: two.id, data: { guides: { disconnect: [id] } } })
    const unlinked = await flagOf(id)
    await editor()["places"].updateById({ id: two.id, data: { guides: { connect: [id] } } })
    const linkedAgain = await flagOf(id)
    const back = await editor()["guides"].updateById({
      ...{ id, data: { places: [one.id], notes: { create: [{ text: "n" }] } } },
    })
    await editor()["places"].deleteById({ id: one.id })

    expect([linked.changedSincePublished, unlinked, linkedAgain]).toEqual([true, false, true])
    expect(back.changedSincePublished).toBe(false)
    // The link has gone with the place, from the public copy too.
    expect(await flagOf(id)).toBe(false)
  })

  test("and its public copy lose a deleted target alike", async () => {
    const home = await editor()["places"].create({ name: "home" })
    const id = await published({ home: home.id })

    await editor()["places"].deleteById({ id: home.id })

    expect(await flagOf(id)).toBe(false)
  })

  test("has changed if its public copy was corrected, or brought back to an older version", async () => {
    const id = await published()
    await editor()["guides"].updateById({ id, data: { size: 7 } }, PUBLISHED)
    const corrected = await flagOf(id)
    await editor()["guides"].revertToVersion({ id, version: 2 }, PUBLISHED)
    const reverted = await flagOf(id)
    await editor()["guides"].updateById({ id, data: { size: 3 } })

    const back = await editor()["guides"].revertToVersion({ id, version: 1 })

    expect([corrected, reverted, back.changedSincePublished]).toEqual([true, false, false])
  })

  test("keeps the answer while it is deleted, and has it again when it is restored", async () => {
    const id = await published()
    await editor()["guides"].updateById({ id, data: { size: 2 } })

    const deleted = await editor()["guides"].deleteById({ id })
    const whileDeleted = await app.app.system.collections["guides"]?.findOne({ where: { id }, includeDeleted: true })
    const restored = await editor()["guides"].restoreById({ id })

    expect(deleted.data.changedSincePublished).toBe(true)
    expect(whileDeleted).toMatchObject({ changedSincePublished: true })
    expect(restored.changedSincePublished).toBe(true)
  })

  test("without timestamps and versions, with a stage between, is compared with the public stage alone", async () => {
    await editor()["laws"].create({ id: "l1", text: "a" })
    await editor()["laws"].transitionStage({ id: "l1", stage: "inForce" })
    await editor()["laws"].updateById({ id: "l1", data: { text: "b" } })

    const reviewed = await editor()["laws"].transitionStage({ id: "l1", stage: "review" })
    const linked = await editor()["laws"].updateById({ id: "l1", data: { text: "a", links: ["l1"] } })
    const inReview = (await editor()["laws"].find({ stage: "review" })).docs
    const inForce = await editor()["laws"].transitionStage({ id: "l1", stage: "inForce" })

    const answers = [reviewed, linked, inForce].map((each) => each.changedSincePublished)
    expect(answers).toEqual([true, true, false])
    expect(inReview).toEqual([{ id: "l1", text: "b", stage: "review" }])
  })

  test("that is a global has the same field", async () => {
    const { front } = app.client(ann).globals

    const first = await front.update({ motto: "a" })
    const shown = await front.transitionStage({ stage: "published" })
    const changed = await front.update({ motto: "b" })

    expect([first, shown, changed].map((each: any) => each.changedSincePublished)).toEqual([null, false, true])
    expect(await front.get()).toMatchObject({ motto: "b", changedSincePublished: true })
    expect(await app.client().globals["front"].get()).toEqual({
      ...shown,
      motto: "a",
      changedSincePublished: undefined,
    })
  })
})

describe("the field", () => {
  test("can be filtered, sorted, grouped, counted and selected by", async () => {
    const name = "found"
    const ids: string[] = []
    for (const size of [1, 2, 3]) ids.push(await published({ title: name, size }))
    const draft = await editor()["guides"].create({ title: name, size: 4 })
    await editor()["guides"].updateById({ id: ids[1], data: { size: 9 } })
    const found = (where: object) => editor()["guides"].find({ where: { title: name, ...where } })
    const sizes = async (where: object) => (await found(where)).docs.map(({ size }: any) => size).sort()

    expect(await sizes({ changedSincePublished: true })).toEqual([9])
    expect(await sizes({ changedSincePublished: false })).toEqual([1, 3])
    expect(await sizes({ changedSincePublished: { ne: true } })).toEqual([1, 3, 4])
    expect(await sizes({ changedSincePublished: null })).toEqual([4])
    expect(await sizes({ NOT: { changedSincePublished: false } })).toEqual([4, 9])
    expect(await sizes({ changedSincePublished: { in: [true, false] } })).toEqual([1, 3, 9])
    expect(await editor()["guides"].count({ where: { title: name, changedSincePublished: true } })).toBe(1)
    const ordered = await editor()["guides"].find({
      ...{ where: { title: name }, columns: { changedSincePublished: true } },
      orderBy: [{ changedSincePublished: "desc" }, { size: "asc" }],
    })
    expect(ordered.docs).toEqual([
      { id: draft.id, changedSincePublished: null },
      { id: ids[1], changedSincePublished: true },
      { id: ids[0], changedSincePublished: false },
      { id: ids[2], changedSincePublished: false },
    ])
    const groups = await editor()["guides"].find({ where: { title: name }, groupBy: "changedSincePublished" })
    const counts = Object.fromEntries(groups.groups.map((each: any) => [String(each.value), each.count]))
    expect(counts).toEqual({ true: 1, false: 2, null: 1 })
    const moved = await editor()["guides"].updateMany({
      ...{ where: { title: name, changedSincePublished: true }, data: { size: 2 } },
    })
    expect(moved).toMatchObject([{ id: ids[1], changedSincePublished: false }])
  })

  test("is in what relations, search and a list of versions show as each of them has it", async () => {
    const id = await published({ title: "Swift" })
    await editor()["guides"].updateById({ id, data: { title: "Swifter" } })
    const note = await editor()["notes"].create({ text: "n", guide: id })

    const withGuide = await editor()["notes"].findOne({ where: { id: note.id }, with: { guide: true } })
    const versions = await editor()["guides"].findVersions({ id })

    expect(withGuide.guide).toMatchObject({ title: "Swifter", changedSincePublished: true })
    expect(versions.map((each: object) => "changedSincePublished" in each)).toEqual([false, false, false])
    expect(await editor()["notes"].count({ where: { guide: { is: { changedSincePublished: true } } } })).toBe(1)
  })

  test("counts as fifty comparisons of a filter", async () => {
    const conditions = (count: number) => ({
      OR: Array.from({ length: count }, (_each, at) => ({ changedSincePublished: at % 2 === 0 ? null : true })),
    })

    await expect(editor()["guides"].count({ where: conditions(4) })).resolves.toBeGreaterThanOrEqual(0)
    await expect(editor()["guides"].count({ where: conditions(5) })).rejects.toMatchObject({
      fieldErrors: [{ message: expect.stringContaining("limits.filter.comparisonsPerRequest") }],
    })
  })

  test("keeps its name from fields of the author, where there are stages", async () => {
    const named = (workflow: boolean) =>
      collection("things")
        .fields(({ f }) => ({ changedSincePublished: f.text() }))
        .options({ workflow })
        .access(open)
    const message = 'field "changedSincePublished": with the option "workflow", the server has a field with this name.'

    await expect(testApp({ resources: [named(true)] })).rejects.toThrow(message)
    await using other = await testApp({ resources: [named(false)] })
    const made = await other.client().collections["things"].create({ changedSincePublished: "mine" })
    expect(made).toMatchObject({ changedSincePublished: "mine" })
  })

  test("is described as a field that may be absent and cannot be written", async () => {
    const { fields, validation } = await editor()["guides"].schema()
    const { body } = await app.fetch("/openapi.json", { session: ann })
    const document = body.components ? body : (await app.fetch("/_kit/openapi.json", { session: ann })).body
    const record = document.components.schemas.GuidesRecord

    expect(fields.changedSincePublished).toMatchObject({
      ...{ type: "boolean", readOnly: true, required: false, sortable: true, groupable: true },
      access: { read: true, create: false, update: false },
    })
    for (const input of [validation.insert, validation.update])
      expect(Object.keys(input.properties)).not.toContain("changedSincePublished")
    expect(record.properties).toHaveProperty("changedSincePublished")
    expect(record.required).not.toContain("changedSincePublished")
    expect(document.components.schemas.GuidesUpdate.properties).not.toHaveProperty("changedSincePublished")
  })

  test("cannot be written", async () => {
    const id = await published()
    const data = { changedSincePublished: true }

    await expect(editor()["guides"].updateById({ id, data })).rejects.toMatchObject({
      fieldErrors: [{ path: "changedSincePublished", message: "This field is kept by the server." }],
    })
    await expect(editor()["guides"].create({ title: "x", ...data })).rejects.toMatchObject({ code: "VALIDATION_ERROR" })
  })

  test("is in a live list that hears of whatever changes it", async () => {
    const place = await editor()["places"].create({ name: "p" })
    const home = await editor()["places"].create({ name: "h" })
    const id = await published({ title: "live", places: [place.id], home: home.id })
    const seen: unknown[] = []
    const stop = editor()["guides"].live({ where: { title: "live" } }, (page: any) => {
      seen.push(page.docs[0]?.changedSincePublished)
    })
    const shows = (flag: unknown) => vi.waitFor(() => expect(seen.at(-1)).toBe(flag), { timeout: 60_000 })
    await shows(false)

    await editor()["guides"].updateById({ id, data: { places: [], home: null } })
    await shows(true)
    // The working copy has lost them already, so that only the public copy changes.
    await editor()["places"].deleteById({ id: home.id })
    await editor()["places"].deleteById({ id: place.id })
    await shows(false)
    await editor()["guides"].updateById({ id, data: { size: 8 } }, PUBLISHED)
    await shows(true)
    await editor()["guides"].deleteById({ id }, PUBLISHED)
    await shows(null)
    const area = await editor()["places"].create({ name: "a" })
    await editor()["guides"].updateById({ id, data: { area: area.id } })
    await editor()["guides"].transitionStage({ id, stage: "published" })
    await editor()["guides"].updateById({ id, data: { area: null } })
    await shows(true)
    await editor()["places"].deleteById({ id: area.id })
    await shows(null)
    stop()
  })
})
