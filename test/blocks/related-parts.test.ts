import { collection, global, type Session } from "kit"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"

const everyone = { read: true, create: true, update: true, delete: true } as const
const boss: Session = { user: { id: "boss", role: "boss" } }

const media = collection("media")
  .fields(({ f }) => ({
    name: f.text().required(),
    at: f.datetime(),
    secret: f.text().access({ read: ({ session }) => session?.user.role === "boss" }),
    some: f.text().access({ read: () => ({ name: { ne: "masked" } }) }),
    owner: f.relation("people"),
  }))
  .options({ softDelete: true })
  .access({
    ...everyone,
    read: ({ session }) => session?.user.role === "boss" || { name: { ne: "private" } },
  })

const people = collection("people")
  .fields(({ f }) => ({ name: f.text().required() }))
  .options({ id: "client" })
  .access(everyone)

const hidden = collection("hidden")
  .fields(({ f }) => ({ name: f.text().required() }))
  .access({ ...everyone, read: ({ session }) => session !== null })

const hooked = collection("hooked")
  .fields(({ f }) => ({ name: f.text().required() }))
  .access(everyone)
  .hooks({ afterRead: ({ row }) => ({ ...row, name: `${row["name"]}!` }) })

const pages = collection("pages")
  .fields(({ f }) => ({
    title: f.text(),
    body: f.blocks({
      hero: { heading: f.text(), image: f.relation("media"), person: f.relation("people") },
      gallery: {
        pictures: f.array(f.object({ caption: f.text(), image: f.relation("media") })),
        related: f.array(f.relation("media")),
        frame: f.object({ image: f.relation("media") }),
      },
      columns: { left: f.blocks({ card: { image: f.relation("media") }, rule: {} }) },
      odd: { secret: f.relation("hidden"), hooked: f.relation("hooked") },
    }),
    seo: f.object({ image: f.relation("media"), label: f.text() }),
    slides: f.array(f.object({ image: f.relation("media") })),
    masked: f.object({ image: f.relation("media") }).access({ read: () => ({ title: { ne: "closed" } }) }),
    upper: f.object({ n: f.number() }),
    unreadable: f.object({ image: f.relation("media") }).access({ read: false }),
    images: f.computed(({ row }) => idsIn(row["body"])),
  }))
  .access(everyone)

// Computed values are made of the stored ids, whatever `with` asks for.
function idsIn(body: unknown): readonly string[] {
  return ((body ?? []) as readonly { image?: unknown }[]).flatMap(({ image }) =>
    typeof image === "string" ? [image] : [],
  )
}

const site = global("site")
  .fields(({ f }) => ({ parts: f.blocks({ logo: { image: f.relation("media") } }) }))
  .access({ read: true, update: true })

const links = collection("links")
  .fields(({ f }) => ({
    name: f.text(),
    page: f.relation("pages"),
    target: f.object({ page: f.relation("pages") }),
  }))
  .access(everyone)

const loops = collection("loops")
  .fields(({ f }) => ({
    next: f.object({ loop: f.relation("loops") }),
    list: f.blocks({ link: { to: f.relation("loops") } }),
  }))
  .access(everyone)

let app: TestApp
beforeAll(async () => {
  app = await testApp({ resources: [media, people, hidden, hooked, pages, site, links, loops] })
})
afterAll(() => app[Symbol.asyncDispose]())

const system = (name: string) => (app.app.system.collections as Record<string, any>)[name]

async function picture(name: string, more: object = {}): Promise<any> {
  return await app.client().collections["media"].create({ name, ...more })
}

