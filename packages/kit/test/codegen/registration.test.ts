// @module-tag experiment

import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { expect, test } from "vitest"
import { job } from "../../src/schema/builders/job.ts"
import { service } from "../../src/schema/builders/service.ts"
import { users } from "../../src/schema/builders/users.ts"
import { appFolder } from "./app-folder.ts"
import { generateApp } from "./newspaper.ts"
import { checked, newspaperFiles } from "./newspaper-files.ts"

// The same declaration as in the text of USERS.
const extendedUsers = users().fields(({ f }) => ({
  theme: f.select(["light", "dark"]).required().default("light"),
  layout: f.json<{ columns: number }>(),
  note: f.text().hidden(),
}))

const HANDLERS = `import { collection, route, type HandlerContext } from "kit"
import { sql } from "kit/db"

export default route()
  .get()
  .handler(async ({ db, clock, desk, collections, transaction }) => {
    const rows = await db
      .selectFrom("articles")
      .innerJoin("people", "people.id", "articles.author")
      .select(["articles.title", "articles.views", "articles.publishedAt", "people.name as author"])
      .where("articles.status", "=", "done")
      .execute()
    const views: bigint | null | undefined = rows[0]?.views
    const at: Date | null | undefined = rows[0]?.publishedAt
    const author: string | undefined = rows[0]?.author
    await db.updateTable("articles").set({ meta: JSON.stringify({}), price: 5, views: 1n }).execute()
    await db.insertInto("teams").values({ id: sql<string>\`gen_random_uuid()\`, name: "x" }).execute()
    await transaction(async (inner) => inner.clock.now() > clock.now() && inner.collections.articles.count())
    // @ts-expect-error no such table
    await db.selectFrom("artikles").selectAll().execute()
    // @ts-expect-error no such column
    await db.selectFrom("teams").select("nmae").execute()
    // @ts-expect-error not null, and the database fills in nothing
    await db.insertInto("teams").values({ name: "x" }).execute()
    // @ts-expect-error no such service
    ;(context: HandlerContext) => context.clok
    // @ts-expect-error no such collection
    await collections.artikles.count()
    return { views, at, author, notes: desk.notes.length, of: desk.of }
  })

export const rules = collection("teams")
  .access({ read: ({ clock, desk }) => clock.now().getTime() > 0 && desk.of !== undefined })
  .hooks({
    afterChange: async ({ db, clock, row, onAfterCommit, touch }) => {
      await touch("articles", row.id)
      onAfterCommit(() => clock.now())
      await sql\`select 1\`.execute(db)
    },
  })
`

const MAILING = `import { route } from "kit"

export default route().handler(async ({ email, kv, transaction }) => {
  await email.sendTemplate({ template: "invite", to: "a@x.test", input: { from: "Ann", until: "2027-01-01" } })
  await transaction((inner) => inner.email.send({ to: ["a@x.test"], subject: "Hi", html: "x" }))
  // @ts-expect-error no such template
  await email.sendTemplate({ template: "invit", to: "a@x.test", input: {} })
  // @ts-expect-error the schema takes a text
  await email.sendTemplate({ template: "invite", to: "a@x.test", input: { from: "Ann", until: new Date() } })
  // @ts-expect-error something is missing
  await email.sendTemplate({ template: "invite", to: "a@x.test", input: { from: "Ann" } })
  const count: number = await kv.increment("mails", 1, { ttl: 60 })
  return { count }
})
`

// Each uses the type of the other one.
const MUTUAL = {
  "src/services/ping.ts": `import { service } from "kit/services"

interface Ping { hit(times: number): number }

export default service({
  lifecycle: "request",
  create: (context): Ping => ({ hit: (times) => (times === 0 ? 0 : context.pong.hit(times - 1)) }),
})
`,
  "src/services/pong.ts": `import { service } from "kit/services"

export default service({
  lifecycle: "request",
  create: ({ ping }) => ({ hit: (times: number): number => (times === 0 ? 0 : ping.hit(times - 1)) }),
})
`,
}

const RULES = `import { collection, type App, type AppApi } from "kit"

export const valid = collection("articles").access({
  read: ({ session }) => session !== null && { status: "done", author: { is: { name: { startsWith: "A" } } } },
  update: async ({ collections, globals }) => {
    const one = await collections.articles.findOne({ with: { author: { columns: { name: true } } } })
    const settings = await globals.settings.get()
    return one?.author?.name === settings?.siteName
  },
})

export const unknownField = collection("articles").access({
  // @ts-expect-error no such field
  read: () => ({ titel: "x" }),
})

export const unknownOperator = collection("articles").access({
  // @ts-expect-error no such operator
  read: () => ({ title: { startswith: "x" } }),
})

export const unknownCollection = collection("articles").access({
  // @ts-expect-error no such collection
  read: async ({ collections }) => (await collections.artikles.count()) > 0,
})

export async function inProcess(app: App, api: AppApi): Promise<string> {
  const page = await app.system.collections.people.find({ with: { team: true } })
  // @ts-expect-error no such field
  await api.collections.people.create({ nmae: "x" })
  return page.docs[0]?.team?.name ?? ""
}
`

test("the registration types rules and in-process calls, with no import and no type argument", async () => {
  await using app = await newspaperFolder({ "src/rules.ts": RULES })

  expect(await app.complaints()).toEqual([])
})

