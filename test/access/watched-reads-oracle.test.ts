import { collection, global, type Session } from "kit"
import { afterAll, beforeAll, expect, test } from "vitest"
import { stringifyQuery } from "../../packages/kit/src/wire/codecs/query-string.ts"
import { count } from "../support/count.ts"
import { openEvents } from "../support/oracles/live-events.ts"
import { type SeededRandom, seededRandom } from "../support/seeded-random.ts"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"

interface Caller {
  readonly session: Session | null
}

const isEditor = ({ session }: Caller) => session?.user["role"] === "editor"
const writable = { create: true, update: true } as const

const people = collection("people")
  .fields(({ f }) => ({
    name: f.text(),
    email: f.text().access({ read: ({ session }) => session !== null }),
    owner: f.text(),
    posts: f.relation("posts").hasMany({ via: "author" }),
  }))
  .access({ ...writable, read: ({ session }) => ({ owner: session?.user.id ?? "nobody" }) })
const posts = collection("posts")
  .fields(({ f }) => ({
    title: f.text().localized(),
    secret: f.text().hidden(),
    salary: f.number().integer().access({ read: isEditor }),
    note: f.text().access({ read: ({ session }) => session !== null && { owner: session.user.id } }),
    owner: f.text(),
    status: f.select(["open", "done"]),
    author: f.relation("people").onDelete("setNull"),
    level: f.computed(({ row }) => String(row["owner"]).length),
  }))
  .title("title")
  .options({ softDelete: true, workflow: true })
  .searchable({ fields: ["title"] })
  .access({
    ...writable,
    transition: true,
    delete: isEditor,
    drafts: ({ session }) => session !== null,
    read: (call) =>
      isEditor(call) || { OR: [{ owner: call.session?.user.id ?? "nobody" }, { status: { eq: "open" } }] },
  })
const settings = global("settings")
  .fields(({ f }) => ({
    motto: f.text().localized(),
    secret: f.text().hidden(),
    fee: f.text().access({ read: isEditor }),
  }))
  .access({ read: ({ session }) => session !== null, update: true })

const CALLERS: readonly (Session | undefined)[] = [
  undefined,
  { user: { id: "ann" }, session: { id: "1" } },
  { user: { id: "eve", role: "editor" }, session: { id: "2" } },
]

// Values of each option: some that everybody may use, some that name what a caller may not read, and some mistakes.
const VALUES: Readonly<Record<string, readonly unknown[]>> = {
  where: [
    { status: "open" },
    { secret: "a secret 1" },
    { salary: { gt: 3 } },
    { note: { isNotNull: true } },
    { author: { is: { email: { contains: "@" } } } },
    { author: { is: { name: { contains: "ann" } } } },
    { deletedAt: { isNotNull: true } },
    { nothing: 1 },
  ],
  with: [
    { author: true },
    { author: { columns: { email: true } } },
    { author: { with: { posts: true } } },
    { no: true },
  ],
  orderBy: [
    { title: "desc" },
    { secret: "asc" },
    { salary: "desc" },
    { note: "asc" },
    [{ status: "asc" }, { id: "desc" }],
  ],
  limit: [1, 4, 1000, 0, 100_000, -1],
  offset: [0, 3, -1],
  locale: ["en", "sk", "*", "xx"],
  page: [1, 2, 0],
  columns: [{ title: true }, { secret: true }, { salary: true, note: true }, { level: true }, { nothing: true }],
  search: ["flood", "secret", ""],
  stage: ["draft", "published", "nothing"],
  includeDeleted: [true, false, "perhaps"],
  total: [true, false, "perhaps"],
  localeFallback: [true, false],
  groupBy: [
    "status",
    "secret",
    "salary",
    "note",
    "author",
    { field: "status", docs: 2 },
    { field: "status", docs: 1e6 },
  ],
  dryRun: [true],
  unknown: [1],
}
const OF_THE_TOPIC = {
  collection: ["where", "with", "orderBy", "limit", "offset", "locale"],
  global: ["with", "locale"],
} as const
const TOPICS_PER_STREAM = 50

interface Asked {
  readonly operation: "find" | "count" | "record" | "global"
  readonly id: string
  readonly options: Readonly<Record<string, unknown>>
}

let app: TestApp
const ids: string[] = []

