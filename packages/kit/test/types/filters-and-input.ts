// Compiled, never run: a line below @ts-expect-error must not compile, every other line must.
import { createClient } from "kit/client"
import type { AppConfig, ArticlesWhere } from "./newspaper/src/generated/index.ts"

const client = createClient<AppConfig>({ baseURL: "http://localhost:3000" })
const { articles, people } = client.collections
declare const id: string
declare const meta: { readonly seo: { readonly title: string }; readonly tags: readonly string[] }

export const accepted: ArticlesWhere[] = [
  {},
  { id },
  { id: { in: [id], ne: id } },
  { title: null, body: { ne: null } },
  { title: { contains: "a", startsWith: "b", endsWith: "c", like: "d%", notIlike: "e" } },
  { status: "done", featured: true },
  { status: { in: ["idea", "done"] }, featured: { ne: false } },
  { words: { gte: 1, lt: 10, between: [1, 5] } },
  { views: 5n },
  { views: { gt: 5 } },
  { price: { lte: "10.50" } },
  { publishedAt: { gte: new Date(), lt: "2026-01-01" } },
  { author: id },
  { author: { name: "Ann" } },
  { author: { is: { name: { startsWith: "A" }, team: { name: "Sport" } } } },
  { editor: null },
  { editor: { is: null } },
  { editor: { isNot: { boss: id } } },
  { meta: { path: { at: "seo.title", eq: "Hello" }, hasKey: "seo", contains: { tags: ["a"] } } },
  { meta: { eq: meta, ne: null } },
  { meta: null },
  { contact: { endsWith: "@example.com" }, link: { startsWith: "https://" } },
  { day: { gte: "2026-01-01" }, opens: { between: ["08:00", "09:00"] } },
  { topics: { contains: "sport", containsAny: ["culture"] }, keywords: { containsAll: ["a"], length: 2 } },
  { keywords: null, moments: { contains: new Date() }, topics: { isEmpty: false } },
  { place: { contains: { city: "Nitra" } }, links: { contains: { label: "x" }, isNotEmpty: true } },
  { letters: { gt: 5 }, story: { isNull: true } },
  { page: { some: { type: "quote", text: { contains: "x" }, by: null } } },
  { page: { none: { type: "hero", shownAt: { lt: new Date() } }, every: { type: { notIn: ["columns"] } } } },
  { page: { some: { type: { eq: "hero" } } } },
  { page: { some: { OR: [{ type: "quote", text: "x" }, { NOT: { type: "hero", big: true } }] } } },
  {
    page: { some: { type: "columns", left: { some: { type: "note", text: { startsWith: "x" } }, isNotEmpty: true } } },
  },
  { page: { isEmpty: false, length: 2 } },
  { page: null },
  { AND: [{ title: "a" }, { OR: [] }], NOT: { status: "done" } },
]

