// @module-tag not-about-shortcuts
// @module-tag not-about-connections

import fc from "fast-check"
import { collection, type Session } from "kit"
import { afterAll, beforeAll, expect, test } from "vitest"
import { count } from "../support/count.ts"
import { sampleBlocks, sampleValues } from "../support/oracles/sample-values.ts"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"

const everyone = { read: true, create: true, update: true, delete: true } as const
const editor: Session = { user: { id: "ann", role: "editor" } }

const owners = collection("owners")
  .fields(({ f }) => ({ name: f.text() }))
  .access(everyone)

const samples = collection("samples")
  .fields(({ f }) => ({
    text: f.textarea(),
    double: f.number(),
    integer: f.number().integer(),
    big: f.number().bigint(),
    decimal: f.number().decimal(30, 10),
    flag: f.boolean(),
    moment: f.datetime(),
    choice: f.select(["a", "ä", "it's"]),
    choices: f.select(["a", "ä", "it's"]).multiple(),
    day: f.date(),
    hour: f.time(),
    numbers: f.array(f.number().integer()),
    data: f.json(),
    owner: f.relation("owners"),
    secret: f.text().hidden().default("s"),
    letters: f.virtual(f.number().integer(), 'length("text")'),
  }))
  .access(everyone)

// Values with parts, which kit itself writes as JSON.
const built = collection("built")
  .fields(({ f }) => ({
    text: f.textarea(),
    place: f.object({ at: f.datetime(), size: f.number().bigint() }),
    body: f.blocks(sampleBlocks(f)),
    own: f.blocks(sampleBlocks(f)).localized(),
  }))
  .options({ versions: true })
  .access(everyone)

// Localized fields, stages, versions, a revision, soft-deleted records, and rules that are functions.
const pages = collection("pages")
  .fields(({ f }) => ({
    title: f.text().required().localized(),
    at: f.datetime().localized(),
    size: f.number().bigint(),
    data: f.json().localized(),
    note: f.text().access({ read: isEditor, update: isEditor }),
    owner: f.relation("owners"),
  }))
  .options({ workflow: true, versions: true, revision: true, softDelete: true })
  .access({ ...everyone, create: isEditor, update: isEditor, drafts: isEditor })

// The author's code, or a rule about each row, decides what the caller gets, so kit writes the JSON itself.
const authored = collection("authored")
  .fields(({ f }) => ({ text: f.text(), loud: f.computed(({ row }) => String(row["text"]).toUpperCase()) }))
  .access(everyone)
const hooked = collection("hooked")
  .fields(({ f }) => ({ text: f.text(), at: f.datetime() }))
  .access(everyone)
  .hooks({ afterRead: ({ row }) => ({ ...row, text: `<${row["text"]}>` }) })
const masked = collection("masked")
  .fields(({ f }) => ({ text: f.text(), price: f.number().access({ read: () => ({ text: { ne: "a" } }) }) }))
  .access(everyone)
const owned = collection("owned")
  .fields(({ f }) => ({ text: f.text(), by: f.text() }))
  .access({ ...everyone, update: () => ({ by: "ann" }) })

function isEditor({ session }: { session: Session | null }) {
  return session?.user.role === "editor"
}

let quick: TestApp
let general: TestApp

beforeAll(async () => {
  const given = process.env["KIT_GENERAL_PATH"]
  const options = {
    resources: [owners, samples, built, pages, authored, hooked, masked, owned],
    config: { locales: { default: "en", all: ["en", "sk"] } },
    now: () => new Date("2030-01-02T03:04:05.600Z"),
  }
  delete process.env["KIT_GENERAL_PATH"]
  quick = await testApp(options)
  process.env["KIT_GENERAL_PATH"] = "1"
  general = await testApp(options)
  if (given === undefined) delete process.env["KIT_GENERAL_PATH"]
})

afterAll(async () => {
  await quick[Symbol.asyncDispose]()
  await general[Symbol.asyncDispose]()
})

/** A create of a record and some changes of it, by the collection and the bodies of the requests. */
interface Writes {
  readonly collection: string
  readonly bodies: readonly object[]
  readonly query?: string
}

const { text, double, integer, big, decimal, flag, moment, choice, choices, day, hour, numbers } = sampleValues
// A body with this key is refused.
const isAccepted = (value: unknown) => !JSON.stringify(value, asPlain).includes("__proto__")
const [data, body] = [sampleValues.data.filter(isAccepted), sampleValues.body.filter(isAccepted)]
const sample = { text, double, integer, big, decimal, flag, moment, choice, choices, day, hour, numbers, data }
const builtFields = { text, place: sampleValues.place, body, own: body }
const page = { at: moment, size: big, note: text, data }
const title = fc.string({ minLength: 1 }).filter((value) => value.trim() !== "" && !value.includes("\0"))

