// @module-tag not-about-engine

// Every text of "as code" is run: the TypeScript with a client, the command by a shell with curl.
import { execFile } from "node:child_process"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { collection, global } from "kit"
import { type CollectionSchema, createClient } from "kit/client"
import { afterAll, beforeAll, expect, test } from "vitest"
import { clientCode } from "../../packages/console/src/as-code/client-code.ts"
import type { CodeCall, CodeExample } from "../../packages/console/src/as-code/code-call.ts"
import { requestOf } from "../../packages/console/src/as-code/code-request.ts"
import { curlCommand, signInCommand } from "../../packages/console/src/as-code/curl.ts"
import { FormStore } from "../../packages/console/src/form/form-store.ts"
import { columnOf, coverOf, possibleColumns } from "../../packages/console/src/screens/list/columns.ts"
import { comparisonsOf, type Operand } from "../../packages/console/src/screens/list/filter/comparisons.ts"
import { resolveCondition } from "../../packages/console/src/screens/list/filter/resolve-condition.ts"
import { groupingOf, groupingsOf } from "../../packages/console/src/screens/list/groups/grouping.ts"
import { listExamples } from "../../packages/console/src/screens/list/list-code.ts"
import { filterOf, orderOf, schemaInStage, selectionOf } from "../../packages/console/src/screens/list/list-options.ts"
import {
  type Condition,
  type ListState,
  listQuery,
  PLAIN_LIST,
  parseListState,
} from "../../packages/console/src/screens/list/list-state.ts"
import { peopleExamples } from "../../packages/console/src/screens/people/people-code.ts"
import { recordExamples } from "../../packages/console/src/screens/record/record-code.ts"
import { count } from "../support/count.ts"
import { newSeededRandom, type SeededRandom } from "../support/seeded-random.ts"
import { type IdentityApp, identityApp, PASSWORD } from "../support/worlds/identity-app.ts"

const run = promisify(execFile)
const EMAIL = "eva@example.com"
const HOSTILE = [
  "it's",
  'say "no"',
  "back\\slash",
  "$HOME `id` $(id)",
  "two\nlines",
  "\u2028\u202e",
  "a & b = c % d",
  "語",
]
const SHADES = ["light", "dark", "it's"]

const teams = collection("teams")
  .fields(({ f }) => ({ name: f.text(80).required(), place: f.select(["north", "south"]) }))
  .title("name")
  .access({ read: true, create: true })

const parcels = collection("parcels")
  .fields(({ f }) => ({
    title: f.text(200).required().localized(),
    about: f.textarea(),
    mail: f.email(),
    site: f.url(),
    whole: f.number().integer(),
    ratio: f.number(),
    big: f.number().bigint(),
    price: f.number().decimal(12, 2),
    isOpen: f.boolean(),
    day: f.date(),
    at: f.time(),
    moment: f.datetime(),
    shade: f.select(SHADES),
    marks: f.select(["a", "b", "c"]).multiple(),
    words: f.array(f.text()),
    settings: f.json<unknown>(),
    team: f.relation("teams"),
    helpers: f.relation("teams").manyToMany(),
    parent: f.relation("parcels").onDelete("setNull"),
    parts: f.relation("parcels").hasMany({ via: "parent" }),
  }))
  .title("title")
  .list({
    views: [
      { label: "Dear", where: { price: { gte: "10" } }, orderBy: { price: "desc" }, columns: ["title", "price"] },
    ],
  })
  .options({ softDelete: true, revision: true, workflow: true })
  .access({ read: true, drafts: true, create: true, update: true, delete: true, restore: true })

const site = global("site")
  .fields(({ f }) => ({ name: f.text().localized(), isOpen: f.boolean(), seen: f.datetime() }))
  .access({ read: true, update: true })

let app: IdentityApp
let folder: string
let client: ReturnType<typeof newClient>
let ids: readonly string[]
let teamIds: readonly string[]
const schemas = new Map<string, CollectionSchema>()
const api = () => ({ baseURL: app.origin, basePath: new URL(app.url).pathname })

beforeAll(async () => {
  app = await identityApp({
    resources: [teams, parcels, site],
    config: { locales: { default: "en", all: ["en", "sk"] } },
  })
  folder = await mkdtemp(join(tmpdir(), "as-code-"))
  const { token } = await app.signIn({ email: EMAIL, role: "admin" })
  client = newClient(token)
  teamIds = await fillTeams()
  ids = await fillParcels()
  for (const name of ["teams", "parcels"]) schemas.set(name, await handle(name).schema())
  // The command that signs in is one of the texts, too.
  await inShell(signInCommand(api(), EMAIL).replace("…", PASSWORD))
})

