// The requests of anonymous callers: filters over relations, in every form in which a request takes a filter.
import type { Chance } from "../live/random.ts"
import { RELATIONS } from "./model.ts"

export interface Question {
  readonly form: string
  /** A collection. */
  readonly of: string
  /** The options of its form. */
  readonly options: any
}

const COLLECTIONS = Object.keys(RELATIONS)
// Collections that other records refer to: a delete is refused once it finds those, and removes nothing.
const KEPT = ["authors", "books", "readers"]
const LONG_LIST = 1_000
// The length that a URL can have: a count takes its filter only there.
const MAX_URL_CHARACTERS = 3_000

/** Conditions that match all records of a collection, none, or some. */
const LEAVES: Record<string, readonly object[]> = {
  authors: [{ name: { contains: "author" } }, { bio: { contains: "zz" } }, { name: { ne: "author 7" } }],
  books: [{ pages: { gte: 0 } }, { title: { contains: "zz" } }, { genre: "poem" }, { pages: { lt: 0 } }],
  reviews: [
    { stars: { gte: 0 } },
    { text: { contains: "zz" } },
    { stars: 5 },
    { stars: 9 },
    { text: { like: "%o%7" } },
  ],
  readers: [{ age: { gte: 0 } }, { name: { contains: "zz" } }, { age: { between: [20, 30] } }],
  tags: [{ name: { contains: "tag" } }, { name: "tag 5" }, { name: { endsWith: "zz" } }],
}

const FORMS: Record<string, (c: Chance) => Question> = {
  find: (c) => about(c, COLLECTIONS, (of) => ({ where: tree(c, of), limit: c.of([1, 50]) })),
  count: (c) => about(c, COLLECTIONS, (of) => ({ where: shortTree(c, of) })),
  groups: (c) => about(c, ["books", "reviews"], (of) => ({ where: tree(c, of), groupBy: groupOf(of) })),
  order: (c) => about(c, ["books", "reviews"], (of) => ({ orderBy: orderOf(c, of), where: tree(c, of), limit: 5 })),
  with: (c) => about(c, COLLECTIONS, (of) => ({ limit: c.of([50, 300]), with: hydrated(c, of) })),
  updateMany: (c) => about(c, ["authors"], (of) => ({ where: tree(c, of), data: { bio: "changed" } })),
  deleteMany: (c) => about(c, KEPT, (of) => ({ where: tree(c, of) })),
  topic: (c) => about(c, COLLECTIONS, (of) => ({ where: tree(c, of), limit: 10 })),
  connectOrCreate: (c) => about(c, ["books"], () => ({ title: "new", author: choice(c) })),
}

export function randomQuestion(c: Chance): Question {
  const form = c.of(Object.keys(FORMS))
  return { ...questionOf(c, form), form }
}

function questionOf(c: Chance, form: string) {
  const make = FORMS[form]
  if (make === undefined) throw new Error(`There is no form "${form}".`)
  return make(c)
}

function about(c: Chance, collections: readonly string[], optionsOf: (of: string) => object): Question {
  const of = c.of(collections)
  return { form: "", of, options: optionsOf(of) }
}

/** Returns one or more paths, combined with AND, OR or NOT. */
function tree(c: Chance, of: string): object {
  const paths = Array.from({ length: 1 + c.below(4) }, () => path(c, of, 1 + c.below(4)))
  return c.of([{ AND: paths }, { OR: paths }, { NOT: { OR: paths } }, { OR: [{ NOT: { AND: paths } }, leaf(c, of)] }])
}

function shortTree(c: Chance, of: string): object {
  const filter = tree(c, of)
  return JSON.stringify(filter).length > MAX_URL_CHARACTERS ? shortTree(c, of) : filter
}

function path(c: Chance, of: string, steps: number): object {
  if (steps === 0) return leaf(c, of)
  const [name, relation] = c.of(Object.entries(RELATIONS[of] ?? {}))
  const inner = path(c, relation.target, steps - 1)
  const beside = leaf(c, relation.target)
  const wrapped = c.of([inner, inner, { NOT: inner }, { OR: [inner, beside] }, { AND: [beside, inner] }])
  return { [name]: { [c.of(relation.isMany ? ["some", "none", "every"] : ["is", "isNot"])]: wrapped } }
}

function leaf(c: Chance, of: string): object {
  return c.is(10) ? { id: { [c.of(["in", "notIn"])]: ids(c) } } : c.of(LEAVES[of] ?? [])
}

function ids(c: Chance) {
  const first = c.below(1_000)
  return Array.from({ length: LONG_LIST }, (_, index) => {
    return `01890000-0000-7000-8000-${(first + index).toString(16).padStart(12, "0")}`
  })
}

function hydrated(c: Chance, of: string): Record<string, object> {
  const [name, { target, isMany }] = c.of(Object.entries(RELATIONS[of] ?? {}))
  const where = path(c, target, 1 + c.below(3))
  return { [name]: isMany ? { where, limit: c.of([1, 10]), _count: c.is(50) } : { where } }
}

function groupOf(of: string) {
  return of === "books" ? "genre" : "stars"
}

function orderOf(c: Chance, of: string) {
  const deep = of === "books" ? { author: { mentor: { name: "asc" } } } : { book: { author: { name: "asc" } } }
  return Array.from({ length: 1 + c.below(4) }, () => deep)
}

function choice(c: Chance) {
  return { connectOrCreate: { where: tree(c, "authors"), create: { name: "new" } } }
}
