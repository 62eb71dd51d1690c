// @module-tag not-about-engine

import { resolve } from "node:path"
import { createClient } from "kit/client"
import { afterAll, beforeAll, expect, test, vi } from "vitest"
import { KitProcess } from "../support/processes/kit-process.ts"
import { createTestDatabase, type TestDatabase } from "../support/test-database.ts"

const WAIT = { timeout: 60_000, interval: 20 }

let database: TestDatabase
let server: KitProcess
let baseURL: string
let env: Record<string, string>

const cwd = resolve("examples/newsroom")

// Starts the app as a reader of the example would, except for the database.
beforeAll(async () => {
  database = await createTestDatabase()
  env = { DATABASE_URL: database.url, KIT_SECRET: "the newsroom's secret, for tests only" }
  const seeding = new KitProcess(["seed"], { cwd, env })
  expect(await seeding.exit(), seeding.output).toBe(0)
  server = new KitProcess(["start", "--port", "0"], { cwd, env })
  baseURL = (await server.printed(/http:\/\/localhost:\d+/))[0]
})

afterAll(async () => {
  await server.stop()
  await database.drop()
})

// The client without types: the types of the example belong to a separate program.
interface LooseClient {
  readonly collections: Record<string, any>
  readonly routes: any
  readonly channels: Record<string, any>
  readonly realtime: { destroy(): void }
}

function clientOf(token?: string): LooseClient {
  const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` }
  return createClient({ baseURL, basePath: "/api", headers })
}

async function post(path: string, body: object) {
  const response = await fetch(`${baseURL}/api${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  })
  return { status: response.status, body: (await response.json()) as { token: string } }
}

async function signIn(email: string) {
  const { status, body } = await post("/auth/sign-in/email", { email, password: "newsroom" })
  expect(status).toBe(200)
  return clientOf(body.token)
}

async function signUp(email: string) {
  const { status, body } = await post("/auth/sign-up/email", { email, name: "New", password: "newsroom" })
  expect(status).toBe(200)
  return clientOf(body.token)
}

// Mail is sent after the commit, perhaps after the answer; the log shows when.
async function mailedCode(address: string): Promise<string> {
  await server.printed(new RegExp(`mail to ${address}: .*; kept for preview`))
  const [mail] = await database.query('select text from _kit_mail where "to" = $1', [[address]])
  return /[\da-f]{8}-[\da-f-]{27}/.exec(String(mail?.["text"]))?.[0] ?? ""
}

function untilMailed(subject: RegExp) {
  return vi.waitFor(async () => {
    const mails = await database.query('select "to", subject, text from _kit_mail')
    const mail = mails.find((kept) => subject.test(String(kept["subject"])))
    expect(mail, String(subject)).toBeDefined()
    return mail
  }, WAIT)
}

test("anyone reads published articles and the statistics, and no address", async () => {
  const client = clientOf()

  const page = await client.collections.articles.find({ with: { author: true }, limit: 3 })
  const stats = await client.routes.stats.get()

  expect(page.docs.map(({ stage }: { stage: string }) => stage)).toEqual(["published", "published", "published"])
  expect(page.docs[0]?.author).toHaveProperty("name")
  expect(page.docs[0]?.author).not.toHaveProperty("email")
  expect(stats.teams.map(({ name }: { name: string }) => name)).toEqual(["Culture", "Science", "Sport"])
  expect(stats.at).toBeInstanceOf(Date)
})

test("an editor signs in, sees the drafts of the team, and publishes one", async () => {
  const editor = await signIn("editor@example.com")
  const drafts = await editor.collections.articles.find({ stage: "draft", where: { stage: "review" }, limit: 1 })
  const draft = drafts.docs[0]?.id ?? ""
  const count = await clientOf().collections.articles.count({ where: { id: draft } })

  const team = drafts.docs[0]?.team
  const said: any[] = []
  const seen: any[] = []
  const refused: any[] = []
  editor.channels["desk"].subscribe({ team }, (event: any) => said.push(event), { lastEventId: "0" })
  editor.channels["desk"].presence({ team }, (members: any) => seen.push(...members))
  clientOf().channels["desk"].subscribe({ team }, () => {}, { onError: (error: any) => refused.push(error.status) })
  await vi.waitFor(() => expect([seen.length > 0, refused]).toEqual([true, [401]]), WAIT)

  const { published } = await editor.routes.articles.publish({ articles: [draft] })
  const forged = editor.channels["desk"].publish({
    params: { team },
    event: "published",
    data: { article: draft, title: "" },
  })
  await expect(forged).rejects.toMatchObject({ status: 403 })
  await vi.waitFor(() => expect(said).toHaveLength(1), WAIT)
  editor.realtime.destroy()
  const mail = await untilMailed(/^Published: /)

  expect(count).toBe(0)
  expect(published).toEqual([draft])
  expect(await clientOf().collections.articles.count({ where: { id: draft } })).toBe(1)
  expect(mail?.["subject"]).toBe(`Published: ${drafts.docs[0]?.title}`)
  expect(mail?.["to"]).toContain("editor@example.com")
  expect(said).toMatchObject([{ event: "published", data: { article: draft, title: drafts.docs[0]?.title } }])
  expect(seen[0].data.name).toBe("Eva Novak")
})

test("the digest that nobody was there to send goes out with the next worker", async () => {
  const newest =
    "select t.name ->> 'en' as name, a.title ->> 'en' title from teams t join articles a on a.team = t.id where a.\"publishedAt\" is not null order by a.\"publishedAt\" desc limit 1"
  const [{ name, title } = {}] = await database.query(newest)
  await database.query(`update _kit_cron set last_at = last_at - interval '2 days' where name = 'daily-digest'`)

  const worker = new KitProcess(["worker"], { cwd, env })
  const mail = await untilMailed(new RegExp(`^${name}: \\d published$`))
  const code = await worker.stop()

  expect(mail?.["text"]).toContain(title)
  expect(mail?.["to"]).toContain("editor@example.com")
  expect(code, worker.output).toBe(0)
})

test("an editor invites somebody, who signs up, joins, and sees the drafts of that team", async () => {
  const editor = await signIn("editor@example.com")
  const team = (await editor.collections.memberships.find()).docs[0]?.team ?? ""
  const answer = await editor.routes.teams.invite({ team, email: "new@example.com" })
  const code = await mailedCode("new@example.com")
  const stranger = await signUp("stranger@example.com")
  const invited = await signUp("new@example.com")

  expect(Object.keys(answer)).toEqual(["id"])
  await expect(stranger.routes.teams.join({ code })).rejects.toMatchObject({ status: 404 })
  await expect(stranger.routes.teams.invite({ team, email: "x@example.com" })).rejects.toMatchObject({ status: 403 })
  await expect(clientOf().routes.teams.join({ code })).rejects.toMatchObject({ status: 401 })
  expect(await invited.routes.teams.join({ code })).toEqual({ team })
  await expect(invited.routes.teams.join({ code })).rejects.toMatchObject({ status: 404 })

  const unpublished = { where: { team, stage: "draft" }, stage: "draft" }
  expect(await invited.collections.articles.count(unpublished)).toBeGreaterThan(0)
  expect(await stranger.collections.articles.count(unpublished)).toBe(0)
})