afterAll(async () => {
  await app[Symbol.asyncDispose]()
  await rm(folder, { recursive: true })
})

function newClient(token: string) {
  return createClient({ ...api(), headers: { authorization: `Bearer ${token}` } })
}

function handle(name: string) {
  const found = client.collections[name]
  if (found === undefined) throw new Error(`There is no handle for ${name}.`)
  return found
}

async function inShell(command: string): Promise<any> {
  const { stdout } = await run("/bin/sh", ["-c", command], { cwd: folder, maxBuffer: 1e8 })
  return JSON.parse(stdout)
}

const AsyncFunction = (async () => {}).constructor as new (...code: string[]) => (client: object) => Promise<unknown>

function inProgram(code: string): Promise<unknown> {
  return new AsyncFunction("client", `return ${code}`)(client)
}

/** Returns the answer of plain JSON to the same request. */
async function plainAnswer(call: CodeCall): Promise<any> {
  const { method, url, body } = await requestOf(call, api())
  const cookie = { cookie: await sessionCookie() }
  const headers = body === null ? cookie : { ...cookie, "content-type": "application/json" }
  return await (await fetch(url, { method, headers, body })).json()
}

async function sessionCookie(): Promise<string> {
  const { stdout } = await run("cat", ["cookies.txt"], { cwd: folder })
  const [, cookie = ""] = /\t([\w.-]+\t\S+)\s*$/.exec(stdout) ?? []
  return cookie.replace("\t", "=")
}

async function fillTeams(): Promise<readonly string[]> {
  const names = [...HOSTILE.slice(0, 3), "Science"]
  const made = names.map((name, at) => handle("teams").create({ name, place: at % 2 === 0 ? "north" : "south" }))
  return (await Promise.all(made)).map(({ id }) => String(id))
}

async function fillParcels(): Promise<readonly string[]> {
  const random = newSeededRandom(7)
  const stored: string[] = []
  for (let at = 0; at < 24; at += 1) {
    const { id } = await handle("parcels").create(parcel(random, stored))
    stored.push(String(id))
  }
  await handle("parcels").deleteById({ id: stored[0] ?? "" })
  for (const id of stored.slice(3, 6)) await handle("parcels").transitionStage({ id, stage: "published" })
  return stored
}

function parcel(random: SeededRandom, stored: readonly string[]): Record<string, unknown> {
  const maybe = (value: unknown) => (random.below(4) === 0 ? null : value)
  return {
    title: `${pick(random, HOSTILE)} ${random.below(9)}`,
    about: maybe(pick(random, HOSTILE)),
    whole: maybe(random.below(5)),
    ratio: maybe(random.below(4) / 4),
    big: maybe(9_007_199_254_740_993n + BigInt(random.below(3))),
    price: maybe(`${random.below(30)}.50`),
    isOpen: maybe(random.below(2) === 0),
    day: maybe(`2026-11-0${1 + random.below(9)}`),
    at: maybe(`1${random.below(9)}:30`),
    moment: maybe(new Date(Date.UTC(2026, 10, 1 + random.below(9), 12))),
    shade: maybe(pick(random, SHADES)),
    marks: maybe(["a", "b", "c"].slice(random.below(3))),
    words: maybe([pick(random, HOSTILE)]),
    settings: maybe({ [pick(random, HOSTILE)]: random.below(9) }),
    team: maybe(pick(random, teamIds)),
    helpers: { connect: [{ id: pick(random, teamIds) }] },
    parent: stored.length > 0 ? maybe(pick(random, stored)) : null,
  }
}

function pick<Value>(random: SeededRandom, values: readonly Value[]): Value {
  const value = values[random.below(values.length)]
  if (value === undefined) throw new Error("There is nothing to pick from.")
  return value
}

