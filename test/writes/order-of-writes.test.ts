import { collection, global } from "kit"
import pg from "pg"
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"

// Every write takes the same steps in the same order, and so does every removal. Each test runs one operation and
// compares the steps that it took: rules, validations and hooks report theirs, and the SQL shows the others.

type Step =
  | "rights"
  | "lock"
  | "revision"
  | "beforeValidate"
  | "parse"
  | "beforeChange"
  | "beforeTransition"
  | "beforeDelete"
  | "targets"
  | "cascade"
  | "statement"
  | "lists"
  | "check"
  | "afterChange"
  | "afterTransition"
  | "afterDelete"
  | "readBack"

let trace: Step[] = []

function took(step: Step): void {
  trace.push(step)
}

/** A rule that depends on the row, so that it is evaluated on the locked row and on the written row. */
function rule() {
  took("rights")
  return { owner: { ne: "nobody" } }
}

const everyone = { read: true, create: true, update: true, delete: true } as const

const hooks = {
  beforeValidate: () => took("beforeValidate"),
  beforeChange: () => took("beforeChange"),
  afterChange: () => took("afterChange"),
  beforeTransition: () => took("beforeTransition"),
  afterTransition: () => took("afterTransition"),
  beforeDelete: () => took("beforeDelete"),
  afterDelete: () => took("afterDelete"),
  afterRead: () => took("readBack"),
}

function parsed(): true {
  took("parse")
  return true
}

const authors = collection("authors")
  .fields(({ f }) => ({ name: f.text() }))
  .access({ ...everyone, read: () => ({ name: { ne: "hidden" } }) })

const books = collection("books")
  .fields(({ f }) => ({
    title: f.text().validate(parsed),
    owner: f.text(),
    author: f.relation("authors"),
    shelf: f.relation("shelves"),
    chapters: f.relation("chapters").hasMany({ via: "book" }),
  }))
  .options({ revision: true, softDelete: true, versions: true, workflow: true })
  .access({ read: true, create: rule, update: rule, delete: rule, purge: rule, drafts: true })
  .hooks(hooks)

const chapters = collection("chapters")
  .fields(({ f }) => ({ name: f.text(), book: f.relation("books").onDelete("cascade") }))
  .access(everyone)
  .hooks({ beforeDelete: () => took("cascade") })

const shelves = collection("shelves")
  .fields(({ f }) => ({ books: f.relation("books").hasMany({ via: "shelf" }) }))
  .access(everyone)

const posters = collection("posters")
  .fields(({ f }) => ({ owner: f.text() }))
  .options({ revision: true })
  .access({ read: true, create: rule, update: rule, delete: rule })
  .hooks(hooks)

const covers = collection("covers")
  .fields(({ f }) => ({ title: f.text().validate(parsed), owner: f.text(), author: f.relation("authors") }))
  .upload()
  .access({ read: true, create: rule })
  .hooks(hooks)

const settings = global("settings")
  .fields(({ f }) => ({ title: f.text().validate(parsed), owner: f.text(), author: f.relation("authors") }))
  .options({ revision: true })
  .access({ read: true, update: rule })
  .hooks(hooks)

const WRITTEN = /(insert into|update|delete from) "(books|posters|covers|global_settings|books_stage_published)"/

function stepOf(sql: string): Step | undefined {
  if (/insert into "chapters"/.test(sql)) return "lists"
  if (WRITTEN.test(sql)) return "statement"
  if (/from "authors"/.test(sql)) return "targets"
  // A comparison with a parameter is a rule; one with a column is part of `changedSincePublished`.
  if (/"owner" is distinct from \$/.test(sql)) return trace.includes("statement") ? "check" : "lock"
  return /^select (t0."id" as c0, )?t0."revision" as c\d from/.test(sql) ? "revision" : undefined
}

function traceStatements(): void {
  const query = pg.Client.prototype.query
  vi.spyOn(pg.Client.prototype, "query").mockImplementation(function (this: pg.Client, ...args: unknown[]) {
    const [statement] = args as [string | { text?: string } | undefined]
    const step = stepOf(typeof statement === "string" ? statement : (statement?.text ?? ""))
    if (step) took(step)
    return Reflect.apply(query, this, args)
  })
}

let app: TestApp
let author: string
let shelf: string
let id: string

