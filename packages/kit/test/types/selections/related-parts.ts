// Compiled, never run: a line below @ts-expect-error must not compile, every other line must.
import { createClient } from "kit/client"
import type {
  AppConfig,
  ArticlesRecord,
  PeopleRecord,
  PeopleRecordByLocale,
  TeamsRecord,
} from "../newspaper/src/generated/index.ts"
import { same } from "../same.ts"

const client = createClient<AppConfig>({ baseURL: "http://localhost:3000" })
const { articles } = client.collections
declare const flag: boolean

export async function hydration() {
  const article = await articles.findOne({
    with: {
      page: {
        hero: { face: { columns: { name: true } } },
        quote: { sources: true },
        columns: { left: { note: { team: true } } },
      },
      cast: { person: { with: { team: true } } },
      author: true,
    },
  })
  const item = article?.page?.[0]
  if (!article || !item) return
  if (item.type === "hero") {
    same<typeof item.face, Pick<PeopleRecord, "id" | "name"> | null>()
    same<typeof item.heading, string>()
  }
  if (item.type === "quote") same<typeof item.sources, ArticlesRecord[] | null>()
  const note = item.type === "columns" ? item.left[0] : undefined
  if (note?.type === "note") same<typeof note.team, TeamsRecord | null>()
  const role = article.cast?.[0]
  same<NonNullable<NonNullable<typeof role>["person"]>["team"], TeamsRecord | null>()
  same<typeof article.author, PeopleRecord | null>()

  const plain = await articles.findOne({ with: { author: true } })
  same<NonNullable<typeof plain>["page"], ArticlesRecord["page"]>()
  const chosen = await articles.findOne({ columns: { title: true }, with: { cast: { person: true } } })
  same<keyof NonNullable<typeof chosen>, "id" | "title" | "cast">()
  const unsure = await articles.findOne({ with: { cast: { person: flag } } })
  same<NonNullable<NonNullable<typeof unsure>["cast"]>[number]["person"], PeopleRecord | string | null>()
  const inAll = await articles.findOne({ locale: "*", with: { teaser: { card: { person: true } } } })
  same<
    NonNullable<NonNullable<NonNullable<typeof inAll>["teaser"]>["sk"]>[number]["person"],
    PeopleRecordByLocale | null
  >()
}

export function names() {
  // @ts-expect-error no such block
  void articles.find({ with: { page: { heroo: { face: true } } } })
  // @ts-expect-error a member that is no relation
  void articles.find({ with: { page: { hero: { heading: true } } } })
  // @ts-expect-error a block without relations
  void articles.find({ with: { page: { columns: { left: { rule: {} } } } } })
  // @ts-expect-error no such field of the related record
  void articles.find({ with: { page: { hero: { face: { columns: { nmae: true } } } } } })
  // @ts-expect-error the relations inside of it have to be named
  void articles.find({ with: { page: true } })
  void articles.find({ where: { page: { some: { type: "hero", face: { in: ["id"] } } } } })
  void articles.create({ title: "T", author: "id", page: [{ type: "hero", heading: "H", face: "id" }] })
}
