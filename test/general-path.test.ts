import { collection, global, type Session } from "kit"
import { expect, test } from "vitest"
import { type TestApp, testApp } from "./support/test-app.ts"

const ann: Session = { user: { id: "ann", role: "writer" } }
const boss: Session = { user: { id: "boss", role: "boss" } }
const MISSING = "01890000-0000-7000-8000-000000000000"
const everyone = { read: true, create: true, update: true, delete: true } as const

const teams = collection("teams")
  .fields(({ f }) => ({ name: f.text().required(), code: f.text().unique(), parent: f.relation("teams") }))
  .access(everyone)

const hidden = collection("hidden")
  .fields(({ f }) => ({ name: f.text().required() }))
  .access({ read: ({ session }) => isBoss({ session }) || { name: "open" } })

const posts = collection("posts")
  .fields(({ f }) => ({
    title: f.text(20).required(),
    views: f.number().bigint().default(0n),
    team: f.relation("teams"),
    hidden: f.relation("hidden"),
    secret: f.text().hidden().default("s"),
    price: f.number().access({ read: isBoss, update: isBoss }),
    code: f.text().readOnly(),
    meta: f.json(),
    at: f.datetime(),
    tags: f.array(f.text()),
    place: f.object({ city: f.text().required(), since: f.datetime() }),
    letters: f.virtual(f.number().integer(), 'length("title")'),
  }))
  .access(everyone)

const notes = collection("notes")
  .fields(({ f }) => ({ text: f.text(), owner: f.text().required() }))
  .access({ read: true, create: ownRows, update: ownRows, delete: ownRows })

const dropBox = collection("dropBox")
  .fields(({ f }) => ({ text: f.text() }))
  .access({ create: true, update: true, delete: true })

const bare = collection("bare")
  .fields(({ f }) => ({ name: f.text(), loud: f.computed(({ row }) => String(row["name"]).toUpperCase()) }))
  .options({ timestamps: false })
  .access(everyone)

const settings = global("settings")
  .fields(({ f }) => ({ name: f.text().required(), count: f.number() }))
  .access({ read: true, update: true })

function isBoss({ session }: { session: Session | null }) {
  return session?.user.role === "boss"
}

function ownRows({ session }: { session: Session | null }) {
  return session && { owner: session.user.id }
}

type Step = [method: string, path: string, body?: unknown, session?: Session]

// $1 stands for the id that the first created record got, and so on.
const STEPS: Step[] = [
  ["POST", "/teams", { name: "red", code: "r" }],
  ["POST", "/teams", { name: "blue", code: "r" }],
  ["POST", "/teams", { code: 5, nope: 1 }],
  ["POST", "/posts", { title: "a", team: "$1", meta: { a: [1] }, at: "2026-01-01", views: 7, tags: ["x"] }],
  ["POST", "/posts", { title: "b", tags: ["x", 5], place: { since: "x" }, letters: 1 }],
  ["POST", "/posts", { title: "b", team: MISSING }],
  ["POST", "/posts", { title: "b", price: 5 }, ann],
  ["POST", "/posts", { title: "b", secret: "x", code: "x" }],
  ["GET", "/posts"],
  ["GET", "/posts", undefined, boss],
  ["PATCH", "/posts/$2", { title: "changed", meta: null }],
  ["PATCH", "/posts/$2", { title: "changed", place: { city: "Nitra", since: "2026-01-01" } }, boss],
  ["PATCH", "/posts/$2", { price: 1 }, ann],
  ["PATCH", "/posts/$2", { price: 1 }, boss],
  ["PATCH", "/posts/$2", { title: null, views: "x" }],
  ["PATCH", "/posts/$2", { team: MISSING }],
  ["PATCH", "/posts/$2", { hidden: MISSING }],
  ["PATCH", `/posts/${MISSING}`, { title: "x" }],
  ["PATCH", `/posts/${MISSING}`, { team: MISSING }],
  ["PATCH", `/posts/${MISSING}`, { hidden: MISSING }],
  ["PATCH", "/posts/7", { title: "x" }],
  ["PATCH", "/teams/$1", { parent: "$1" }],
  ["DELETE", "/teams/$1"],
  ["DELETE", `/teams/${MISSING}`],
  ["DELETE", "/posts/$2", undefined, boss],
  ["DELETE", "/posts/$2"],
  ["DELETE", "/teams/$1"],
  ["POST", "/notes", { text: "mine", owner: "ann" }, ann],
  ["POST", "/notes", { text: "not mine", owner: "bob" }, ann],
  ["POST", "/notes", { text: "nobody's", owner: "bob" }],
  ["PATCH", "/notes/$3", { text: "x" }, boss],
  ["PATCH", "/notes/$3", { owner: "bob" }, ann],
  ["PATCH", "/notes/$3", { text: "y" }, ann],
  ["DELETE", "/notes/$3", undefined, boss],
  ["DELETE", "/notes/$3", undefined, ann],
  ["POST", "/dropBox", { text: "tip" }],
  ["PATCH", "/dropBox/$4", { text: "better tip" }],
  ["DELETE", "/dropBox/$4"],
  ["POST", "/bare", { name: "x" }],
  ["PATCH", "/bare/$5", {}],
  ["PATCH", "/bare/$5", { name: null }],
  ["DELETE", "/bare/$5"],
  ["PATCH", "/globals/settings", { count: 1 }],
  ["PATCH", "/globals/settings", { name: "x" }],
  ["PATCH", "/globals/settings", { count: 1 }],
  ["GET", "/globals/settings"],
]

