// Random writes and random reads.
import type { Write } from "./write.ts"

/** A whole number from 0 up to the bound. */
type Below = (bound: number) => number

const WORDS = ["", "apple", "Apple", "pear", "a_b", "100%", "žltý"]
const KINDS = ["red", "green", "blue"]
const LOCALES = ["en", "sk"]

export class Chance {
  readonly below: Below
  stamps = 0

  constructor(below: Below) {
    this.below = below
  }

  of<T>(values: readonly T[]): T {
    // The index is below the length: there is a value, unless a caller chooses from none and expects that.
    return values[this.below(values.length)] as T
  }

  is(percent: number) {
    return this.below(100) < percent
  }

  /** Returns some of the entries. */
  some(all: Record<string, any>, percent: number) {
    return Object.fromEntries(Object.entries(all).filter(() => this.is(percent)))
  }

  stamp(batch: string) {
    this.stamps += 1
    return `${batch}-${this.stamps}`
  }

  ref(name: string) {
    return { ref: name, pick: this.below(1_000) }
  }

  refs(name: string) {
    return Array.from({ length: this.below(4) }, () => this.ref(name))
  }

  text() {
    return this.of([...WORDS, null])
  }

  size() {
    return this.of([null, -1, 0, 1, 2, 3, 7])
  }
}

/** Random values for the fields of each collection. */
const VALUES: Record<string, (c: Chance) => Record<string, any>> = {
  teams: (c) => ({ name: c.text(), rank: c.size(), projects: { connect: c.refs("projects") } }),
  memberships: (c) => ({ person: c.ref("users"), team: c.ref("teams") }),
  projects: (c) => ({
    name: c.text(),
    size: c.size(),
    budget: c.of([null, "0", "1.50", "-3.10"]),
    at: c.of([null, "2026-05-04T10:30:00.000Z", "1970-01-01T00:00:00.001Z"]),
    kind: c.of([...KINDS, null]),
    isPublic: c.is(40),
    title: c.text(),
    details: c.of([null, { a: 1 }, [1, 2]]),
    team: c.is(80) ? c.ref("teams") : null,
    owner: c.is(80) ? c.ref("users") : null,
    tags: c.refs("tags"),
    tasks: { create: [{ name: "nested", done: c.is(50), assignee: c.ref("users") }] },
  }),
  tasks: (c) => ({
    name: c.text(),
    done: c.is(50),
    // Their sums are exact in any order.
    weight: c.of([null, -1.5, 0, 0.125, 2]),
    project: c.is(85) ? c.ref("projects") : null,
    assignee: c.is(70) ? c.ref("users") : null,
    parent: c.is(40) ? c.ref("tasks") : null,
  }),
  tags: (c) => ({ name: c.text(), projects: c.refs("projects") }),
  sections: (c) => ({ name: c.text() }),
  articles: (c) => ({
    title: c.text(),
    body: c.text(),
    section: c.is(70) ? c.ref("sections") : null,
    author: c.is(80) ? c.ref("users") : null,
    related: c.refs("articles"),
  }),
  notes: (c) => ({ text: c.text(), project: c.is(85) ? c.ref("projects") : null }),
}

const COLLECTIONS = Object.keys(VALUES)
const LOCALIZED = ["projects", "articles"]

/** Returns the first record of a collection. */
export function firstRecord(chance: Chance, of: string, stamp: string): Write {
  const { projects: _projects, tasks: _tasks, ...data } = VALUES[of]?.(chance) ?? {}
  return { kind: "create", of, pick: 0, data: { ...data, ...stamped(of, stamp) } }
}

function stamped(of: string, stamp: string) {
  return of === "projects" ? { stamp, inner: `inner ${stamp}` } : { stamp }
}

export function randomWrite(chance: Chance, batch: string): Write {
  const of = chance.of([...COLLECTIONS, "projects", "projects", "tasks", "articles", "users", "settings"])
  const stamp = chance.stamp(batch)
  const pick = chance.below(1_000)
  const locale = LOCALIZED.includes(of) && chance.is(40) ? { locale: chance.of(LOCALES) } : {}
  if (of === "users") return { kind: "update", of, pick, data: { role: chance.of(["admin", "editor", "member"]) } }
  if (of === "settings") {
    const data = chance.some({ motto: chance.text(), featured: chance.ref("projects") }, 70)
    return { kind: "setting", of, pick, data: { ...data, stamp }, locale: chance.of(LOCALES) }
  }
  const data = { ...chance.some(VALUES[of]?.(chance) ?? {}, 45), ...stamped(of, stamp) }
  const kind = chance.of(kindsOf(of))
  return { kind, of, pick, ...locale, data: dataOf(kind, { of, data, chance }) }
}

function kindsOf(of: string) {
  const usual = ["create", "update", "update", "update", "update", "delete", "updateMany", "past"]
  if (of === "articles") return [...usual, "move", "move", "move", "restore", "purge", "revert", "staged"]
  if (of === "projects") return [...usual, "restore", "restore", "purge", "revert", "deleteMany"]
  return usual
}