export function refused() {
  // @ts-expect-error no such field
  void articles.find({ where: { titel: "x" } })
  // @ts-expect-error hidden
  void articles.find({ where: { secret: "x" } })
  // @ts-expect-error no such operator
  void articles.find({ where: { title: { startswith: "x" } } })
  // @ts-expect-error no such operator beside one that exists
  void articles.find({ where: { title: { startsWith: "x", has: "x" } } })
  // @ts-expect-error an operator of another type
  void articles.find({ where: { title: { gt: "x" } } })
  // @ts-expect-error no such option of the select
  void articles.find({ where: { status: "don" } })
  // @ts-expect-error no such option of the select, in a list
  void articles.find({ where: { status: { in: ["idea", "don"] } } })
  // @ts-expect-error text is no number
  void articles.find({ where: { words: "5" } })
  // @ts-expect-error a range has two ends
  void articles.find({ where: { words: { between: [1] } } })
  // @ts-expect-error no such field of the relation
  void articles.find({ where: { author: { is: { nmae: "x" } } } })
  // @ts-expect-error no such field of the relation, in the short form
  void articles.find({ where: { author: { nmae: "x" } } })
  // @ts-expect-error no such field of the relation, beside one that exists
  void articles.find({ where: { author: { name: "x", nmae: "x" } } })
  // @ts-expect-error no such field two relations away
  void articles.find({ where: { author: { is: { team: { is: { name: "x", nmae: "x" } } } } } })
  // @ts-expect-error no such field in a list
  void articles.find({ where: { OR: [{ title: "x" }, { titel: "x" }] } })
  // @ts-expect-error no such field in a negation
  void articles.count({ where: { NOT: { titel: "x" } } })
  // @ts-expect-error no such block
  void articles.find({ where: { page: { some: { type: "qoute" } } } })
  // @ts-expect-error no such block in a list of them
  void articles.find({ where: { page: { some: { type: { in: ["quote", "heroe"] } } } } })
  // @ts-expect-error no such member of the block
  void articles.find({ where: { page: { some: { type: "quote", txt: "x" } } } })
  // @ts-expect-error a member of another block
  void articles.find({ where: { page: { some: { type: "hero", text: "x" } } } })
  // @ts-expect-error a member without the name of its block
  void articles.find({ where: { page: { some: { text: "x" } } } })
  // @ts-expect-error a member without a bare name of its block
  void articles.find({ where: { page: { some: { type: { in: ["quote"] }, text: "x" } } } })
  // @ts-expect-error an operator of another type
  void articles.find({ where: { page: { some: { type: "quote", text: { gt: "x" } } } } })
  // @ts-expect-error a filter on a list says how many items have to match
  void articles.find({ where: { page: { type: "quote" } } })
  // @ts-expect-error no such member in an inner list
  void articles.find({ where: { page: { some: { type: "columns", left: { some: { type: "note", txt: "x" } } } } } })
  // @ts-expect-error bare text cannot be distinguished from JSON text
  void articles.find({ where: { meta: { eq: "x" } } })
  // @ts-expect-error no such operator of JSON
  void articles.find({ where: { meta: { startsWith: "x" } } })
  // @ts-expect-error no such option of the multiple select
  void articles.find({ where: { topics: { contains: "sprot" } } })
  // @ts-expect-error a list is not equal to anything
  void articles.find({ where: { keywords: "a" } })
  // @ts-expect-error one item is not a list
  void articles.find({ where: { keywords: { containsAll: "a" } } })
  // @ts-expect-error computed
  void articles.find({ where: { shout: null } })
  // @ts-expect-error computed
  void articles.find({ orderBy: { shout: "asc" } })
  // @ts-expect-error lists have no order
  void articles.find({ orderBy: { keywords: "asc" } })
  // @ts-expect-error a list is not a value
  void articles.find({ where: { title: ["x"] } })
}

export function inputs() {
  void articles.create({ title: "x", author: { connect: { id } }, meta, publishedAt: "2026-01-01", editor: null })
  const own = { title: "x", author: id }
  void articles.create({ ...own, topics: ["sport"], place: { city: "Nitra" }, links: [{ url: "https://a.sk" }] })
  void articles.create({ ...own, place: { city: "Nitra", since: new Date(), size: 5 }, moments: ["2026-01-01"] })
  void articles.create({ ...own, story: { type: "doc", content: [{ type: "text", text: "a" }] } })
  void articles.updateById({ id, data: {} }, { locale: "sk", localeFallback: false })
  void articles.update({ id, data: { author: id, body: null } })
  void articles.delete({ id })
  void client.globals.settings.update({ theme: "dark" })
  void client.globals.settings.update({ owner: { create: { name: "Ida", email: "ida@example.com" } } })
  // @ts-expect-error the title is required
  void articles.create({ author: id })
  // @ts-expect-error no such field
  void articles.create({ title: "x", author: id, titel: "x" })
  // @ts-expect-error required fields are never null
  void articles.create({ title: null, author: id })
  // @ts-expect-error kept by the server
  void articles.create({ title: "x", author: id, createdAt: new Date() })
  // @ts-expect-error read-only
  void articles.create({ title: "x", author: id, views: 5n })
  // @ts-expect-error hidden
  void articles.create({ title: "x", author: id, secret: "x" })
  // @ts-expect-error no such option
  void articles.create({ title: "x", author: id, status: "don" })
  // @ts-expect-error the city is required
  void articles.create({ ...own, place: { since: null } })
  // @ts-expect-error no such part
  void articles.create({ ...own, place: { city: "Nitra", zip: "1" } })
  // @ts-expect-error no such option
  void articles.create({ ...own, topics: ["sprot"] })
  // @ts-expect-error no document
  void articles.create({ ...own, story: { type: "paragraph", content: [] } })
  // @ts-expect-error computed
  void articles.create({ ...own, shout: { text: "X", size: 1 } })
  // @ts-expect-error virtual
  void articles.create({ ...own, letters: 1 })
  // @ts-expect-error no such operation on a relation
  void articles.create({ title: "x", author: { conect: { id } } })
  // @ts-expect-error not the author's type of the JSON field
  void articles.create({ title: "x", author: id, meta: { seo: {} } })
  // @ts-expect-error no such field
  void articles.updateById({ id, data: { titel: "x" } })
  // @ts-expect-error required fields are never null
  void articles.updateById({ id, data: { title: null } })
  // @ts-expect-error a change names its record
  void people.updateById({ data: { name: "x" } })
  // @ts-expect-error no such option
  void articles.deleteById({ id }, { lokale: "sk" })
  // @ts-expect-error not the type of the JSON field
  void client.globals.settings.update({ theme: "blue" })
}