/** Returns a condition as a person may make it: any field, perhaps through a relation, and any way to compare it. */
function condition(random: SeededRandom, schema: CollectionSchema, path: readonly string[] = []): Condition[] {
  const field = pick(random, Object.values(schema.fields))
  const relation = schema.relations[field.name]
  const target = relation?.targetCollection ? schemas.get(relation.targetCollection) : undefined
  if (target && path.length < 2 && random.below(2) === 0) return condition(random, target, [...path, field.name])
  const comparisons = comparisonsOf(field, relation)
  if (comparisons.length === 0) return []
  const { name, operand } = pick(random, comparisons)
  const related = relation?.targetCollection === "teams" ? teamIds : ids
  const options = field.options?.map(({ value }) => value) ?? []
  const number = field.numberType === "bigint" || field.numberType === "decimal" ? "3" : random.below(5)
  const text = operandText(random, field.type)
  const operands: Readonly<Record<Operand, unknown>> = {
    none: null,
    text,
    item: pick(random, HOSTILE),
    number,
    numbers: [number, number],
    date: `2026-11-0${1 + random.below(9)}`,
    dates: ["2026-11-02", "2026-11-07"],
    days: 1 + random.below(30),
    options: [...new Set([pick(random, [...options, "x"]), pick(random, [...options, "x"])])].filter((value) =>
      options.includes(value),
    ),
    records: [pick(random, related), pick(random, related)],
  }
  return [{ path: [...path, field.name], operator: name, operand: operands[operand] }]
}

function operandText(random: SeededRandom, type: string): string {
  if (type === "id") return pick(random, ids)
  if (type === "time") return "12:30"
  if (type === "email") return "eva@example.com"
  if (type === "url") return "https://example.com/it's"
  return pick(random, HOSTILE)
}

function listState(random: SeededRandom, schema: CollectionSchema): ListState {
  const conditions = Array.from({ length: random.below(4) }, () => condition(random, schema)).flat()
  const orders = Object.values(schema.fields).flatMap(({ name, sortable }) => {
    const path = sortable ? columnOf(schema, name)?.orderPath : null
    return path ? [path, `-${path}`] : []
  })
  return {
    ...PLAIN_LIST,
    conditions,
    view: random.below(4) === 0 ? 0 : null,
    order: random.below(2) === 0 ? pick(random, orders) : null,
    search: random.below(3) === 0 ? pick(random, HOSTILE) : "",
    isTrash: random.below(6) === 0,
    stage: random.below(4) === 0 ? "published" : null,
    locale: random.below(3) === 0 ? "sk" : null,
    group: random.below(3) === 0 ? pick(random, groupingsOf(schema)).field.name : null,
  }
}

/** Returns the calls that the list has at an address. */
function examplesAt(whole: CollectionSchema, query: string, names: readonly string[]): readonly CodeExample[] {
  const state = parseListState(query)
  const schema = schemaInStage(whole, state)
  const columns = names.flatMap((name) => columnOf(schema, name) ?? [])
  const resolved = state.conditions.flatMap((each) => {
    return resolveCondition(schema, each, (name) => schemas.get(name) ?? null) ?? []
  })
  const filter = filterOf(schema, state, resolved)
  const orderBy = orderOf(schema, state)
  const options = { ...filter, ...selectionOf(schema, columns, coverOf(schema)), ...(orderBy && { orderBy }) }
  const grouping = groupingOf(schema, state.group)
  return listExamples({ collection: schema.name, filter, options, locale: state.locale ?? "en", grouping })
}

/** Returns the answer to a call of a list, without its text. */
function askedDirectly({ path: [, collectionName = "", operation], args: [asked] }: CodeCall): Promise<unknown> {
  const { find, count: counted, aggregate } = handle(collectionName)
  switch (operation) {
    case "find":
      return find(Object(asked))
    case "count":
      return counted(Object(asked))
    case "aggregate":
      return aggregate(Object(asked))
    default:
      throw new Error(`A list does not call ${operation}.`)
  }
}

test("every list is found alike by the client, by the shell and by the console", async () => {
  const schema = schemas.get("parcels")
  if (schema === undefined) throw new Error("The collection has no description.")
  const random = newSeededRandom(20_261_119)
  let found = 0
  for (let each = 0; each < count({ short: 60, long: 600 }); each += 1) {
    const names = possibleColumns(schema).filter((_, at) => at === 0 || random.below(3) === 0)
    const query = listQuery(listState(random, schema))
    for (const { call } of examplesAt(schema, query, names)) {
      const asked = await askedDirectly(call)

      expect(await inProgram(clientCode(call)), query).toEqual(asked)
      expect(await inShell(curlCommand(await requestOf(call, api()))), query).toEqual(await plainAnswer(call))
      found += Object(asked).docs?.length ?? Object(asked).groups?.length ?? 0
    }
  }
  // The lists are not all empty.
  expect(found).toBeGreaterThan(100)
})