const someWrites: fc.Arbitrary<Writes> = fc.oneof(
  fc
    .tuple(fc.record(sample), fc.array(fc.record(sample, { requiredKeys: [] }), { minLength: 1, maxLength: 3 }))
    .map(([first, changes]) => ({ collection: "samples", bodies: [first, ...changes] })),
  fc
    .tuple(
      fc.record(builtFields),
      fc.array(fc.record(builtFields, { requiredKeys: [] }), { minLength: 1, maxLength: 3 }),
    )
    .map(([first, changes]) => ({ collection: "built", bodies: [first, ...changes], query: "?locale=sk" })),
  fc
    .tuple(
      fc.record({ ...page, title }),
      fc.array(fc.record(page, { requiredKeys: [] }), { minLength: 1, maxLength: 3 }),
      fc.constantFrom("", "?locale=sk", "?localeFallback=false&locale=sk", "?stage=draft"),
    )
    .map(([first, changes, query]) => ({ collection: "pages", bodies: [first, ...changes], query })),
)

test("what Postgres writes after a write reads back as what we write, for generated records", async () => {
  await fc.assert(
    fc.asyncProperty(someWrites, fc.boolean(), async (writes, isExtended) => {
      const [answers, expected] = await Promise.all([quick, general].map((app) => run(app, writes, isExtended)))

      expect(answers).toEqual(expected)
      expect(answers?.map(({ status }) => status)).toEqual([201, ...writes.bodies.slice(1).map(() => 200)])
    }),
    { numRuns: count({ short: 25, long: 300 }) },
  )
})

test.each<Writes>([
  { collection: "authored", bodies: [{ text: "a" }, { text: "b" }] },
  { collection: "hooked", bodies: [{ text: "a", at: "2026-01-01" }, { at: null }] },
  { collection: "masked", bodies: [{ text: "a", price: 1 }, { text: "b" }, { text: "a" }] },
  { collection: "owned", bodies: [{ text: "a", by: "ann" }, { text: "b" }, { by: "bob" }] },
  { collection: "pages", bodies: [{ title: "a", note: "n" }], query: "?dryRun=true" },
])("a write that Postgres cannot answer alone is answered as on the general path: $collection", async (writes) => {
  for (const isExtended of [false, true]) {
    expect(await run(quick, writes, isExtended)).toEqual(await run(general, writes, isExtended))
  }
})

test("Postgres writes the answer of a small write, and kit itself does on the general path", async () => {
  const answer = async (app: TestApp) => {
    const init = { method: "POST", headers: { "content-type": "application/json" }, body: '{"data":{"a":1}}' }
    return (await fetch(`${app.url}/samples`, init)).text()
  }

  // PostgreSQL puts a space after the colon inside of JSON values, and JSON.stringify does not.
  expect(await answer(quick)).toContain('"data":{"a": 1}')
  expect(await answer(general)).toContain('"data":{"a":1}')
})

async function run(app: TestApp, { collection: name, bodies, query = "" }: Writes, isExtended: boolean) {
  const owner = (await app.fetch("/owners", { method: "POST", body: '{"name":"o"}' })).body.id
  const answers: { status: number; revision: string | null; body: unknown }[] = []
  let id = ""
  for (const [index, values] of bodies.entries()) {
    const target = name === "samples" || name === "pages" ? { owner: index % 2 === 0 ? owner : null } : {}
    const data = { ...values, ...target }
    const { status, headers, body } = await app.fetch(`/${name}${id && `/${id}`}${query}`, {
      method: id === "" ? "POST" : "PATCH",
      body: JSON.stringify(isExtended ? { json: data } : data, asPlain),
      headers: { "x-request-id": "some-request", ...(isExtended && { "x-extendedjson": "1" }) },
      session: editor,
    })
    const made: string = (isExtended ? body.json : body).id ?? "none"
    if (status === 201) id = made
    const comparable = JSON.stringify(body).replaceAll(owner, "the owner").replaceAll(made, "the record")
    answers.push({ status, revision: headers.get("x-revision"), body: JSON.parse(comparable) })
  }
  return answers
}

function asPlain(_key: string, value: unknown): unknown {
  return typeof value === "bigint" ? String(value) : value
}
