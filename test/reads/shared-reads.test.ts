import { collection, type Session } from "kit"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { type DatabaseProxy, startDatabaseProxy } from "../support/processes/database-proxy.ts"
import { sendTogether } from "../support/processes/send-together.ts"
import { seededRandom } from "../support/seeded-random.ts"
import { sessions, type TestApp, testApp } from "../support/worlds/test-app.ts"

const posts = collection("posts")
  .fields(({ f }) => ({ title: f.text().required().localized(), body: f.textarea(), next: f.relation("posts") }))
  .options({ softDelete: true })
  .access({ read: true, delete: true })
const notes = collection("notes")
  .fields(({ f }) => ({
    title: f.text().required(),
    owner: f.text().required(),
    secret: f.text().access({ read: ({ session }) => session?.user.id === "ada" }),
  }))
  .access({ read: ({ session }) => session !== null && { owner: { ne: `not ${session.user.id}` } } })
const sums = collection("sums")
  .fields(({ f }) => ({
    total: f.number().integer().required(),
    share: f.virtual(f.number().integer(), '100 / "total"'),
  }))
  .access({ read: true })

const isGeneral = process.env["KIT_GENERAL_PATH"] === "1"
const ada: Session = { user: { id: "ada" } }
const bob: Session = { user: { id: "bob" } }
const eve: Session = { user: { id: "eve" } }

let proxy: DatabaseProxy
let app: TestApp
let postIds: string[]

beforeAll(async () => {
  proxy = await startDatabaseProxy()
  const config = { db: { url: proxy.url }, locales: { default: "en", all: ["en", "sk"] } }
  app = await testApp({ resources: [posts, notes, sums], config })
  postIds = await createAll("posts", 40, (index) => ({ title: `Post ${index}`, body: "…".repeat(index) }))
})

afterAll(async () => {
  await app[Symbol.asyncDispose]()
  await proxy[Symbol.asyncDispose]()
})

describe("requests for single records that arrive together", () => {
  test("are answered by one statement for at most sixteen of them", async () => {
    const requests = postIds.map(postPath)
    // Opens the connections, which send statements of their own.
    await together(requests)
    const before = proxy.statements()

    const answers = await together(requests)

    expect(answers.map(({ body }) => body.title)).toEqual(postIds.map((_, index) => `Post ${index}`))
    expect(proxy.statements() - before).toBe(isGeneral ? 40 : 3)
  })

  test("get their own record, also if several ask for the same one, for one that is missing, or for a malformed id", async () => {
    const [first = "", second = ""] = postIds
    const missing = first.replace(/.{12}$/, "000000000000")

    const answers = await together([first, second, missing, first, "7", second.toUpperCase()].map(postPath))

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 404, 200, 404, 200])
    expect(answers.map(({ body }) => body.id)).toEqual([first, second, undefined, first, undefined, second])
  })

  test("see only what their own session may read", async () => {
    const [open = "", notAda = "", notBob = ""] = await createAll("notes", 3, (index) => ({
      title: "Note",
      owner: ["all", "not ada", "not bob"][index],
      secret: "hidden",
    }))
    const asked = [ada, bob, eve, null].flatMap((session) => [open, notAda, notBob].map((id) => ({ id, session })))

    const answers = await together(asked.map(({ id, session }) => ({ path: `/notes/${id}`, session })))

    expect(answers.map(({ status }) => status)).toEqual([200, 404, 200, 200, 200, 404, 200, 200, 200, 401, 401, 401])
    expect(answers.map(({ body }) => body.secret)).toEqual(["hidden", undefined, "hidden", ...Array(9).fill(undefined)])
  })

  test("succeed although the SQL of a virtual field fails on one of the records", async () => {
    const ids = await createAll("sums", 3, (index) => ({ total: index + 1 }))
    await proxy.database.query('update "sums" set "total" = "total" - 1')

    const answers = await together(ids.map((id) => ({ path: `/sums/${id}` })))

    expect(answers.map(({ status, body }) => (status === 200 ? body.share : status))).toEqual([500, 100, 50])
  })

  test("get records that are too long to be read together", async () => {
    const ids = await createAll("posts", 8, (index) => ({ title: `Long ${index}`, body: "x".repeat(60_000) }))

    for (const round of [1, 2]) {
      const answers = await together(ids.map(postPath))
      expect(
        answers.map(({ body }) => body.title),
        `round ${round}`,
      ).toEqual(ids.map((_, index) => `Long ${index}`))
    }
  })

  test("do not find a record that has been deleted", async () => {
    const [id = "", kept = ""] = await createAll("posts", 2, (index) => ({ title: `Deleted ${index}` }))
    await app.client().collections["posts"].deleteById({ id })

    const answers = await together([id, kept, id].map(postPath))

    expect(answers.map(({ status }) => status)).toEqual([404, 200, 404])
  })

  test("get the same as alone, whatever they ask for and whoever asks", async () => {
    const { seed, below } = seededRandom()
    const pick = <Item>(items: readonly [Item, ...Item[]]): Item => items[below(items.length)] ?? items[0]
    const noteIds = await createAll("notes", 6, () => ({ title: "Note", owner: pick(["not ada", "not bob"]) }))
    const paths = [...postIds.slice(0, 6).map((id) => `/posts/${id}`), ...noteIds.map((id) => `/notes/${id}`)]
    const asked = Array.from({ length: 200 }, () => ({
      path: `${paths[below(paths.length)]}${pick(["", "", "?columns[title]=true", "?with[next]=true", "?locale=sk", "?where[title]=Note"])}`,
      session: pick([ada, bob, eve, null]),
    }))

    const answers = await together(asked)

    for (const [index, request] of asked.entries()) {
      const [alone] = await together([request])
      expect(withoutRequestId(answers[index]), `seed ${seed}: ${request.path}`).toEqual(withoutRequestId(alone))
    }
  })
})

function together(requests: readonly { path: string; session?: Session | null }[]) {
  return sendTogether(
    app.url,
    requests.map(({ path, session }) => ({
      path: `${new URL(app.url).pathname.replace(/\/$/, "")}${path}`,
      headers: session ? { cookie: sessions.sign(session) } : {},
    })),
  )
}

async function createAll(
  name: string,
  count: number,
  dataOf: (index: number) => Record<string, unknown>,
): Promise<string[]> {
  const created: string[] = []
  for (let index = 0; index < count; index++) {
    const record = await app.app.system.collections[name]?.create(dataOf(index))
    created.push(String(record?.["id"]))
  }
  return created
}

function postPath(id: string): { path: string } {
  return { path: `/posts/${id}` }
}

function withoutRequestId(answer: { status: number; body: any } | undefined) {
  return { ...answer, body: { ...answer?.body, error: { ...answer?.body.error, requestId: undefined } } }
}