test("a filter that is too long for an address is sent as a body", async () => {
  const schema = schemas.get("parcels")
  if (schema === undefined) throw new Error("The collection has no description.")
  const operand = Array.from({ length: 300 }, () => ids[1])
  const [example] = examplesAt(
    schema,
    listQuery({ ...PLAIN_LIST, conditions: [{ path: ["parent"], operator: "isAnyOf", operand }] }),
    [],
  )
  if (example === undefined) throw new Error("The list has no call.")
  const request = await requestOf(example.call, api())

  const answer = await inShell(curlCommand(request))

  expect(request.method).toBe("POST")
  expect(answer).toEqual(await plainAnswer(example.call))
  expect(await inProgram(clientCode(example.call))).toMatchObject({ totalDocs: answer.totalDocs })
})

const READ = { locale: "en", localeFallback: false } as const
const EDITS: Readonly<Record<string, unknown>> = {
  title: HOSTILE.join(" "),
  about: `${HOSTILE.join("\n")}\n`,
  big: 9_007_199_254_740_995n,
  price: "7.25",
  day: "2026-12-24",
  moment: new Date("2026-12-24T18:00:00.000Z"),
  marks: ["b"],
  words: HOSTILE,
  settings: { "it's": [null, { "\u2028": HOSTILE }] },
  team: null,
}

/** A form of a record with unsaved edits. */
function editedForm(baseline: Readonly<Record<string, unknown>>, edits: Readonly<Record<string, unknown>>) {
  const store = new FormStore(baseline)
  for (const [field, value] of Object.entries(edits)) store.write([field], value)
  return { store }
}

test("a record is read, and its edits are stored, as the code of its screen says", async () => {
  const [, first = "", second = ""] = ids
  const stored = async (id: string) => Object(await handle("parcels").findOne({ where: { id }, ...READ }))
  const examplesOf = async (id: string) =>
    recordExamples({
      place: { kind: "collection", name: "parcels", id },
      form: editedForm(await stored(id), EDITS),
      readOptions: READ,
    })
  const [read, byProgram] = await examplesOf(first)
  const [, byShell] = await examplesOf(second)
  if (!read || !byProgram || !byShell) throw new Error("The record has not both calls.")

  expect(await inProgram(clientCode(read.call))).toEqual(await stored(first))
  expect(await inShell(curlCommand(await requestOf(read.call, api())))).toEqual(await plainAnswer(read.call))
  await inProgram(clientCode(byProgram.call))
  await inShell(curlCommand(await requestOf(byShell.call, api())))

  expect(await stored(first)).toMatchObject(EDITS)
  expect(await stored(second)).toMatchObject(EDITS)
})

test("a new record is created as the code of its screen says", async () => {
  const form = editedForm({}, EDITS)
  const place = { kind: "collection", name: "parcels", id: null } as const
  const [example] = recordExamples({ place, form, readOptions: READ })
  if (example === undefined) throw new Error("There is no call.")

  const made = Object(await inProgram(clientCode(example.call)))
  const other = await inShell(curlCommand(await requestOf(example.call, api())))

  for (const id of [made.id, other.id]) {
    expect(await handle("parcels").findOne({ where: { id }, ...READ })).toMatchObject(EDITS)
  }
})

test("a global is read and stored as the code of its screen says", async () => {
  const edits = { name: HOSTILE.join(" "), isOpen: true, seen: new Date("2026-12-24T18:00:00.000Z") }
  const place = { kind: "global", name: "site" } as const
  const [read, update] = recordExamples({ place, form: editedForm({}, edits), readOptions: READ })
  if (!read || !update) throw new Error("The global has not both calls.")

  await inProgram(clientCode(update.call))
  expect(await inProgram(clientCode(read.call))).toMatchObject(edits)
  await inShell(curlCommand(await requestOf(update.call, api())))
  expect(await inShell(curlCommand(await requestOf(read.call, api())))).toEqual(await plainAnswer(read.call))
})

test("the session and the accounts are read as the code of their screens says", async () => {
  const session: CodeCall = { path: ["auth", "session"], args: [] }
  const calls = [
    session,
    ...["", "eva", ...HOSTILE].flatMap((search) => peopleExamples(search).map(({ call }) => call)),
  ]

  for (const call of calls) {
    const answer = await inShell(curlCommand(await requestOf(call, api())))
    const found = await inProgram(clientCode(call))
    expect(answer).toEqual(await plainAnswer(call))
    if (call === session) expect(found).toMatchObject({ user: { email: EMAIL } })
    else expect(found).toMatchObject({ total: answer.total })
  }
})