test("what the registration refuses is refused where it stands in the file", async () => {
  const unmarked = RULES.replaceAll(/^.*@ts-expect-error.*$/gm, "")
  await using app = await newspaperFolder({ "src/rules.ts": unmarked })

  const complaints = await app.complaints()

  const places = complaints.flatMap((line) => /^src\/rules\.ts\((\d+),/.exec(line)?.[1] ?? [])
  expect(places.map(Number)).toEqual(linesAfterMarks(RULES))
})

test("handlers, rules and hooks know the tables, the services and each other", async () => {
  await using app = await newspaperFolder({ "src/routes/board.ts": HANDLERS })

  expect(await app.complaints()).toEqual([])
})

test("handlers know the email templates, each with what is given to send it", async () => {
  await using app = await newspaperFolder({ "src/routes/mailing.ts": MAILING })

  expect(await app.complaints()).toEqual([])
})

test("two services may use each other's types", async () => {
  const { definition } = service({ lifecycle: "request", create: () => 0 })
  const services = ["ping", "pong"].map((key) => ({ file: key, key, definition }))
  const files = new Map(Object.entries(MUTUAL))
  for (const [name, text] of generateApp({ resources: [], services })) files.set(`src/generated/${name}`, checked(text))
  await using app = await appFolder(files)

  expect(await app.complaints()).toEqual([])
})

// Each publishes the other one, in whatever way a handler may be written.
const MUTUAL_JOBS = {
  "src/jobs/ping.ts": `import { job } from "kit"
import { z } from "zod"

export default job({
  name: "ping",
  schema: z.object({ left: z.number(), at: z.coerce.date() }),
  handler: async ({ payload, queue, attempt, collections }) => {
    const at: Date = payload.at
    if (payload.left > attempt) await queue.pong.publish({ left: payload.left - 1 }, { startAfter: at })
    // @ts-expect-error a number
    await queue.pong.publish({ left: "1" })
    // @ts-expect-error no such job
    await queue.pnog.publish({})
    // @ts-expect-error no such collection
    await collections.artikles.count()
    return queue.pong.publish({ left: 0 })
  },
})
`,
  "src/jobs/pong.ts": `import { job } from "kit"
import { z } from "zod"

export default job({
  name: "pong",
  schema: z.object({ left: z.number() }),
  handler: ({ payload, queue }) => queue.ping.publish({ left: payload.left, at: "2027-01-01" }),
})
`,
}

test("two jobs may publish each other, and each knows what the other takes", async () => {
  const schema = { "~standard": { version: 1 as const, vendor: "test", validate: () => ({ value: {} }) } }
  const jobs = ["ping", "pong"].map((key) => ({
    ...{ file: key, key },
    definition: job({ name: key, schema, handler: () => {} }).definition,
  }))
  const files = new Map(Object.entries(MUTUAL_JOBS))
  for (const [name, text] of generateApp({ resources: [], jobs })) files.set(`src/generated/${name}`, checked(text))
  await using app = await appFolder(files)

  expect(await app.complaints()).toEqual([])
})

const USERS = `import { users } from "kit"

export default users().fields(({ f }) => ({
  theme: f.select(["light", "dark"]).required().default("light"),
  layout: f.json<{ columns: number }>(),
  note: f.text().hidden(),
}))
`

const SESSIONS = `import { collection, users } from "kit"

export const valid = collection("articles").access({
  read: ({ session }) => session?.user.role === "editor" || session?.user.theme === "dark",
  update: ({ session }) => session && { author: session.user.id, title: { startsWith: session.user.name } },
  create: ({ session }) => (session?.user.layout?.columns ?? 0) > 1 && session?.user.createdAt instanceof Date,
})

export const unknownClaim = collection("articles").access({
  // @ts-expect-error no such field
  read: ({ session }) => session?.user.roel === "editor",
})

export const unknownChoice = collection("articles").access({
  // @ts-expect-error no such option
  read: ({ session }) => session?.user.theme === "drak",
})

export const hidden = collection("articles").hooks({
  // @ts-expect-error a hidden field
  afterChange: ({ session }) => console.log(session?.user.note),
})

export const rules = users().access({ read: () => ({ theme: "dark" }) }).privateAccess({ email: true })

// @ts-expect-error no private field
export const notPrivate = users().privateAccess({ name: true })
`

test("the user of a session has the fields of identity and the author's, and no others", async () => {
  const files = { "src/collections/users.ts": USERS, "src/sessions.ts": SESSIONS }
  await using app = await appFolder(await newspaperFiles(files, [extendedUsers.definition]))

  expect(await app.complaints()).toEqual([])
})

function linesAfterMarks(text: string): number[] {
  return text.split("\n").flatMap((line, index) => (line.includes("@ts-expect-error") ? [index + 2] : []))
}

async function newspaperFolder(more: Record<string, string>) {
  return appFolder(await newspaperFiles(more))
}

test("the types of routes, and of collections that keep nothing to themselves, can be written into declarations", async () => {
  await using app = await appFolder(await newspaperFiles({}))

  const complaints = await app.complaints(
    ...["--declaration", "--emitDeclarationOnly", "--noEmit", "false", "--rootDir", "src", "--outDir", "out"],
  )

  const own = complaints.filter((line) => /^src\/(routes|collections\/(people|teams))/.test(line))
  expect(own).toEqual([])
  const written = await readFile(join(app.path, "out", "collections", "people.d.ts"), "utf8")
  expect(written).toContain("PeopleCollection")
})