beforeAll(async () => {
  const config = { locales: { default: "en", all: ["en", "sk"] }, limits: { rate: false as const } }
  app = await testApp({ resources: [people, posts, settings], config })
  const { collections, globals } = app.app.system
  const authors: unknown[] = [null]
  for (const owner of ["ann", "eve", "nobody"]) {
    const author = await collections["people"]?.create({ name: `Of ${owner}`, email: `${owner}@example.com`, owner })
    authors.push(author?.["id"])
  }
  for (let number = 0; number < 20; number++) {
    const data = { title: `flood ${number}`, secret: `a secret ${number}`, salary: number, note: `note ${number}` }
    const links = { owner: ["ann", "eve", "bob"][number % 3], author: authors[number % authors.length] }
    const status = number % 4 === 0 ? "done" : "open"
    const post = await collections["posts"]?.create({ ...data, ...links, status } as never)
    const id = String(post?.["id"])
    ids.push(id)
    if (number % 2 === 0) await collections["posts"]?.transitionStage({ id, stage: "published" })
    if (number % 7 === 0) await collections["posts"]?.deleteById({ id })
  }
  await globals["settings"]?.update({ motto: "Onwards", secret: "a secret", fee: "5" })
})
afterAll(() => app[Symbol.asyncDispose]())

function pick<Value>(random: SeededRandom, values: readonly Value[]): Value {
  // The cast is safe: the number is below the length of the list.
  return values[random.below(values.length)] as Value
}

function ask(random: SeededRandom): Asked {
  const names = Object.keys(VALUES).filter(() => random.below(100) < 9)
  return {
    operation: pick(random, ["find", "find", "count", "record", "global"]),
    id: pick(random, [...ids, crypto.randomUUID(), "nothing"]),
    options: Object.fromEntries(names.map((name) => [name, pick(random, VALUES[name] ?? [])])),
  }
}

function topicOf({ operation, id, options }: Asked, topicId: string): object {
  const kind = operation === "global" ? "global" : "collection"
  const named: readonly string[] = OF_THE_TOPIC[kind]
  const own = Object.entries(options).filter(([name]) => named.includes(name))
  const read = Object.entries(options).filter(([name]) => !named.includes(name))
  const asked = { find: {}, count: { operation }, record: { operation, id }, global: {} }[operation]
  const resource = kind === "global" ? "settings" : "posts"
  return {
    id: topicId,
    resourceType: kind,
    resource,
    ...Object.fromEntries(own),
    read: { ...asked, ...Object.fromEntries(read) },
  }
}

/** Returns the result of the read over HTTP, or the code of its error and what is wrong. */
async function readOnce({ operation, id, options }: Asked, session: Session | undefined): Promise<unknown> {
  const by = session && { session }
  const path = { find: "", count: "/posts/count", record: `/posts/${id}`, global: "/globals/settings" }[operation]
  const { status, body } =
    operation === "find"
      ? await app.fetch("/posts/query", { method: "POST", body: JSON.stringify(options), ...by })
      : await app.fetch(`${path}?${stringifyQuery(options).replace(/^\?/, "")}`, { ...by })
  if (status === 200) return { data: body }
  const { code, message, fieldErrors } = body.error
  // A topic of a record that does not exist, or is hidden, shows null.
  if (code === "NOT_FOUND" && operation === "record") return { data: null }
  return { code, message: fieldErrors ? `${fieldErrors[0].path}: ${fieldErrors[0].message}` : message }
}

async function watchAll(asked: readonly Asked[], session: Session | undefined): Promise<readonly unknown[]> {
  const topics = asked.map((each, index) => topicOf(each, String(index)))
  await using stream = await openEvents({ url: app.url, topics, session })
  const shown: unknown[] = []
  for (const topicId of topics.keys()) {
    const isIts = (data: { readonly topicId: string }) => data.topicId === String(topicId)
    const snapshot = stream.next("snapshot", isIts).then(({ data }) => ({ data }))
    const error = stream.next("error", isIts).then(({ code, message }) => ({ code, message }))
    for (const other of [snapshot, error]) other.catch(() => undefined)
    shown.push(await Promise.race([snapshot, error]))
  }
  return shown
}

test("a topic shows what the read with the same options answers, and refuses what it refuses", async () => {
  const random = seededRandom()

  for (let turn = 0; turn < count({ short: 6, long: 60 }); turn++) {
    const session = pick(random, CALLERS)
    const asked = Array.from({ length: TOPICS_PER_STREAM }, () => ask(random))
    const shown = await watchAll(asked, session)

    for (const [index, each] of asked.entries()) {
      const label = `seed ${random.seed}: ${session?.user.id} ${JSON.stringify(each)}`
      expect(shown[index], label).toEqual(await readOnce(each, session))
    }
    expect(JSON.stringify(shown)).not.toMatch(/"secret"|"a secret/)
  }
})
