import { ApiError, type Collection, collection, type Global, global } from "kit"
import type { QuestpieClientError } from "kit/client"
import { afterAll, beforeAll, expect, test } from "vitest"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"

// A request that is wrong in two ways gets the error of the step that comes first. Each test sends requests with every
// two defects of an operation, to resources with and without hooks: the latter are written by shortcuts.

const DEFECTS = {
  missing: { id: "01890000-0000-7000-8000-000000000000" },
  denied: {},
  stale: { expectedRevision: 99 },
  shape: { data: { count: "many" } },
  hook: { data: { title: "refused" } },
  target: { data: { author: "01890000-0000-7000-8000-000000000000" } },
  unique: { data: { code: "taken" } },
  result: { data: { owner: "locked" } },
  after: { data: { note: "refused" } },
} as const

type Defect = keyof typeof DEFECTS

function defectOf(error: QuestpieClientError): Defect | undefined {
  const path = error.fieldErrors?.[0]?.path.split(".").at(-1)
  switch (error.status) {
    case 400:
      if (error.message.includes("beforeChange")) return "hook"
      if (error.message.includes("afterChange")) return "after"
      return path === "author" ? "target" : path === "count" ? "shape" : undefined
    case 401:
      return /in this state|such a record/.test(error.message) ? "result" : "denied"
    case 404:
      return "missing"
    default:
      return path === "code" ? "unique" : "stale"
  }
}

const writable = { owner: { ne: "locked" } }
const access = { read: true, create: () => writable, update: () => writable, delete: () => writable } as const

function refuse(when: boolean, message: string): void {
  if (when) throw new ApiError("BAD_REQUEST", { message })
}

const hooks = {
  beforeChange: ({ data }: { data: Record<string, unknown> }) => refuse(data["title"] === "refused", "beforeChange"),
  afterChange: ({ data }: { data: Record<string, unknown> }) => refuse(data["note"] === "refused", "afterChange"),
}

const authors = collection("authors")
  .fields(({ f }) => ({ name: f.text() }))
  .access({ read: () => ({ name: { ne: "hidden" } }) })

function booksNamed(name: string): Collection {
  return collection(name)
    .fields(({ f }) => ({
      title: f.text(),
      note: f.text(),
      count: f.number(),
      owner: f.text(),
      code: f.text().unique(),
      author: f.relation("authors"),
    }))
    .options({ revision: true, softDelete: true, workflow: true })
    .access({ ...access, drafts: true, purge: () => writable })
}

const books = booksNamed("books")
const hookedBooks = booksNamed("hookedBooks").hooks(hooks)
// Without a rule that depends on the row, a write without an expected revision is one statement.
const openBooks = booksNamed("openBooks").access({ ...access, create: true, update: true, delete: true })

function settingsNamed(name: string): Global {
  return global(name)
    .fields(({ f }) => ({
      title: f.text(),
      note: f.text(),
      count: f.number(),
      owner: f.text(),
      author: f.relation("authors"),
    }))
    .options({ revision: true })
    .access({ read: true, update: () => writable })
}

const settings = settingsNamed("settings")
const hookedSettings = settingsNamed("hookedSettings").hooks(hooks)

interface WriteRequest {
  readonly id: string
  readonly data: Record<string, unknown>
  readonly expectedRevision?: number
}

interface Operation {
  readonly name: string
  run(resource: string, request: WriteRequest): Promise<unknown>
  /** The defects that a request of this operation can have, and "input" for those of the input. */
  readonly defects: readonly (Defect | "input")[]
}

const api = (name: string) => app.client().collections[name]
const ROW = ["missing", "denied"] as const

const OPERATIONS: readonly Operation[] = [
  { name: "create", run: (name, { data }) => api(name).create(data), defects: ["input"] },
  { name: "updateById", run: (name, request) => api(name).updateById(request), defects: [...ROW, "stale", "input"] },
  {
    name: "updateById in a stage",
    run: (name, request) => api(name).updateById(request, { stage: "published" }),
    defects: [...ROW, "stale", "input"],
  },
  {
    name: "updateBatch",
    run: (name, request) => api(name).updateBatch({ updates: [request] }),
    defects: [...ROW, "stale", "input"],
  },
  {
    name: "updateBatch in a stage",
    run: (name, request) => api(name).updateBatch({ updates: [request] }, { stage: "published" }),
    defects: [...ROW, "stale", "input"],
  },
  {
    name: "updateMany",
    run: (name, { id, data }) => api(name).updateMany({ where: { id }, data }),
    defects: ["input"],
  },
  {
    name: "updateMany in a stage",
    run: (name, { id, data }) => api(name).updateMany({ where: { id }, data }, { stage: "published" }),
    defects: ["input"],
  },
  {
    name: "transitionStage",
    run: (name, { id, expectedRevision }) => api(name).transitionStage({ id, stage: "draft", expectedRevision }),
    defects: [...ROW, "stale"],
  },
  {
    name: "deleteById",
    run: (name, { data: _, ...target }) => api(name).deleteById(target),
    defects: [...ROW, "stale"],
  },
  {
    name: "deleteById in a stage",
    run: (name, { data: _, ...target }) => api(name).deleteById(target, { stage: "published" }),
    defects: [...ROW, "stale"],
  },
]

