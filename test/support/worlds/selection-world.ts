import { collection, type Session } from "kit"
import type { SeededRandom } from "../seeded-random.ts"

// Collections in which every rule that decides about an answer occurs: rows and fields that only some callers may read,
// fields that are hidden in some rows, stages, locales, computed fields and read hooks.

type Caller = { session: Session | null }

const isEditor = ({ session }: Caller) => session?.user.role === "editor"
const isOwn = ({ session }: Caller) => ({ owner: session?.user.id ?? "" })

const people = collection("people")
  .fields(({ f }) => ({
    name: f.text().required(),
    phone: f.text().access({ read: isEditor }),
    email: f.text().access({ read: ({ session }) => isEditor({ session }) || { name: { ne: "Ida" } } }),
    boss: f.relation("people"),
    posts: f.relation("posts").hasMany({ via: "author" }),
  }))
  .title("name")
  .searchable({})
  .access({ read: (caller) => isEditor(caller) || { name: { ne: "Hidden" } }, create: true, update: true })

const tags = collection("tags")
  .fields(({ f }) => ({ name: f.text().localized() }))
  .hooks({ afterRead: ({ row }) => ({ ...row, shout: `${row["name"]}!` }) })
  .access({ read: true, create: true })

const posts = collection("posts")
  .fields(({ f }) => ({
    title: f.text().localized(),
    body: f.text(),
    owner: f.text(),
    at: f.datetime(),
    fee: f.number().access({ read: (caller) => isEditor(caller) || isOwn(caller) }),
    key: f.text().access({ read: isEditor }),
    words: f.computed(({ row }) => String(row["body"]).length),
    author: f.relation("people"),
    reviewer: f.relation("people").access({ read: isEditor }),
    tags: f.relation("tags").manyToMany({ ordered: true }),
  }))
  .title("title")
  .searchable({ fields: ["body"] })
  .options({ revision: true, workflow: true, softDelete: true })
  .access({
    read: (caller) => isEditor(caller) || { body: { ne: "sealed" } },
    create: true,
    update: true,
    transition: true,
    drafts: (caller) => isEditor(caller) || (caller.session ? isOwn(caller) : false),
  })

// Its writes need no more than one statement.
const notes = collection("notes")
  .fields(({ f }) => ({ text: f.text(), at: f.datetime(), writer: f.relation("people") }))
  .options({ revision: true })
  .access({ read: true, create: true, update: true })

/** A collection whose records can be created by those who may not read them. */
const letters = collection("letters")
  .fields(({ f }) => ({ text: f.text(), sender: f.relation("people") }))
  .access({ read: isEditor, create: true, update: true })

export const SELECTION_WORLD = [people, tags, posts, notes, letters]
export const SELECTION_LOCALES = { default: "en", all: ["en", "sk"] }

export const SELECTION_CALLERS: readonly (Session | undefined)[] = [
  { user: { id: "ann", role: "editor" } },
  { user: { id: "bob" } },
  undefined,
]

export type SelectionName = "people" | "tags" | "posts" | "notes" | "letters"

/** The options `with` and `columns`, either of which may be absent. */
export interface RandomSelection {
  readonly with?: Record<string, unknown>
  readonly columns?: Record<string, boolean>
}

interface Shape {
  readonly columns: readonly string[]
  readonly one: Readonly<Record<string, SelectionName>>
  readonly many: Readonly<Record<string, SelectionName>>
}

/** The names that every caller may use. */
const SHAPES: Readonly<Record<SelectionName, Shape>> = {
  people: { columns: ["name", "email", "boss", "createdAt"], one: { boss: "people" }, many: { posts: "posts" } },
  tags: { columns: ["name"], one: {}, many: {} },
  posts: {
    columns: ["title", "body", "owner", "at", "fee", "words", "author", "revision"],
    one: { author: "people" },
    many: { tags: "tags" },
  },
  notes: { columns: ["text", "at", "writer", "revision"], one: { writer: "people" }, many: {} },
  letters: { columns: ["text", "sender"], one: { sender: "people" }, many: {} },
}

/** Returns a random selection of a collection that every caller may request. */
export function randomSelection(random: SeededRandom, name: SelectionName, depth = 3): RandomSelection {
  const columns = randomColumns(random, SHAPES[name].columns)
  const related = depth === 0 ? {} : randomWith(random, name, depth)
  const hasWith = Object.keys(related).length > 0 || random.below(8) === 0
  return { ...(columns && { columns }), ...(hasWith && { with: related }) }
}

function randomColumns({ below }: SeededRandom, names: readonly string[]): Record<string, boolean> | undefined {
  if (below(2) === 0) return undefined
  const value = below(3) > 0
  return Object.fromEntries(names.filter(() => below(2) === 0).map((name) => [name, value]))
}

function randomWith(random: SeededRandom, name: SelectionName, depth: number): Record<string, unknown> {
  const { one, many } = SHAPES[name]
  const ones = some(random, Object.entries(one)).map(([relation, target]) => [
    relation,
    related(random, randomSelection(random, target, depth - 1)),
  ])
  const lists = some(random, Object.entries(many)).map(([relation, target]) => [
    relation,
    related(random, { ...randomSelection(random, target, depth - 1), ...randomList(random) }),
  ])
  return Object.fromEntries([...ones, ...lists])
}

function related({ below }: SeededRandom, options: object): unknown {
  const value = below(6)
  return value === 0 ? false : value === 1 ? true : options
}

function randomList({ below }: SeededRandom): object {
  return {
    ...(below(3) === 0 && { _count: true }),
    ...(below(3) === 0 && { limit: 1 + below(2), offset: below(2) }),
    ...(below(3) === 0 && { orderBy: { id: "asc" } }),
  }
}

function some<Item>({ below }: SeededRandom, items: readonly Item[]): Item[] {
  return items.filter(() => below(2) === 0)
}