beforeAll(async () => {
  app = await testApp({ resources: [authors, shelves, books, chapters, posters, settings, covers] })
  author = (await app.client().collections["authors"].create({ name: "A" })).id
})
beforeEach(traceStatements)
afterAll(() => app[Symbol.asyncDispose]())

interface Operation {
  readonly name: string
  readonly resource?: "books" | "posters"
  /** Runs before the trace begins. */
  prepare?(): Promise<unknown>
  run(): Promise<unknown>
  readonly steps: readonly Step[]
}

const api = (name = "books") => app.client().collections[name]
const settingsApi = () => app.client().globals["settings"]
const input = () => ({ title: "T", owner: "ann", author, chapters: { create: [{ name: "One" }] } })

const BEFORE = ["beforeValidate", "parse", "beforeChange"] as const
const AFTER = ["check", "afterChange", "readBack"] as const

const WRITES: readonly Operation[] = [
  {
    name: "create",
    run: () => api().create(input()),
    steps: ["rights", ...BEFORE, "targets", "statement", "lists", ...AFTER],
  },
  {
    name: "update",
    run: () => api().updateById({ id, data: input(), expectedRevision: 1 }),
    steps: ["rights", "lock", "revision", ...BEFORE, "targets", "statement", "lists", ...AFTER],
  },
  {
    name: "update of a stage's copy",
    prepare: () => api().transitionStage({ id, stage: "published" }),
    run: () => api().updateById({ id, data: { title: "T", author }, expectedRevision: 2 }, { stage: "published" }),
    steps: ["rights", "lock", "revision", ...BEFORE, "targets", "statement", ...AFTER],
  },
  {
    name: "updateMany of the copies of a stage",
    prepare: () => api().transitionStage({ id, stage: "published" }),
    run: () => api().updateMany({ where: { id }, data: { title: "T", author } }, { stage: "published" }),
    steps: ["rights", "lock", ...BEFORE, "targets", "statement", ...AFTER],
  },
  {
    name: "updateBatch of the copies of a stage",
    prepare: () => api().transitionStage({ id, stage: "published" }),
    run: () => {
      const updates = [{ id, data: { title: "T", author }, expectedRevision: 2 }]
      return api().updateBatch({ updates }, { stage: "published" })
    },
    steps: ["rights", "lock", "revision", ...BEFORE, "targets", "statement", ...AFTER],
  },
  {
    name: "create that is nested in another one",
    run: () => api("shelves").create({ books: { create: [input()] } }),
    // Its answer is part of the answer of the outer write.
    steps: ["rights", ...BEFORE, "targets", "statement", "lists", "check", "afterChange"],
  },
  {
    name: "update that is nested in another one",
    prepare: async () => {
      shelf = (await api("shelves").create({ books: { connect: [id] } })).id
    },
    run: () => api("shelves").updateById({ id: shelf, data: { books: { update: [{ id, data: input() }] } } }),
    steps: ["rights", "lock", ...BEFORE, "targets", "statement", "lists", "check", "afterChange"],
  },
  {
    name: "upload",
    run: () => {
      const file = new File(["cover"], "cover.txt", { type: "text/plain" })
      return api("covers").upload(file, { data: { title: "T", owner: "ann", author } })
    },
    steps: ["rights", ...BEFORE, "targets", "statement", ...AFTER],
  },
  {
    name: "updateMany",
    run: () => api().updateMany({ where: { id }, data: input() }),
    steps: ["rights", "lock", ...BEFORE, "targets", "statement", "lists", ...AFTER],
  },
  {
    name: "updateBatch",
    run: () => api().updateBatch({ updates: [{ id, data: input(), expectedRevision: 1 }] }),
    steps: ["rights", "lock", "revision", ...BEFORE, "targets", "statement", "lists", ...AFTER],
  },
  {
    name: "first update of a global",
    run: () => settingsApi().update({ title: "T", author }),
    steps: ["rights", ...BEFORE, "targets", "statement", ...AFTER],
  },
  {
    name: "later update of a global",
    run: () => settingsApi().update({ title: "T", author }, { expectedRevision: 1 }),
    steps: ["rights", "lock", "revision", ...BEFORE, "targets", "statement", ...AFTER],
  },
  {
    name: "restore",
    prepare: () => api().deleteById({ id }),
    run: () => api().restoreById({ id, expectedRevision: 2 }),
    steps: ["rights", "lock", "revision", "beforeChange", "statement", ...AFTER],
  },
  {
    name: "revert",
    prepare: () => api().updateById({ id, data: { title: "Two", author: null } }),
    run: () => api().revertToVersion({ id, version: 1, expectedRevision: 2 }),
    // Only the version shows which fields change, so their rules are evaluated after the version was read.
    steps: ["rights", "lock", "revision", "lock", "parse", "beforeChange", "targets", "statement", ...AFTER],
  },
  {
    name: "revert of a stage's copy",
    prepare: async () => {
      await api().transitionStage({ id, stage: "published" })
      await api().updateById({ id, data: { title: "Two", author: null } }, { stage: "published" })
    },
    run: () => api().revertToVersion({ id, version: 1, expectedRevision: 3 }, { stage: "published" }),
    steps: ["rights", "lock", "revision", "lock", "parse", "beforeChange", "targets", "statement", ...AFTER],
  },
  {
    name: "transition",
    run: () => api().transitionStage({ id, stage: "published", expectedRevision: 1 }),
    // A transition changes no data, so no rule is evaluated on the result: a rule may be about the stage.
    steps: ["rights", "lock", "revision", "beforeTransition", "statement", "afterTransition", "readBack"],
  },
  {
    name: "create in a stage",
    run: () => api().create({ title: "T", owner: "ann", author }, { stage: "published" }),
    steps: [
      ...["rights", ...BEFORE, "targets", "statement", "check", "afterChange"],
      ...["check", "beforeTransition", "statement", "afterTransition", "readBack"],
    ] as Step[],
  },
]

