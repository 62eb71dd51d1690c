// @module-tag not-about-shortcuts
// @module-tag not-about-connections

import { collection, type Session } from "kit"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { type SeededRandom, seededRandom } from "../support/seeded-random.ts"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"

// The same searches by the stored index alone, and by the text as the caller sees it. Both must find the same records with
// the same scores.

const WORDS = "cat cats running runner negotiation negotiate the and of well-known river rivers bank red café".split(
  " ",
)

const isEva = ({ session }: { session: Session | null }) => session?.user.id === "eva"
const rows = (context: { session: Session | null }) => isEva(context) || { kind: { ne: "secret" } }

const fields = ({ f }: any) => ({
  title: f.text().localized(),
  body: f.textarea(),
  extra: f.text(),
  kind: f.select(["open", "closed", "secret"]),
})

// Two collections with the same records. A rule that always allows makes the second one mask its field in SQL.
const open = collection("open")
  .fields(fields)
  .title("title")
  .searchable({ fields: ["body", "extra"], facets: ["kind"] })
  .access({ read: rows })
const masked = collection("masked")
  .fields((parts: any) => ({
    ...fields(parts),
    extra: parts.f.text().access({ read: (context: any) => isEva(context) || { kind: { eq: "open" } } }),
  }))
  .title("title")
  .searchable({ fields: ["body", "extra"], facets: ["kind"] })
  .access({ read: rows })

const eva: Session = { user: { id: "eva" } }
const bob: Session = { user: { id: "bob" } }
const config = { locales: { default: "en", all: ["en", "de"] }, search: { typos: false } }

let fast: TestApp
let general: TestApp

beforeAll(async () => {
  fast = await inPath("0", () => testApp({ resources: [open, masked], config }))
  general = await inPath("1", () => testApp({ resources: [open, masked], config }))
  const random = seededRandom()
  for (let index = 0; index < 60; index++) {
    const record = randomRecord(random)
    // A record of `masked` as bob sees it: what is masked there is missing here.
    for (const app of [fast, general]) {
      await app.app.system.collections["masked"]?.create({ ...record, id: undefined } as never)
      await app.app.system.collections["open"]?.create({
        ...record,
        extra: record.kind === "open" ? record.extra : null,
      })
    }
  }
})

afterAll(async () => {
  await fast[Symbol.asyncDispose]()
  await general[Symbol.asyncDispose]()
})

async function inPath<Result>(path: "0" | "1", start: () => Promise<Result>): Promise<Result> {
  const before = process.env["KIT_GENERAL_PATH"]
  process.env["KIT_GENERAL_PATH"] = path
  try {
    return await start()
  } finally {
    if (before === undefined) delete process.env["KIT_GENERAL_PATH"]
    else process.env["KIT_GENERAL_PATH"] = before
  }
}

function randomText(random: SeededRandom, most: number): string {
  return Array.from({ length: random.below(most) }, () => WORDS[random.below(WORDS.length)]).join(" ")
}

function randomRecord(random: SeededRandom) {
  return {
    title: randomText(random, 5),
    body: randomText(random, 12),
    extra: randomText(random, 4),
    kind: (["open", "closed", "secret"] as const)[random.below(3)] ?? "open",
  }
}

function randomQuery(random: SeededRandom): string {
  const terms = Array.from({ length: 1 + random.below(4) }, () => {
    const word = WORDS[random.below(WORDS.length)] ?? ""
    const form = random.below(8)
    if (form === 0) return `-${word}`
    if (form === 1) return `"${word} ${WORDS[random.below(WORDS.length)]}"`
    if (form === 2) return `${word} OR ${random.below(4) === 0 ? "-" : ""}${WORDS[random.below(WORDS.length)]}`
    return form === 3 ? word.slice(0, 1 + random.below(word.length)) : word
  })
  return terms.join(" ") + (random.below(2) === 0 ? " " : "")
}

interface Request {
  readonly app: TestApp
  readonly name: string
  readonly session: Session
  readonly query: string
}

/** Returns everything that a search says, with the texts of the records in place of their ids. */
async function answer({ app, name, session, query }: Request) {
  const options = { query, collections: [name], facets: [{ field: "kind" }], limit: 100, locale: "en" }
  const { docs, total, facets } = await app.client(session).search.search(options)
  const found = docs.map(({ title, body, _search: { score } }: any) => `${score.toPrecision(6)} ${title} | ${body}`)
  return { found: found.sort(), total, facets }
}

async function filtered({ app, name, session, query }: Request) {
  const { docs, totalDocs } = await app.client(session).collections[name].find({ search: query, limit: 100 })
  return { found: docs.map(({ title, body }: any) => `${title} | ${body}`).sort(), totalDocs }
}

describe.each([[seededRandom()]])("random queries (seed $seed)", (random) => {
  const queries = Array.from({ length: 40 }, () => randomQuery(random))

  test("have the same result by the index and by the visible text", async () => {
    await expectEqual(queries, { app: general, name: "open" }, { app: fast, name: "open" })
  })

  test("find in masked fields only what the caller may read, as if the rest did not exist", async () => {
    await expectEqual(queries, { app: fast, name: "masked" }, { app: fast, name: "open" })
  })
})

type Place = Pick<Request, "app" | "name">

async function expectEqual(queries: readonly string[], one: Place, other: Place): Promise<void> {
  for (const query of queries) {
    const asked = { session: bob, query }
    const [found, expected] = await Promise.all([one, other].map((place) => answer({ ...asked, ...place })))
    const [kept, expectedKept] = await Promise.all([one, other].map((place) => filtered({ ...asked, ...place })))
    expect({ query, found, kept }).toEqual({ query, found: expected, kept: expectedKept })
  }
}

test("a caller who may read everything finds what is masked for others", async () => {
  const [{ totalDocs: all }, { totalDocs: some }] = await Promise.all(
    [eva, bob].map((session) => fast.client(session).collections["masked"].find({ search: "c" })),
  )
  expect(all).toBeGreaterThan(some)
})