describe("with reaches into the parts of fields", () => {
  test("a record stands in the place of each id", async () => {
    const [one, two] = [await picture("one", { at: new Date(5) }), await picture("two")]
    await app.client().collections["people"].create({ id: "Ann", name: "Ann" })
    const { pages } = app.client().collections
    const { id } = await pages.create({
      body: [
        { type: "hero", heading: "H", image: one.id, person: "Ann" },
        { type: "hero", image: one.id },
        { type: "hero" },
        {
          type: "gallery",
          pictures: [{ caption: "c", image: two.id }, { image: null }],
          related: [one.id, two.id, one.id],
          frame: { image: two.id },
        },
        { type: "columns", left: [{ type: "card", image: one.id }, { type: "rule" }] },
      ],
      seo: { image: two.id, label: "L" },
      slides: [{ image: one.id }],
    })

    const shown = await pages.findOne({
      where: { id },
      with: {
        body: {
          hero: { image: true, person: { columns: { name: true } } },
          gallery: { pictures: { image: true }, related: true, frame: { image: true } },
          columns: { left: { card: { image: true } } },
        },
        seo: { image: true },
        slides: { image: { columns: { name: true } } },
      },
    })

    const [first, second] = [
      expect.objectContaining({ name: "one", at: new Date(5) }),
      expect.objectContaining({ name: "two" }),
    ]
    expect(shown).toMatchObject({
      body: [
        { type: "hero", heading: "H", image: first, person: { id: "Ann", name: "Ann" } },
        { type: "hero", image: first, person: null },
        { type: "hero", image: null },
        {
          pictures: [{ caption: "c", image: second }, { image: null }],
          related: [first, second, first],
          frame: { image: second },
        },
        { left: [{ type: "card", image: first }, { type: "rule" }] },
      ],
      seo: { image: second, label: "L" },
      slides: [{ image: { id: one.id, name: "one" } }],
      images: [one.id, one.id],
    })
  })

  test("several reads hydrate: a page, groups, a global, a query string, a search", async () => {
    const one = await picture("wide")
    const body = [{ type: "hero", heading: "Readable words", image: one.id }]
    const { id } = await app.client().collections["pages"].create({ title: "reads", body, seo: { image: one.id } })
    await app.app.system.globals["site"]?.update({ parts: [{ type: "logo", image: one.id }] })
    const related = {
      body: { hero: { image: { columns: { name: true } } } },
      seo: { image: { columns: { name: true } } },
    }
    const shown = { id: one.id, name: "wide" }
    const record = { body: [{ type: "hero", heading: "Readable words", image: shown }], seo: { image: shown } }

    const { pages } = app.client().collections
    const page = await pages.find({ where: { title: "reads" }, with: related, total: false })
    const grouped = await pages.find({ where: { title: "reads" }, with: related, groupBy: "title" })
    const byQuery = await app.fetch(
      `/pages/${id}?with[body][hero][image][columns][name]=true&with[seo][image][columns][name]=true&columns[title]=true`,
    )
    const site = await app.client().globals["site"].get({ with: { parts: { logo: { image: true } } } })
    const written = await app.client().globals["site"].update({}, { with: { parts: { logo: { image: true } } } })

    expect(page.docs).toMatchObject([record])
    expect(grouped.groups).toMatchObject([{ docs: [record] }])
    expect(byQuery.body).toMatchObject({ id, title: "reads", ...record })
    expect(Object.keys(byQuery.body)).toEqual(["id", "title", "body", "seo"])
    expect(site).toMatchObject({ parts: [{ image: { name: "wide" } }] })
    expect(written).toMatchObject({ parts: [{ image: { name: "wide" } }] })
  })

  test("writes return the records, too", async () => {
    const shown = await picture("shown")
    const options = { with: { body: { hero: { image: { columns: { name: true } } } } }, columns: { title: true } }
    const { pages: own } = app.client().collections

    const created = await own.create({ title: "x", body: [{ type: "hero", image: shown.id }] }, options)
    const updated = await own.updateById({ id: created.id, data: { title: "y" } }, options)

    const image = { id: shown.id, name: "shown" }
    expect(created).toMatchObject({ title: "x", body: [{ image }] })
    expect(updated).toEqual({ ...created, title: "y" })
  })

  test("a record that the caller cannot read is null, or left out of a list", async () => {
    const [open, closed, gone] = [await picture("open"), await picture("private"), await picture("gone")]
    const related = [closed.id, open.id, gone.id]
    const hidden = await system("hidden").create({ name: "Hidden" })
    const { id } = await system("pages").create({
      body: [
        { type: "hero", image: closed.id },
        { type: "hero", image: gone.id },
        { type: "gallery", related },
        { type: "odd", secret: hidden.id },
      ],
    })
    await app.client().collections["media"].deleteById({ id: gone.id })
    const read = async (session?: Session) => {
      const options = { with: { body: { hero: { image: true }, gallery: { related: true }, odd: { secret: true } } } }
      const { body } = await app.client(session).collections["pages"].findOne({ where: { id }, ...options })
      return [body[0].image?.name, body[1].image, body[2].related.map(({ name }: any) => name), body[3].secret?.name]
    }

    expect(await read()).toEqual([undefined, null, ["open"], undefined])
    expect(await read(boss)).toEqual(["private", null, ["private", "open"], "Hidden"])
  })

  test("rules of fields, filters and hooks of the related collection count", async () => {
    const [plain, masked] = [
      await picture("plain", { secret: "s", some: "x" }),
      await picture("masked", { secret: "s", some: "x" }),
    ]
    const { id: hooked } = await app.client().collections["hooked"].create({ name: "Hook" })
    const { pages } = app.client().collections
    const { id } = await pages.create({
      body: [
        { type: "hero", image: plain.id },
        { type: "hero", image: masked.id },
        { type: "odd", hooked },
      ],
    })
    const read = async (session: Session | undefined, image: unknown) => {
      const { body } = await app
        .client(session)
        .collections["pages"].findOne({ where: { id }, with: { body: { hero: { image }, odd: { hooked: true } } } })
      return body
    }

    const [first, second, third] = await read(undefined, true)
    const filtered = await read(undefined, { where: { name: "masked" } })
    const ofBoss = await read(boss, true)

    expect(first.image).toMatchObject({ name: "plain", some: "x" })
    expect(first.image).not.toHaveProperty("secret")
    expect(second.image).not.toHaveProperty("some")
    expect(third.hooked.name).toBe("Hook!")
    expect(filtered.map(({ image }: any) => image?.name)).toEqual([undefined, "masked", undefined])
    expect(ofBoss[0].image).toMatchObject({ secret: "s" })
  })

  test("a field that is hidden in some records hydrates nothing there", async () => {
    const one = await picture("in a masked field")
    const { pages } = app.client().collections
    for (const title of ["closed", "ajar"]) await system("pages").create({ title, masked: { image: one.id } })

    const { docs } = await pages.find({
      where: { title: { in: ["closed", "ajar"] } },
      orderBy: { title: "asc" },
      columns: { title: true },
      with: { masked: { image: { columns: { name: true } } } },
    })

    expect(docs.map(({ id: _id, ...doc }: any) => doc)).toEqual([
      { title: "ajar", masked: { image: { id: one.id, name: "in a masked field" } } },
      { title: "closed" },
    ])
  })

  test("relations of related records are hydrated, too", async () => {
    await app.client().collections["people"].create({ id: "owner", name: "Owner" })
    const one = await picture("owned", { owner: "owner" })
    const { id: inner } = await app.client().collections["pages"].create({ title: "inner", seo: { image: one.id } })
    await app.client().collections["links"].create({ name: "link", page: inner, target: { page: inner } })

    const link = await app.client().collections["links"].findOne({
      with: {
        page: { with: { seo: { image: { with: { owner: true } } } } },
        target: { page: { columns: { title: true }, with: { seo: { image: { columns: { name: true } } } } } },
      },
    })

    expect(link.page.seo.image).toMatchObject({ name: "owned", owner: { id: "owner", name: "Owner" } })
    expect(link.target.page).toEqual({
      id: inner,
      title: "inner",
      seo: { image: { id: one.id, name: "owned" }, label: null },
    })
  })

  test("an id in many places cannot make a response larger than any other", async () => {
    const { id: wide } = await system("hooked").create({ name: "x".repeat(40_000) })
    const odd = Array.from({ length: 600 }, () => ({ type: "odd", hooked: wide }))
    const { id } = await system("pages").create({ title: "large", body: odd })

    const answer = await app.fetch(`/pages/${id}?with[body][odd][hooked]=true`)

    expect([answer.status, answer.body.error.code]).toEqual([400, "BAD_REQUEST"])
    expect(answer.body.error.message).toContain("10485760 bytes")
  })

  test("stored values of an earlier declaration never make a read fail", async () => {
    const one = await picture("left behind")
    const { id } = await app.client().collections["pages"].create({ title: "left" })
    const left = [
      [{ type: "hero", image: "no-id", person: { a: 1 } }, { type: "gone", image: one.id }, 5, null],
      [{ type: "gallery", pictures: "x", related: [one.id, 5, null, "no-id", [one.id]], frame: [{ image: one.id }] }],
      [{ type: "columns", left: { type: "card", image: one.id } }],
      "x",
      { type: "hero", image: one.id },
    ]
    const related = {
      hero: { image: true, person: true },
      gallery: { pictures: { image: true }, related: true, frame: { image: true } },
      columns: { left: { card: { image: true } } },
    }
    const statuses: number[] = []
    const bodies: any[] = []

    for (const stored of left) {
      await app.database.query(`update "pages" set "body" = $1 where "id" = $2`, [JSON.stringify(stored), id])
      const { status, body } = await app.fetch("/pages/query", {
        method: "POST",
        body: JSON.stringify({ where: { id }, columns: { title: true }, with: { body: related } }),
      })
      statuses.push(status)
      bodies.push(body.docs[0].body)
    }

    expect(statuses).toEqual(left.map(() => 200))
    expect(bodies[0].slice(0, 2)).toEqual([
      { type: "hero", id: "1", heading: null, image: null, person: null },
      { type: "gone", image: one.id },
    ])
    expect(bodies[1][0].related).toEqual([expect.objectContaining({ name: "left behind" })])
  })
})

