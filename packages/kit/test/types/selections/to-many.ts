// Compiled, never run: a line below @ts-expect-error must not compile, every other line must.
import { createClient } from "kit/client"
import type { AppConfig, ArticlesRecord, TeamsRecord } from "../newspaper/src/generated/index.ts"
import { same } from "../same.ts"

const client = createClient<AppConfig>({ baseURL: "http://localhost:3000" })
const { articles, people } = client.collections
declare const id: string
declare const flag: boolean

export async function hydration() {
  const person = await people.findOne({ with: { articles: true } })
  if (!person) return
  same<typeof person.articles, readonly ArticlesRecord[]>()
  same<typeof person.name, string>()
  // @ts-expect-error not asked for
  person._count

  const page = await people.find({
    columns: { name: true },
    with: {
      team: true,
      articles: {
        columns: { title: true },
        where: { status: "done" },
        orderBy: [{ createdAt: "desc" }, { editor: { name: "asc" } }],
        limit: 3,
        offset: 1,
        with: { teams: { limit: 0, _count: true } },
        _count: true,
      },
    },
  })
  const first = page.docs[0]
  if (!first) return
  same<typeof first.team, TeamsRecord | null>()
  same<(typeof first)["_count"]["articles"], number>()
  const article = first.articles[0]
  if (!article) return
  same<typeof article.title, string>()
  same<typeof article.teams, readonly TeamsRecord[]>()
  same<typeof article._count.teams, number>()
  // @ts-expect-error the columns leave it out
  article.body
  // @ts-expect-error the columns leave it out
  first.email

  const unsure = await people.findOne({ with: { articles: flag } })
  same<NonNullable<typeof unsure>["articles"], readonly ArticlesRecord[] | undefined>()
  const none = await people.findOne({ with: { articles: false } })
  // @ts-expect-error not asked for
  none?.articles
  const plain = await people.findOne()
  // @ts-expect-error many records are answered only when asked for
  plain?.articles
}

export function names() {
  // @ts-expect-error no such field
  void people.find({ with: { articles: { columns: { titel: true } } } })
  // @ts-expect-error no such option
  void people.find({ with: { articles: { limt: 1 } } })
  // @ts-expect-error one record has no limit
  void people.find({ with: { team: { limit: 1 } } })
  // @ts-expect-error no such field
  void people.find({ with: { articles: { orderBy: { titel: "asc" } } } })
  // @ts-expect-error no such field of the relation that orders them
  void people.find({ with: { articles: { orderBy: { editor: { nmae: "asc" } } } } })
  // @ts-expect-error one record has no limit, whatever else is said about it
  void people.find({ with: { team: { columns: { name: true }, limit: 1 } } })
  // @ts-expect-error no such option, beside others and two levels down
  void people.find({ with: { team: true, articles: { limit: 1, with: { teams: { limit: 0, cuont: true } } } } })
  // @ts-expect-error no such relation, beside one that is not asked for
  void people.find({ with: { team: false, tema: true } })
  void people.find({ with: { team: false, articles: { orderBy: { editor: { name: "asc" } }, with: { teams: true } } } })
  // @ts-expect-error not a column
  void people.find({ columns: { articles: true } })
  // @ts-expect-error not an order
  void people.find({ orderBy: { articles: "asc" } })
}

export function filters() {
  void people.find({ where: { articles: { some: { title: "x" } } } })
  void people.find({ where: { articles: { none: {}, every: { teams: { some: { name: "x" } } } } } })
  void people.find({ where: { articles: { status: "done" } } })
  // @ts-expect-error no such field
  void people.find({ where: { articles: { some: { titel: "x" } } } })
  // @ts-expect-error no such value
  void people.find({ where: { articles: { every: { status: "don" } } } })
  // @ts-expect-error a list of records is not null
  void people.find({ where: { articles: null } })
}

export function writes() {
  void people.create({ name: "x", email: "x", articles: { create: { title: "x" } } })
  void people.updateById({ id, data: { articles: [id] } })
  void people.updateById({ id, data: { articles: { set: [{ id }], disconnect: id, delete: [id], connect: { id } } } })
  void people.updateById({ id, data: { articles: { update: [{ id, data: { title: "y" } }] } } })
  void articles.create({
    title: "x",
    author: { create: { name: "x", email: "x" } },
    teams: { create: [{ name: "x" }] },
  })
  const choice = { where: { email: "x" }, create: { name: "x", email: "x" } }
  void articles.create({ title: "x", author: { connectOrCreate: choice } })
  void articles.updateById({ id, data: { editor: { disconnect: true } } })
  void articles.updateById({ id, data: { teams: { connect: id, move: { id, before: id } } } })
  void articles.updateById({
    id,
    data: {
      teams: {
        move: [
          { id, after: id },
          { id, to: "start" },
        ],
      },
    },
  })
  // @ts-expect-error no such place
  void articles.updateById({ id, data: { teams: { move: { id, to: "top" } } } })
  // @ts-expect-error a move needs a place
  void articles.updateById({ id, data: { teams: { move: { id } } } })
  // @ts-expect-error only an ordered relation has an order
  void people.updateById({ id, data: { articles: { move: { id, to: "start" } } } })
  // @ts-expect-error the relation fills the author
  void people.create({ name: "x", email: "x", articles: { create: { title: "x", author: id } } })
  // @ts-expect-error no such field
  void people.create({ name: "x", email: "x", articles: { create: { titel: "x" } } })
  // @ts-expect-error no such operation
  void people.updateById({ id, data: { articles: { remove: [id] } } })
  // @ts-expect-error the name is not unique
  void articles.create({ title: "x", author: { connectOrCreate: { where: { name: "x" }, create: choice.create } } })
}