/** The defects of an input in the order of their errors. With change hooks, the input is parsed between the hooks. */
const PLAIN_ORDER: readonly Defect[] = ["shape", "missing", "denied", "stale", "target", "unique", "result"]
const HOOKED_ORDER: readonly Defect[] = [
  ...(["missing", "denied", "stale", "shape", "hook", "target", "unique", "result", "after"] as const),
]
const OPEN_ORDER: readonly Defect[] = ["shape", "missing", "stale", "target", "unique"]

const RESOURCES = [
  { resource: "books", order: PLAIN_ORDER },
  { resource: "openBooks", order: OPEN_ORDER },
  { resource: "hookedBooks", order: HOOKED_ORDER },
]

const CASES = OPERATIONS.flatMap((operation) => RESOURCES.map((resource) => ({ ...operation, ...resource })))

let app: TestApp
const open = new Map<string, string>()
const locked = new Map<string, string>()

beforeAll(async () => {
  app = await testApp({ resources: [authors, books, openBooks, hookedBooks, settings, hookedSettings] })
  for (const { resource } of RESOURCES) {
    const create = async (data: Record<string, unknown>) => {
      const record = await app.app.system.collections[resource]?.create(data, { stage: "published" })
      return String(record?.["id"])
    }
    await create({ code: "taken", owner: "ann" })
    open.set(resource, await create({ owner: "ann" }))
    locked.set(resource, await create({ owner: "locked" }))
  }
  for (const name of ["settings", "hookedSettings"]) await app.app.system.globals[name]?.update({ owner: "ann" })
})
afterAll(() => app[Symbol.asyncDispose]())

test.each(CASES)("$name of $resource", async ({ run, resource, order, defects }) => {
  const isPossible = (defect: Defect) =>
    defects.includes(defect) || ("data" in DEFECTS[defect] && defects.includes("input"))
  const possible = order.filter(isPossible)
  const wrong = await findDisorder(possible, (some) => run(resource, requestWith(resource, some)))

  expect(wrong).toEqual([])
})

test.each([
  { name: "settings", order: PLAIN_ORDER },
  { name: "hookedSettings", order: HOOKED_ORDER },
])("update of the global $name", async ({ name, order }) => {
  const possible = order.filter((defect) => !["missing", "denied", "unique"].includes(defect))
  const wrong = await findDisorder(possible, (some) => {
    const { data, expectedRevision } = requestWith(name, some)
    return app.client().globals[name].update(data, expectedRevision === undefined ? {} : { expectedRevision })
  })

  expect(wrong).toEqual([])
})

function requestWith(resource: string, defects: readonly Defect[]): WriteRequest {
  const id = (defects.includes("denied") ? locked : open).get(resource) ?? ""
  const parts = defects.map((defect) => DEFECTS[defect] as Partial<WriteRequest>)
  const data = Object.assign({ title: "T" }, ...parts.map((part) => part.data))
  return Object.assign({ id }, ...parts, { data })
}

/** Sends a request with every two of the defects, which are in the order of their errors, and returns the surprises. */
async function findDisorder(
  order: readonly Defect[],
  send: (defects: readonly Defect[]) => Promise<unknown>,
): Promise<string[]> {
  const pairs = order.flatMap((first, index) => [[first], ...order.slice(index + 1).map((second) => [first, second])])
  const surprises: string[] = []
  for (const pair of pairs) {
    const found = await send(pair).then(
      () => "success",
      (error: QuestpieClientError) => defectOf(error) ?? `${error.status} ${error.message}`,
    )
    if (found !== pair[0]) surprises.push(`${pair.join(" and ")}: ${found}`)
  }
  return surprises
}