const resources = [teams, hidden, posts, notes, dropBox, bare, settings]

test("the one-statement writes answer and store the same as the general path", async () => {
  await using quick = await testApp({ resources })
  await using general = await withoutShortcuts(() => testApp({ resources }))

  const quickAnswers = await runSteps(quick)
  const generalAnswers = await runSteps(general)

  expect(quickAnswers.map(({ status }) => status)).toContain(201)
  for (const [index, step] of STEPS.entries()) {
    expect({ step, answer: quickAnswers[index] }).toEqual({ step, answer: generalAnswers[index] })
  }
  expect(await storedRows(quick)).toEqual(await storedRows(general))
})

async function withoutShortcuts<Result>(start: () => Promise<Result>): Promise<Result> {
  const before = process.env["KIT_GENERAL_PATH"]
  process.env["KIT_GENERAL_PATH"] = "1"
  try {
    return await start()
  } finally {
    if (before === undefined) delete process.env["KIT_GENERAL_PATH"]
    else process.env["KIT_GENERAL_PATH"] = before
  }
}

async function runSteps(app: TestApp) {
  const ids: string[] = []
  const named = (text: string) => text.replace(/\$(\d)/g, (_all, place) => ids[Number(place) - 1] ?? "none")
  const answers: { status: number; body: unknown }[] = []
  for (const [method, path, body, session] of STEPS) {
    const init = {
      method,
      ...(body !== undefined && { body: named(JSON.stringify(body)) }),
      ...(session && { session }),
    }
    const answer = await app.fetch(named(path), init)
    if (answer.status === 201) ids.push(answer.body.id)
    answers.push({ status: answer.status, body: comparable(answer.body, ids) })
  }
  return answers
}

// Ids become their places, times become one word; everything else must be equal.
function comparable(body: unknown, ids: readonly string[]): unknown {
  const text = JSON.stringify(body, (key, value) => (key === "requestId" ? "some request" : value))
  const placed = ids.reduce((current, id, index) => current.replaceAll(id, `$${index + 1}`), text)
  return JSON.parse(placed.replace(/"(createdAt|updatedAt)":"[^"]+"/g, '"$1":"some time"'))
}

function storedRows(app: TestApp): Promise<unknown> {
  const tables = ["teams", "posts", "notes", '"dropBox"', "bare"]
  return Promise.all(tables.map((table) => app.database.query(`select count(*) from ${table}`)))
}
