import { collection, type Session } from "kit"
import { embedderOf } from "kit/embedders"
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"
import { conceptEmbedder } from "./concept-embedder.ts"

const posts = collection("posts")
  .fields(({ f }) => ({
    title: f.text().required(),
    body: f.textarea(),
    notes: f.text().hidden(),
    memo: f.text().access({ read: ({ session }) => session?.user.id === "eva" }),
    section: f.select(["news", "sport"]),
    isOpen: f.boolean().default(true),
  }))
  .title("title")
  .searchable({ fields: ["body", "notes", "memo"], facets: ["section"] })
  .access({ read: ({ session }) => (session ? true : { isOpen: true }), create: true, update: true, delete: true })

const eva: Session = { user: { id: "eva" } }
const embedder = conceptEmbedder()
let app: TestApp

beforeAll(async () => {
  app = await testApp({ resources: [posts], config: { search: { embedder } } })
  await app.app.startWorker()
  for (const data of [
    { title: "A car on fire", section: "news" },
    { title: "The vehicle stopped", body: "An automobile and its driver", section: "news" },
    { title: "Puppy runs away", section: "sport" },
    { title: "Quiet day" },
    { title: "Budget" },
    { title: "Secret automobile", isOpen: false, section: "sport" },
  ]) {
    await create(data)
  }
  await app.database.query("update posts set notes = 'hound' where title = 'Quiet day'")
  await app.database.query("update posts set memo = 'automobile' where title = 'Budget'")
  await embeddedAll()
})

afterAll(() => app[Symbol.asyncDispose]())

describe("a search by meaning", () => {
  test("finds records by words that they do not contain, the most similar first", async () => {
    const found = await search({ query: "automobile", mode: "semantic" })

    expect(titles(found)).toEqual(["The vehicle stopped", "A car on fire"])
    expect(found.total).toBe(2)
    expect(scores(found)).toEqual([...scores(found)].sort((a, b) => b - a))
    expect(found.docs[0]).toMatchObject({
      _collection: "posts",
      _search: { indexedTitle: "The vehicle stopped", highlights: {} },
    })
  })

  test("finds hidden fields that are searchable, and no fields that have a rule of their own", async () => {
    expect(titles(await search({ query: "dog", mode: "semantic" }))).toEqual(["Quiet day", "Puppy runs away"])
    expect(titles(await search({ query: "car", mode: "semantic" }, eva))).not.toContain("Budget")
  })

  test("finds only what the caller may read", async () => {
    expect(titles(await search({ query: "car", mode: "semantic" }, eva))).toContain("Secret automobile")
    expect(titles(await search({ query: "car", mode: "semantic" }))).not.toContain("Secret automobile")
  })

  test("counts facets, filters and pages as any other search", async () => {
    const body = { query: "car", mode: "semantic", facets: [{ field: "section" }] }

    const all = await search(body, eva)
    const page = await search({ ...body, limit: 1, offset: 1 }, eva)
    const filtered = await search({ ...body, where: { posts: { section: "sport" } } }, eva)

    expect(all.facets).toEqual({
      section: [
        { value: "news", count: 2 },
        { value: "sport", count: 1 },
      ],
    })
    expect([page.total, titles(page)]).toEqual([3, titles(all).slice(1, 2)])
    expect([filtered.total, titles(filtered)]).toEqual([1, ["Secret automobile"]])
  })

  test("marks the words of the query where they occur", async () => {
    const { docs } = await search({ query: "automobile", mode: "semantic", highlights: true })

    expect(docs[0]._search.highlights).toEqual({ body: ["An <mark>automobile</mark> and its driver"] })
    expect(docs[1]._search.highlights).toEqual({})
  })

  test("leaves out records with a word that the query excludes, and does not look for it", async () => {
    expect(titles(await search({ query: "automobile -fire", mode: "semantic" }))).toEqual(["The vehicle stopped"])
    expect(titles(await search({ query: "-fire", mode: "semantic" }))).toEqual([])
  })

  test("finds all records, the newest first, if the query is empty", async () => {
    expect(titles(await search({ query: " ", mode: "semantic" }))).toEqual([
      "Budget",
      "Quiet day",
      "Puppy runs away",
      "The vehicle stopped",
      "A car on fire",
    ])
  })

  test("embeds a query only once", async () => {
    const query = "a vehicle with a puppy"

    await Promise.all([search({ query, mode: "semantic" }), search({ query, mode: "semantic" })])
    await search({ query, mode: "hybrid" })

    expect(embedder.embedded.filter((text) => text === query)).toHaveLength(1)
  })

  test.each(["\u{1F389}", '"', "' or 1=1", "-", "OR", "\\", "x".repeat(500)])(
    "survives the query %j",
    async (query) => {
      for (const mode of ["semantic", "hybrid"]) {
        expect((await app.fetch("/search", { method: "POST", body: JSON.stringify({ query, mode }) })).status).toBe(200)
      }
    },
  )
})