const REMOVALS: readonly Operation[] = [
  {
    name: "soft delete",
    run: () => api().deleteById({ id, expectedRevision: 1 }),
    steps: ["rights", "lock", "revision", "beforeDelete", "statement", "afterDelete", "readBack"],
  },
  {
    name: "soft deleteMany",
    run: () => api().deleteMany({ where: { id } }),
    steps: ["rights", "lock", "beforeDelete", "statement", "afterDelete"],
  },
  {
    name: "delete",
    resource: "posters",
    run: () => api("posters").deleteById({ id, expectedRevision: 1 }),
    steps: ["rights", "lock", "revision", "beforeDelete", "statement", "afterDelete", "readBack"],
  },
  {
    name: "deleteMany",
    resource: "posters",
    run: () => api("posters").deleteMany({ where: { id } }),
    steps: ["rights", "lock", "beforeDelete", "statement", "afterDelete"],
  },
  {
    name: "delete of a stage's copy",
    prepare: () => api().transitionStage({ id, stage: "published" }),
    run: () => api().deleteById({ id, expectedRevision: 2 }, { stage: "published" }),
    steps: ["rights", "lock", "revision", "beforeDelete", "statement", "afterDelete", "readBack"],
  },
  {
    name: "deleteMany of the copies of a stage",
    prepare: () => api().transitionStage({ id, stage: "published" }),
    run: () => api().deleteMany({ where: { id } }, { stage: "published" }),
    steps: ["rights", "lock", "beforeDelete", "statement", "afterDelete"],
  },
  {
    name: "purge, with a cascade",
    prepare: async () => {
      await app.client().collections["chapters"].create({ book: id })
      await api().deleteById({ id })
    },
    run: () => api().purgeById({ id, expectedRevision: 2 }),
    steps: ["rights", "lock", "revision", "beforeDelete", "cascade", "statement", "afterDelete"],
  },
]

test.each([...WRITES, ...REMOVALS])("the steps of: $name", async ({ resource = "books", prepare, run, steps }) => {
  const data = resource === "books" ? { title: "One", owner: "ann", author } : { owner: "ann" }
  id = (await api(resource).create(data)).id
  await prepare?.()
  trace = []

  await run()

  expect(observedSteps()).toEqual(steps)
})

/** Equal steps in a row count once, and so do all evaluations of rule functions. */
function observedSteps(): readonly Step[] {
  const steps = trace.filter((step, index) => step !== "rights" || !trace.slice(0, index).includes(step))
  return steps.filter((step, index) => step !== steps[index - 1])
}