export async function withoutGeneratedTypes() {
  const untyped = createClient({ baseURL: "http://localhost:3000" })
  const page = await untyped.collections["anything"]?.find({
    where: { a: { b: 1 } },
    with: { c: true },
    columns: { d: true },
  })
  const value: unknown = page?.docs[0]?.["d"]
  await untyped.globals["anything"]?.update({ a: 1 })
  return value
}

export function lifecycle() {
  void articles.updateById({ id, data: {}, expectedRevision: 3 })
  void articles.restoreById({ id, expectedRevision: 3 })
  void articles.restore({ id })
  void articles.purgeById({ id })
  void articles.find({ includeDeleted: true })
  void articles.count({ includeDeleted: true })
  void articles.updateMany({ where: { title: "x" }, data: { title: "y" } })
  void articles.updateMany({ all: true, data: { title: "y" } })
  void articles.updateBatch({ updates: [{ id, data: { title: "y" }, expectedRevision: 1 }] })
  void articles.deleteMany({ where: { title: "x" } })
  // @ts-expect-error a revision is a number
  void articles.deleteById({ id, expectedRevision: "3" })
  // @ts-expect-error no such field
  void articles.updateMany({ where: { titel: "x" }, data: {} })
  // @ts-expect-error no such field
  void articles.updateMany({ where: { title: "x" }, data: { titel: "y" } })
  // @ts-expect-error neither a filter nor all
  void articles.deleteMany({})
  // @ts-expect-error a change needs its record
  void articles.updateBatch({ updates: [{ data: {} }] })
}

export function withoutOptions() {
  void people.updateById({ id, data: {}, expectedRevision: undefined })
  // @ts-expect-error people have no revision
  void people.updateById({ id, data: {}, expectedRevision: 3 })
  // @ts-expect-error people have no revision
  void people.updateBatch({ updates: [{ id, data: {}, expectedRevision: 1 }] })
  // @ts-expect-error the settings have no revision
  void client.globals.settings.update({ theme: "dark" }, { expectedRevision: 1 })
  // @ts-expect-error deleted people are gone
  void people.find({ includeDeleted: true })
  // @ts-expect-error deleted people are gone
  void people.count({ includeDeleted: true })
  // @ts-expect-error deleted people are gone
  void people.restoreById({ id })
  // @ts-expect-error deleted people are gone
  void people.restore({ id })
  // @ts-expect-error deleted people are gone
  void people.purgeById({ id })
  // @ts-expect-error the server makes the ids
  void people.create({ id, name: "x", email: "x" })
  // @ts-expect-error the server counts the revisions
  void articles.updateById({ id, data: { revision: 1 } })
  // @ts-expect-error the server keeps it
  void articles.updateById({ id, data: { deletedAt: null } })
}