function dataOf(kind: string, { of, data, chance }: { of: string; data: Record<string, any>; chance: Chance }) {
  if (kind === "move") return { stage: chance.of(["published", "published", "draft"]) }
  if (kind === "past") return { stamp: data["stamp"] }
  const { projects: _projects, tasks: _tasks, tags: _tags, related: _related, ...plain } = data
  if (kind === "updateMany") return { where: { stamp: { endsWith: String(chance.below(10)) } }, data: plain }
  if (kind === "deleteMany") return { where: { stamp: { endsWith: String(chance.below(100)) } } }
  return of === "teams" && kind === "create" ? plain : data
}

/** The fields to filter and to order by. */
const FILTERS: Record<string, Record<string, (c: Chance) => unknown>> = {
  teams: {
    name: texts,
    rank: numbers,
    projects: (c) => toMany(c, "projects"),
    memberships: (c) => ({ [c.of(["some", "none"])]: {} }),
  },
  projects: {
    name: texts,
    size: numbers,
    kind: (c) => c.of([{ eq: c.of(KINDS) }, { in: ["red", "blue"] }, { ne: "red" }, null]),
    isPublic: (c) => c.is(50),
    at: (c) => c.of([{ isNull: true }, { gt: "2000-01-01T00:00:00.000Z" }]),
    title: texts,
    details: (c) => c.of([{ isNotNull: true }, { hasKey: "a" }]),
    taskCount: numbers,
    inner: (c) => c.of([{ isNotNull: true }, { startsWith: "inner" }]),
    team: (c) => c.of([null, { is: { name: texts(c) } }, { is: { rank: numbers(c) } }]),
    owner: (c) => c.of([null, { is: { role: "editor" } }, { isNot: { role: "member" } }]),
    tags: (c) => toMany(c, "tags"),
    tasks: (c) => toMany(c, "tasks"),
  },
  tasks: {
    name: texts,
    done: (c) => c.is(50),
    weight: numbers,
    project: (c) => c.of([null, { is: { isPublic: true } }, { is: { name: texts(c) } }, { isNotNull: true }]),
    parent: (c) => c.of([null, { is: { done: true } }]),
    children: (c) => toMany(c, "tasks"),
  },
  tags: { name: texts, projects: (c) => toMany(c, "projects") },
  sections: { name: texts },
  articles: {
    title: texts,
    body: texts,
    section: (c) => c.of([null, { isNotNull: true }]),
    author: (c) => c.of([null, { is: { role: "editor" } }]),
    related: (c) => ({ [c.of(["some", "none"])]: { title: texts(c) } }),
  },
  notes: { text: texts, project: (c) => c.of([null, { is: { kind: "red" } }]) },
}

function texts(c: Chance) {
  const word = c.of(WORDS)
  return c.of([word, { ne: word }, { contains: "a" }, { in: [word, "pear"] }, { isNull: c.is(50) }, { like: "a%" }])
}

function numbers(c: Chance) {
  const number = c.of([-1, 0, 1, 2])
  return c.of([number, { gt: number }, { lte: number }, { between: [0, 2] }, { notIn: [number] }, { isNull: true }])
}

function toMany(c: Chance, of: string): object {
  const [name = "name"] = c.is(50)
    ? ["name"]
    : Object.keys(FILTERS[of] ?? {})
        .slice(0, 2)
        .reverse()
  return { [c.of(["some", "none", "every"])]: { [name]: FILTERS[of]?.[name]?.(c) } }
}

function where(c: Chance, of: string, depth: number = 0): object {
  const names = Object.keys(FILTERS[of] ?? {})
  const leaf = () => {
    const name = c.of(names)
    return { [name]: FILTERS[of]?.[name]?.(c) }
  }
  if (depth > 2 || c.is(55)) return leaf()
  const parts = Array.from({ length: 1 + c.below(3) }, () => where(c, of, depth + 1))
  return c.of([{ AND: parts }, { OR: parts }, { NOT: parts[0] ?? leaf() }, Object.assign({}, ...parts)])
}

/** The target collection of each relation. */
const RELATIONS: Record<string, Record<string, string>> = {
  teams: { projects: "projects", ventures: "projects" },
  projects: { team: "teams", owner: "users", tags: "tags", tasks: "tasks", notes: "notes" },
  tasks: { project: "projects", assignee: "users", parent: "tasks", children: "tasks" },
  tags: { projects: "projects" },
  articles: { section: "sections", author: "users", related: "articles" },
  notes: { project: "projects" },
}
const TO_MANY = new Set(["projects", "ventures", "tags", "tasks", "notes", "children", "related"])

