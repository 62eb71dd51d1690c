// @module-tag not-about-shortcuts
// @module-tag not-about-connections

import { collection, global, type Session } from "kit"
import { expect, test } from "vitest"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"

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
    price: f.number().access({ read: isBoss, create: isBoss, update: isBoss }),
    code: f.text().readOnly(),
    meta: f.json(),
    at: f.datetime(),
    tags: f.array(f.text()),
    place: f.object({ city: f.text().required(), since: f.datetime() }),
    body: f.blocks({
      note: { text: f.text().required(), tone: f.text().default("calm"), at: f.datetime() },
      box: { inner: f.blocks({ rule: {} }).max(1) },
    }),
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

const albums = collection("albums")
  .fields(({ f }) => ({
    name: f.text().required().unique(),
    songs: f.relation("songs").hasMany({ via: "album" }),
    moods: f.relation("moods").manyToMany(),
    letters: f.virtual(f.number().integer(), 'length("name")'),
  }))
  .title("name")
  .options({ softDelete: true, revision: true })
  .access({ ...everyone, delete: isBoss, purge: isBoss })

const songs = collection("songs")
  .fields(({ f }) => ({
    name: f.text().required(),
    album: f.relation("albums").onDelete("setNull"),
    loud: f.computed(({ row }) => String(row["name"]).toUpperCase()),
  }))
  .options({ softDelete: true, revision: true })
  .access({ ...everyone, read: (context) => isBoss(context) || { name: { ne: "hidden" } } })

const moods = collection("moods")
  .fields(({ f }) => ({ name: f.text().unique(), since: f.array(f.datetime()) }))
  .access(everyone)
  .hooks({
    beforeChange: ({ data }) => ({ ...data, name: String(data["name"]).trim() }),
    afterRead: ({ row }) => ({ ...row, name: `<${row["name"]}>` }),
  })

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

// $1 stands for the id of the first created record, and so on.
const STEPS: Step[] = [
  ["POST", "/teams", { name: "red", code: "r" }],
  ["POST", "/teams", { name: "blue", code: "r" }],
  ["POST", "/teams", { code: 5, nope: 1 }],
  ["POST", "/posts", { title: "a", team: "$1", meta: { a: [1] }, at: "2026-01-01", views: 7, tags: ["x"] }],
  ["POST", "/posts", { title: "b", tags: ["x", 5], place: { since: "x" }, letters: 1 }],
  ["POST", "/posts", { title: "b", body: [{ type: "note" }, { type: "not" }, { type: "box", inner: [{}, {}] }] }],
  ["POST", "/posts", { title: "b", team: MISSING }],
  ["POST", "/posts", { title: "b", price: 5 }, ann],
  ["POST", "/posts", { title: "b", secret: "x", code: "x" }],
  ["GET", "/posts"],
  ["GET", "/posts", undefined, boss],
  ["PATCH", "/posts/$2", { title: "changed", meta: null }],
  ["PATCH", "/posts/$2", { title: "changed", place: { city: "Nitra", since: "2026-01-01" } }, boss],
  [
    "PATCH",
    "/posts/$2",
    {
      body: [
        { type: "note", text: "a", at: "2026-01-01" },
        { type: "box", id: "b", inner: [] },
      ],
    },
    boss,
  ],
  ["PATCH", "/posts/$2", { body: [{ type: "box", id: "b", inner: [{ type: "rule", id: "c" }] }] }],
  [
    "PATCH",
    "/posts/$2",
    {
      body: [
        { type: "note", id: "b", text: "a" },
        { type: "box", id: "b" },
      ],
    },
  ],
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
  ["POST", "/moods", { name: " calm ", since: ["2026-01-01"] }],
  ["POST", "/albums", { name: "one", songs: { create: [{ name: "hidden" }, { name: "b" }] }, moods: ["$6"] }],
  ["POST", "/albums", { name: "one" }],
  ["POST", "/albums", { name: "two", songs: { create: [{ name: "x" }, { name: null }] } }],
  ["GET", "/albums?with[songs][_count]=true&with[songs][orderBy][name]=asc&with[moods]=true"],
  ["GET", "/albums?with[songs][_count]=true&with[songs][orderBy][name]=asc", undefined, boss],
  ["GET", "/albums/$7?with[songs]=true&columns[letters]=true"],
  ["PATCH", "/albums/$7", { songs: [] }],
  ["PATCH", "/albums/$7", { moods: { create: [{ name: "wild" }], disconnect: ["$6"] } }],
  ["PATCH", "/albums/$7?expectedRevision=1", { name: "x" }],
  ["PATCH", "/albums/$7?expectedRevision=2", { name: "uno" }],
  ["POST", "/songs", { name: "c", album: "$7" }],
  ["PATCH", "/songs", { where: { album: { is: { name: "uno" } } }, data: { name: "d" } }],
  ["POST", "/songs/update-batch", { updates: [{ id: "$8", data: { name: "e" }, expectedRevision: 2 }] }],
  ["DELETE", "/songs/$8"],
  ["GET", "/songs?groupBy=name&includeDeleted=true"],
  ["POST", "/albums/query", { where: { songs: { some: { name: "e" } } } }],
  ["DELETE", "/albums/$7"],
  ["DELETE", "/albums/$7", undefined, boss],
  ["GET", "/albums/$7"],
  ["GET", "/albums?includeDeleted=true&search=un", undefined, boss],
  ["GET", "/albums?includeDeleted=true"],
  ["POST", "/songs", { name: "x", album: "$7" }],
  ["POST", "/albums", { name: "uno" }],
  ["POST", "/albums/$7/restore"],
  ["POST", "/albums/$7/purge"],
  ["POST", "/albums/$7/purge", undefined, boss],
  ["POST", "/songs/$8/restore"],
  ["GET", "/songs/$8"],
  ["POST", "/songs/delete-many", { where: { name: { in: ["b", "e", "hidden"] } } }],
]

const resources = [teams, hidden, posts, notes, dropBox, bare, albums, songs, moods, settings]

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
  const answers: { status: number; revision: string | null; body: unknown }[] = []
  for (const [method, path, body, session] of STEPS) {
    const init = {
      method,
      ...(body !== undefined && { body: named(JSON.stringify(body)) }),
      ...(session && { session }),
    }
    const answer = await app.fetch(named(path), init)
    if (answer.status === 201) ids.push(answer.body.id)
    const revision = answer.headers.get("x-revision")
    answers.push({ status: answer.status, revision, body: comparable(answer.body, ids) })
  }
  return answers
}

const ID = /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g

// Replaces ids by their positions, or by one word if no answer contained them, and times likewise. Everything else must
// be equal.
function comparable(body: unknown, ids: readonly string[]): unknown {
  const text = JSON.stringify(body, (key, value) => (key === "requestId" ? "some request" : value))
  const placed = ids.reduce((current, id, index) => current.replaceAll(id, `$${index + 1}`), text)
  const named = placed.replaceAll(MISSING, "missing").replace(ID, "some id")
  return JSON.parse(named.replace(/"(createdAt|updatedAt|deletedAt)":"[^"]+"/g, '"$1":"some time"'))
}

function storedRows(app: TestApp): Promise<unknown> {
  const tables = ["teams", "posts", "notes", '"dropBox"', "bare", "albums", "songs", "moods"]
  const counts = tables.map((table) => app.database.query(`select count(*) from ${table}`))
  return Promise.all([...counts, app.database.query('select resource, kind from "_kit_changes" order by xid, id')])
}