describe("a wrong with is refused", () => {
  test.each([
    [{ body: { heroo: { image: true } } }, "with.body.heroo", 'Did you mean "hero"?'],
    [{ body: { hero: { imgae: true } } }, "with.body.hero.imgae", 'Did you mean "image"?'],
    [{ body: { hero: { heading: true } } }, "with.body.hero.heading", 'There is no relation "heading" here.'],
    [{ body: true }, "with.body", "{ hero: { image: true } }"],
    [{ body: { hero: true } }, "with.body.hero", "{ image: true }"],
    [{ body: [] }, "with.body", "{ hero: { image: true } }"],
    [{ body: { hero: { image: { limit: 3 } } } }, "with.body.hero.image.limit", 'There is no option "limit" here.'],
    [{ body: { hero: { image: { columns: { nmae: true } } } } }, "with.body.hero.image.columns.nmae", '"name"'],
    [{ body: { hero: { image: { with: { ownr: true } } } } }, "with.body.hero.image.with.ownr", '"owner"'],
    [{ body: { hero: { image: { stage: "x" } } } }, "with.body.hero.image.stage", "stages"],
    [{ body: { hero: { image: "yes" } } }, "with.body.hero.image", "Expected true or an object of options."],
    [{ slides: { image: { where: { nam: "x" } } } }, "with.slides.image.where.nam", '"name"'],
    [{ upper: { n: true } }, "with.upper", 'There is no relation "upper".'],
    [{ bdy: {} }, "with.bdy", 'Did you mean "body"?'],
    [{ unreadable: { image: true } }, "with.unreadable", 'There is no relation "unreadable".'],
  ])("%j", async (related, path, message) => {
    const { status, body } = await app.fetch("/pages/query", {
      method: "POST",
      body: JSON.stringify({ with: related }),
    })

    expect([status, body.error.fieldErrors[0].path]).toEqual([400, path])
    expect(body.error.fieldErrors[0].message).toContain(message)
  })

  test("depth, number and records are limited as for other relations", async () => {
    const asked = (related: object, more: object = {}) =>
      app.fetch("/loops/query", { method: "POST", body: JSON.stringify({ with: related, ...more }) })
    const inner = (depth: number): object =>
      depth === 1 ? { next: { loop: true } } : { next: { loop: { with: inner(depth - 1) } } }
    const lists = { list: { link: { to: { with: { list: { link: { to: true } } } } } } }

    const depths = [await asked(inner(5)), await asked(inner(6))]
    const records = [await asked(lists, { limit: 50 }), await asked(lists, { limit: 100 })]

    expect(depths.map(({ status }) => status)).toEqual([200, 400])
    expect(depths[1]?.body.error.fieldErrors[0]).toMatchObject({ message: expect.stringContaining("5 levels deep") })
    expect(records.map(({ status }) => status)).toEqual([200, 400])
    expect(records[1]?.body.error.fieldErrors[0].message).toContain("150000 related records")
  })
})
