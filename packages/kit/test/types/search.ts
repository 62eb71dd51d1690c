// Compiled, never run: a line below @ts-expect-error must not compile, every other line must.
import { createClient, type FoundRecord, type ReindexResult, type SearchResult } from "kit/client"
import type {
  AppConfig,
  ArticlesFound,
  ArticlesRecord,
  PeopleFound,
  PeopleRecord,
} from "./newspaper/src/generated/index.ts"
import { same } from "./same.ts"

const { search } = createClient<AppConfig>({ baseURL: "http://localhost:3000" })
declare const id: string

export async function foundRecords() {
  const everywhere = await search.search({ query: "river" })
  same<typeof everywhere, SearchResult<ArticlesFound | PeopleFound>>()
  for (const doc of everywhere.docs) {
    if (doc._collection === "people") {
      const { name }: PeopleRecord = doc
      return name
    }
    const { title }: ArticlesRecord = doc
    same<typeof doc._collection, "articles">()
    const score: number = doc._search.score
    const parts: readonly string[] | undefined = doc._search.highlights["title"]
    return { title, score, parts, heading: doc._search.indexedTitle ?? "" }
  }
  const articles = await search.search({ query: "", collections: ["articles"] })
  same<(typeof articles.docs)[number], ArticlesFound>()
  same<(typeof articles.docs)[number]["_collection"], "articles">()
  // @ts-expect-error only articles were searched
  articles.docs[0]?.email
  return
}

export async function optionsOfASearch() {
  await search.search(
    {
      query: "river",
      collections: ["articles", "people"],
      mode: "lexical",
      limit: 10,
      offset: 20,
      where: { articles: { status: "done", author: { is: { name: "Ann" } } }, people: { team: id } },
      facets: [{ field: "status", limit: 5, sortBy: "value" }, { field: "featured" }],
      highlights: true,
      locale: "sk",
      localeFallback: false,
      stage: "published",
    },
    { timeout: 1_000 },
  )
  // @ts-expect-error the query is missing
  await search.search({})
  // @ts-expect-error not a searchable collection
  await search.search({ query: "", collections: ["teams"] })
  // @ts-expect-error no such field
  await search.search({ query: "", where: { articles: { titel: "x" } } })
  // @ts-expect-error people are not searched
  await search.search({ query: "", collections: ["articles"], where: { people: {} } })
  // @ts-expect-error not a facet
  await search.search({ query: "", facets: [{ field: "title" }] })
  // @ts-expect-error people have no facets
  await search.search({ query: "", collections: ["people"], facets: [{ field: "status" }] })
  // @ts-expect-error no such locale
  await search.search({ query: "", locale: "fr" })
  // @ts-expect-error no such stage
  await search.search({ query: "", stage: "archived" })
  // @ts-expect-error no such mode
  await search.search({ query: "", mode: "fuzzy" })
  // @ts-expect-error no such option
  await search.search({ query: "", limmit: 1 })
}

export async function selections() {
  const { docs } = await search.search({
    query: "river",
    with: { articles: { author: { columns: { name: true } } } },
    columns: { articles: { title: true }, people: { email: false } },
  })
  for (const doc of docs) {
    if (doc._collection === "people") {
      same<"email" extends keyof typeof doc ? true : false, false>()
      doc.name satisfies string
    } else {
      same<keyof typeof doc, "id" | "title" | "author" | "_collection" | "_search">()
      same<keyof NonNullable<(typeof doc)["author"]>, "id" | "name">()
      doc._search.indexedTitle satisfies string | null
    }
  }
  const articles = await search.search({ query: "", collections: ["articles"], with: { articles: { editor: true } } })
  same<(typeof articles.docs)[number]["editor"], PeopleRecord | null>()
  const mixed = await search.search({ query: "", with: { articles: { teams: { _count: true } } }, stage: "published" })
  for (const doc of mixed.docs) {
    if (doc._collection === "articles") doc._count.teams satisfies number
    else doc satisfies PeopleFound
  }
  // @ts-expect-error no such relation
  await search.search({ query: "", with: { articles: { writer: true } } })
  // @ts-expect-error no such field of the related record
  await search.search({ query: "", with: { articles: { author: { columns: { nmae: true } } } } })
  // @ts-expect-error no such field
  await search.search({ query: "", columns: { people: { titel: true } } })
  // @ts-expect-error not a searchable collection
  await search.search({ query: "", columns: { teams: { name: true } } })
  // @ts-expect-error people are not searched
  await search.search({ query: "", collections: ["articles"], with: { people: { boss: true } } })
}

export async function reindexing() {
  const done = await search.reindex("articles", { wait: true })
  same<typeof done, ReindexResult>()
  // @ts-expect-error not a searchable collection
  await search.reindex("teams")
}

export async function withoutTypes() {
  const found = await createClient({ baseURL: "" }).search.search({
    query: "x",
    collections: ["anything"],
    where: { anything: { a: 1 } },
    with: { anything: { b: true } },
    columns: { anything: { c: true } },
    facets: [{ field: "any" }],
  })
  const doc: FoundRecord | undefined = found.docs[0]
  return doc?._collection
}