describe("a hybrid search", () => {
  test("finds what either search finds, what both find first", async () => {
    const found = await search({ query: "automobile", mode: "hybrid" })

    expect(titles(found)).toEqual(["The vehicle stopped", "A car on fire"])
    expect(found.total).toBe(2)
    expect(scores(found)).toEqual([1 / 61 + 1 / 61, 1 / 62])
  })

  test("leaves out records with a word that the query excludes", async () => {
    expect(titles(await search({ query: "car -fire", mode: "hybrid" }))).not.toContain("A car on fire")
  })

  test("finds a new record by its words at once, before it is embedded", async () => {
    embedder.failure = new Error("The model is loading.")
    await create({ title: "Zeppelin over town" })
    embedder.failure = undefined

    expect(titles(await search({ query: "zeppelin", mode: "hybrid" }))).toContain("Zeppelin over town")
  })
})

describe("an embedder that fails", () => {
  test("makes a search by meaning unavailable, and leaves a hybrid one with words", async () => {
    embedder.failure = new Error("The key sk-secret is wrong.")
    const body = JSON.stringify({ query: "unheard fire", mode: "semantic" })

    const semantic = await app.fetch("/search", { method: "POST", body })
    const hybrid = await search({ query: "fire", mode: "hybrid" })
    embedder.failure = undefined

    expect(semantic.status).toBe(503)
    expect(semantic.body.error).toMatchObject({
      code: "SERVICE_UNAVAILABLE",
      message: 'The meaning of the query cannot be determined at the moment. Search with the mode "lexical", or later.',
    })
    expect(JSON.stringify(semantic.body)).not.toContain("sk-secret")
    expect(titles(hybrid)).toEqual(["A car on fire"])
    expect(app.logged.map(({ message }) => message)).toContain("A hybrid search has searched only words.")
  })
})

describe("an embedder that never answers", () => {
  const silent = embedderOf({ model: "silent", dimensions: 4, embed: () => new Promise(() => undefined) })

  test("holds up neither searches nor the end of the app", async () => {
    const timeout = AbortSignal.timeout.bind(AbortSignal)
    const timeouts = vi.spyOn(AbortSignal, "timeout").mockImplementation(() => timeout(50))
    const other = await testApp({ resources: [posts], config: { search: { embedder: silent } } })
    await other.app.startWorker()
    await other.client().collections["posts"].create({ title: "Fire" })
    const find = (mode: string) =>
      other.fetch("/search", { method: "POST", body: JSON.stringify({ query: "fire", mode }) })
    const answers = [await find("semantic"), await find("hybrid")]
    timeouts.mockRestore()
    await other[Symbol.asyncDispose]()

    expect(answers).toMatchObject([{ status: 503 }, { status: 200, body: { total: 1 } }])
  })
})

test("a hybrid search for many words, none of which is found, is answered", async () => {
  const query = "five words that nothing has at all"

  expect((await search({ query, mode: "hybrid" })).total).toBe(0)
})

describe("the vectors of an app", () => {
  test("follow a change of the text, which is embedded once for each record", async () => {
    const { id } = await create({ title: "Ballot" })
    await create({ title: "Ballot" })
    await embeddedAll()
    expect((await search({ query: "vote", mode: "semantic" })).total).toBe(2)

    await app.client(eva).collections["posts"].update({ id, data: { title: "Weather" } })
    await embeddedAll()

    expect((await search({ query: "vote", mode: "semantic" })).total).toBe(1)
    expect(embedder.embedded.filter((text) => text === "Ballot")).toHaveLength(2)
  })
})

function create(data: object) {
  return app.client(eva).collections["posts"].create(data)
}

async function search(body: object, session?: Session): Promise<any> {
  const answer = await app.fetch("/search", { method: "POST", body: JSON.stringify(body), ...(session && { session }) })
  expect(answer.body).not.toHaveProperty("error")
  return answer.body
}

function titles({ docs }: { docs: { title: string }[] }): string[] {
  return docs.map(({ title }) => title)
}

function scores({ docs }: { docs: { _search: { score: number } }[] }): number[] {
  return docs.map(({ _search }) => _search.score)
}

/** Waits until no record is left to embed. */
async function embeddedAll(): Promise<void> {
  const isDone = async () => expect(await app.database.query("select id from _kit_search_queue")).toEqual([])
  await vi.waitFor(isDone, { timeout: 60_000 })
}
