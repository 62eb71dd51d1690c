// The requests of anonymous callers: filters over relations, in every form in which a request takes a filter.
import { RELATIONS } from "./model.mjs"

/** @typedef {import("../live/random.mjs").Chance} Chance */
/**
 * @typedef {object} Question
 * @property {string} form
 * @property {string} of       a collection
 * @property {any} options     what its form takes
 */

const COLLECTIONS = Object.keys(RELATIONS)
// Collections that other records refer to: a delete is refused once it finds those, and removes nothing.
const KEPT = ["authors", "books", "readers"]
const LONG_LIST = 1_000
// The length that a URL can have: a count takes its filter only there.
const MAX_URL_CHARACTERS = 3_000

/** Conditions that match all records of a collection, none, or some. @type {Record<string, readonly object[]>} */
const LEAVES = {
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

/** @type {Record<string, (c: Chance) => Question>} */
const FORMS = {
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

/** @param {Chance} c @returns {Question} */
export function randomQuestion(c) {
  const form = c.of(Object.keys(FORMS))
  return { ...questionOf(c, form), form }
}

/** @param {Chance} c @param {string} form */
function questionOf(c, form) {
  const make = FORMS[form]
  if (make === undefined) throw new Error(`There is no form "${form}".`)
  return make(c)
}

/** @param {Chance} c @param {readonly string[]} collections @param {(of: string) => object} optionsOf @returns {Question} */
function about(c, collections, optionsOf) {
  const of = c.of(collections)
  return { form: "", of, options: optionsOf(of) }
}

/** Returns one or more paths, combined with AND, OR or NOT. @param {Chance} c @param {string} of @returns {object} */
function tree(c, of) {
  const paths = Array.from({ length: 1 + c.below(4) }, () => path(c, of, 1 + c.below(4)))
  return c.of([{ AND: paths }, { OR: paths }, { NOT: { OR: paths } }, { OR: [{ NOT: { AND: paths } }, leaf(c, of)] }])
}

/** @param {Chance} c @param {string} of @returns {object} */
function shortTree(c, of) {
  const filter = tree(c, of)
  return JSON.stringify(filter).length > MAX_URL_CHARACTERS ? shortTree(c, of) : filter
}

/** @param {Chance} c @param {string} of @param {number} steps @returns {object} */
function path(c, of, steps) {
  if (steps === 0) return leaf(c, of)
  const [name, relation] = c.of(Object.entries(RELATIONS[of] ?? {}))
  const inner = path(c, relation.target, steps - 1)
  const beside = leaf(c, relation.target)
  const wrapped = c.of([inner, inner, { NOT: inner }, { OR: [inner, beside] }, { AND: [beside, inner] }])
  return { [name]: { [c.of(relation.isMany ? ["some", "none", "every"] : ["is", "isNot"])]: wrapped } }
}

/** @param {Chance} c @param {string} of @returns {object} */
function leaf(c, of) {
  return c.is(10) ? { id: { [c.of(["in", "notIn"])]: ids(c) } } : c.of(LEAVES[of] ?? [])
}

/** @param {Chance} c */
function ids(c) {
  const first = c.below(1_000)
  return Array.from({ length: LONG_LIST }, (_, index) => {
    return `01890000-0000-7000-8000-${(first + index).toString(16).padStart(12, "0")}`
  })
}

/** @param {Chance} c @param {string} of @returns {Record<string, object>} */
function hydrated(c, of) {
  const [name, { target, isMany }] = c.of(Object.entries(RELATIONS[of] ?? {}))
  const where = path(c, target, 1 + c.below(3))
  return { [name]: isMany ? { where, limit: c.of([1, 10]), _count: c.is(50) } : { where } }
}

/** @param {string} of */
function groupOf(of) {
  return of === "books" ? "genre" : "stars"
}

/** @param {Chance} c @param {string} of */
function orderOf(c, of) {
  const deep = of === "books" ? { author: { mentor: { name: "asc" } } } : { book: { author: { name: "asc" } } }
  return Array.from({ length: 1 + c.below(4) }, () => deep)
}

/** @param {Chance} c */
function choice(c) {
  return { connectOrCreate: { where: tree(c, "authors"), create: { name: "new" } } }
}