/** The fields of related records that a topic may request; some of them are hidden from some users. */
const SHOWN: Record<string, readonly string[]> = {
  users: ["name", "initial", "length", "badge"],
  teams: ["name", "label", "standing", "stamp"],
  projects: [
    "name",
    "title",
    "taskCount",
    "taskTotal",
    "label",
    "shout",
    "margin",
    "insider",
    "teaser",
    "blurb",
    "stamp",
  ],
  tasks: ["name", "done", "stamp"],
  tags: ["name", "quota", "stamp"],
  sections: ["name", "stamp"],
  articles: ["title", "verdict", "heading", "stamp"],
  notes: ["text", "stamp"],
}

function withOf(c: Chance, of: string, depth: number = 0): Record<string, unknown> | undefined {
  const relations = Object.entries(RELATIONS[of] ?? {}).filter(() => c.is(45))
  if (relations.length === 0 || depth > 1) return undefined
  return Object.fromEntries(
    relations.map(([name, target]) => [name, c.is(35) ? true : hydrated(c, { name, target, depth })]),
  )
}

function hydrated(c: Chance, { name, target, depth }: { name: string; target: string; depth: number }) {
  const inner = withOf(c, target, depth + 1)
  const own = { ...(inner ? { with: inner } : {}), ...(c.is(50) ? { columns: columnsOf(c, target) } : {}) }
  if (!TO_MANY.has(name)) return own
  return {
    ...own,
    ...c.some({ where: where(c, target, 2), limit: 1 + c.below(3), _count: true, orderBy: { id: "desc" } }, 50),
  }
}

// A user who may not read one of these fields gets an error for a topic that names it.
const RULED = new Set(["badge", "standing", "margin", "insider", "quota", "verdict"])

/** Returns a selection of fields: some alone, or all but some. */
export function columnsOf(c: Chance, of: string): Record<string, boolean> {
  const names = (SHOWN[of] ?? []).filter((name) => c.is(RULED.has(name) ? 8 : 35))
  const isShown = names.length === 0 || c.is(60)
  return Object.fromEntries((isShown ? [...names, "id"] : names).map((name) => [name, isShown]))
}

/** Returns a topic about the same records that requests different fields of the related ones. */
export function otherShape(c: Chance, topic: Record<string, any>): Record<string, any> {
  const { resource } = topic
  const relations = Object.entries(topic["with"] ?? {}).map(([name, asked]) => {
    const target = resource === "settings" ? "projects" : RELATIONS[resource]?.[name]
    return [name, { ...(asked === true ? {} : Object(asked)), columns: columnsOf(c, target ?? "") }]
  })
  return relations.length === 0 ? topic : { ...topic, with: Object.fromEntries(relations) }
}

const ORDERS: Record<string, readonly object[]> = {
  teams: [{ rank: "asc" }],
  projects: [
    { size: "desc" },
    { title: "asc" },
    { team: { name: "asc" } },
    { owner: { role: "desc" } },
    { taskCount: "asc" },
  ],
  tasks: [{ weight: "asc" }, { project: { size: "asc" } }, { parent: { name: "desc" } }],
  articles: [{ title: "asc" }, { author: { role: "asc" } }],
}

const FEATURED = { name: "featured", target: "projects", depth: 1 }

export function randomTopic(c: Chance): Record<string, unknown> {
  return topicOf(c, c.is(5) ? "settings" : c.of([...COLLECTIONS, "projects", "projects", "tasks", "articles"]))
}

/** Every user may read all of these records, but not all computed fields: one statement with different answers. */
export const PLAIN_TOPICS = [
  { resourceType: "collection", resource: "users" },
  { resourceType: "collection", resource: "teams" },
  { resourceType: "global", resource: "settings" },
]

/** Returns a topic about records that every user may read, so that all users share the SQL unless relations differ. */
export function openTopic(c: Chance): Record<string, any> {
  const { with: related, ...topic } = topicOf(c, c.of(["teams", "tags", "users", "notes", "articles", "settings"]))
  return related && c.is(50) ? { ...topic, with: related } : topic
}

function topicOf(c: Chance, of: string): Record<string, unknown> {
  const locale = c.is(40) ? { locale: c.of([...LOCALES, "*"]) } : {}
  if (of === "settings") {
    const featured = c.is(60) ? { with: { featured: c.is(50) ? true : hydrated(c, FEATURED) } } : {}
    return { resourceType: "global", resource: of, ...featured, ...locale }
  }
  const filter = of in FILTERS && c.is(75) ? { where: where(c, of) } : {}
  const related = withOf(c, of)
  const order = ORDERS[of] && c.is(50) ? { orderBy: c.of(ORDERS[of]) } : {}
  const paging = c.some({ limit: 1 + c.below(12), offset: c.below(6) }, 40)
  return {
    resourceType: "collection",
    resource: of,
    ...filter,
    ...(related ? { with: related } : {}),
    ...order,
    ...paging,
    ...locale,
  }
}

export const FIRST_OF = ["teams", "sections", "tags", "memberships", "projects", "tasks", "articles", "notes"]
