// The test writes these types from the document of the newsroom, and compiles this file with them.
import type { components, paths } from "newsroom-api"
import type { Client } from "openapi-fetch"

type Api = Client<paths>
export type Article = components["schemas"]["ArticlesRecord"]

/** The callers of the newsroom, and the records that it already has. */
export interface Newsroom {
  readonly anonymous: Api
  readonly editor: Api
  readonly admin: Api
  readonly team: string
  readonly author: string
}

/** Makes calls of every kind, as a program in another language would: by the document alone. */
export async function callNewsroom({ anonymous, editor, admin, team, author }: Newsroom): Promise<void> {
  const health = await anonymous.GET("/_kit/health")
  expectDone(health.data?.status === "ok")

  const dry = await editor.POST("/articles", {
    params: { query: { dryRun: true } },
    body: { title: "Draft", slug: "draft", team, author },
  })
  expectDone(dry.data?.slug === "draft")

  const created = await editor.POST("/articles", {
    params: { query: { locale: "en" } },
    body: { title: "Race", slug: "race", team, author, layout: { columns: 2 } },
  })
  const id = created.data?.id ?? ""
  expectDone(created.response.status === 201 && created.data?.stage === "draft")

  const nested = await editor.POST("/articles", {
    body: { title: "Tagged", slug: "tagged", team: { connect: { id: team } }, author, words: 12 },
  })
  expectDone(nested.data?.words === 12)

  const taken = await editor.POST("/articles", { body: { title: "Race", slug: "race", team, author } })
  expectDone(taken.error?.error.code === "CONFLICT")

  const invalid = await editor.POST("/articles", { body: { title: "", slug: "Not a slug", team, author } })
  expectDone(invalid.error?.error.fieldErrors?.some(({ path }) => path === "slug") === true)

  const listed = await editor.GET("/articles", {
    params: {
      query: { stage: "draft", where: { kind: "news" }, orderBy: { title: "asc" }, with: { team: true }, limit: 10 },
    },
  })
  expectDone(listed.data?.docs.length === 2 && listed.data.totalDocs === 2)

  const queried = await editor.POST("/articles/query", {
    body: {
      stage: "draft",
      where: { OR: [{ title: { contains: "rac" } }, { team: { is: { name: "Nothing" } } }] },
      with: { author: true, tags: true, comments: { limit: 5, orderBy: { createdAt: "desc" }, _count: true } },
      orderBy: [{ team: { name: "asc" } }, { createdAt: "desc" }],
    },
  })
  const [first] = queried.data?.docs ?? []
  expectDone(typeof first?.author === "object" && first.author?.id === author && first.tags?.length === 0)
  expectDone(first?._count?.comments === 0)

  const path = { id }
  const rights = await editor.GET("/articles/{id}/access", { params: { path } })
  expectDone(rights.data?.operations["update"] === true && rights.data.fields["title"]?.update === true)

  const one = await editor.GET("/articles/{id}", { params: { path, query: { stage: "draft", with: { team: true } } } })
  expectDone(typeof one.data?.team === "object" && one.data.team?.name === "Sport")

  const counted = await editor.GET("/articles/count", {
    params: { query: { stage: "draft", where: { slug: "race" } } },
  })
  expectDone(counted.data?.count === 1)

  const updated = await editor.PATCH("/articles/{id}", { params: { path }, body: { title: "Great race", words: 800 } })
  expectDone(updated.data?.title === "Great race")

  const rehearsed = await editor.PATCH("/articles/{id}", {
    params: { path, query: { dryRun: true } },
    body: { words: 1 },
  })
  expectDone(rehearsed.data?.words === 1)

  const translated = await editor.PATCH("/articles/{id}", {
    params: { path, query: { locale: "sk" } },
    body: { title: "Preteky" },
  })
  expectDone(translated.data?.title === "Preteky")

  const many = await editor.PATCH("/articles", { body: { where: { slug: { startsWith: "ra" } }, data: { words: 5 } } })
  expectDone(many.data?.length === 1)

  const batch = await editor.POST("/articles/update-batch", { body: { updates: [{ id, data: { words: 6 } }] } })
  expectDone(batch.data?.[0]?.words === 6)

  const versions = await editor.GET("/articles/{id}/versions", { params: { path, query: { limit: 5 } } })
  const oldest = Array.isArray(versions.data) ? versions.data.at(-1) : undefined
  expectDone(oldest?.versionNumber === 1 && oldest.title === "Race")
  const paged = await editor.GET("/articles/{id}/versions", { params: { path, query: { limit: 1, before: "" } } })
  const last = paged.data && "docs" in paged.data ? paged.data : undefined
  expectDone(last?.docs[0]?.title === "Race" && last.startCursor !== null && last.hasPrevPage)

  const reverted = await editor.POST("/articles/{id}/revert", { params: { path }, body: { version: 1 } })
  expectDone(reverted.data?.title === "Race")

  const form = new FormData()
  form.set("file", new File([PIXEL], "pixel.gif", { type: "image/gif" }))
  form.set("alt", "A pixel")
  const uploaded = await editor.POST("/media/upload", {
    body: { file: "", alt: "A pixel" },
    bodySerializer: () => form,
  })
  const picture = { id: uploaded.data?.id ?? "" }
  expectDone(uploaded.response.status === 201 && uploaded.data?.mimeType === "image/gif")

  const signed = await editor.POST("/media/{id}/sign", { params: { path: picture } })
  expectDone(signed.data?.url.includes("signature=") === true)

  const covered = await editor.PATCH("/articles/{id}", { params: { path }, body: { cover: picture.id } })
  expectDone(covered.data?.cover === picture.id)

  const handedIn = await editor.POST("/articles/{id}/transition", { params: { path }, body: { stage: "review" } })
  expectDone(handedIn.data?.stage === "review")

  const published = await editor.POST("/articles/publish", { body: { articles: [id], isFrontPage: true } })
  expectDone(published.response.status === 200)

  const stats = await anonymous.GET("/stats")
  expectDone(stats.response.status === 200)

  const settings = await anonymous.GET("/globals/settings", { params: { query: { with: { frontPageArticle: true } } } })
  expectDone(settings.data !== null)

  const renamed = await admin.PATCH("/globals/settings", { body: { siteName: "The newsroom" } })
  expectDone(renamed.data?.siteName === "The newsroom")

  const seen = await anonymous.GET("/articles", { params: { query: { search: "race", total: false } } })
  expectDone(seen.data?.totalDocs === -1 && seen.data.docs[0]?.notes === undefined)

  const refused = await anonymous.POST("/articles", { body: { title: "No", slug: "no", team, author } })
  expectDone(refused.error?.error.code === "UNAUTHORIZED")

  const missing = await anonymous.GET("/articles/{id}", { params: { path: { id: author } } })
  expectDone(missing.error?.error.code === "NOT_FOUND")

  const keys = await editor.POST("/auth/api-keys", { body: { name: "a program" } })
  expectDone(keys.data?.key.startsWith("kit_") === true)

  const session = await editor.GET("/auth/get-session")
  expectDone(session.data?.user.id === author)

  const kept = await admin.DELETE("/articles/{id}", { params: { path } })
  expectDone(kept.error?.error.code === "CONFLICT")

  const emptied = await admin.PATCH("/globals/settings", { body: { frontPageArticle: null } })
  expectDone(emptied.data?.frontPageArticle === null)

  const removed = await admin.DELETE("/articles/{id}", { params: { path } })
  expectDone(removed.data?.success === true && removed.data.data.id === id)

  const gone = await admin.POST("/articles/delete-many", { body: { where: { words: { gte: 0 } } } })
  expectDone(gone.data?.success === true)

  const index = await anonymous.GET("/_kit/schema", { params: { query: { locale: "sk" } } })
  expectDone(index.data?.resources.some(({ name }) => name === "articles") === true)

  const meta = await anonymous.GET("/articles/meta")
  expectDone(meta.data?.title.defined === true)

  const schema = await admin.GET("/articles/schema")
  expectDone(schema.data?.fields["title"]?.access.read === true)

  const globalSchema = await admin.GET("/globals/settings/schema")
  expectDone(globalSchema.data?.kind === "global")

  const access = await admin.GET("/globals/settings/access")
  expectDone(access.data?.operations["update"] === true)

  const document = await anonymous.GET("/_kit/openapi.json")
  expectDone(document.response.status === 200)
}

/** A picture of one pixel. */
const PIXEL = Uint8Array.from(atob("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"), (character) =>
  character.charCodeAt(0),
)

function expectDone(isDone: boolean): void {
  if (!isDone) throw new Error("A call had another answer than expected.")
}

type Schemas = components["schemas"]

/** Values that are wrong. openapi-fetch itself does not look for members that a body must not have, so they stand alone. */
export const wrongValues = [
  // @ts-expect-error There is no such kind.
  { kind: "poem" } satisfies Schemas["ArticlesWhere"],
  // @ts-expect-error A number has no such operator.
  { words: { startsWith: "1" } } satisfies Schemas["ArticlesWhere"],
  // @ts-expect-error There is no such field of the related record.
  { team: { is: { titel: "Sport" } } } satisfies Schemas["ArticlesWhere"],
  // @ts-expect-error There is no such field.
  { titel: "Race" } satisfies Schemas["ArticlesUpdate"],
  // @ts-expect-error JSON has no order.
  { layout: "asc" } satisfies Schemas["ArticlesOrderBy"],
]

/** Calls that are wrong. It is never called: that it compiles shows that the types refuse each of them. */
export async function wrongCalls({ editor, team, author }: Newsroom): Promise<void> {
  // @ts-expect-error There is no such collection.
  await editor.GET("/artcles")
  // @ts-expect-error The title is missing.
  await editor.POST("/articles", { body: { slug: "race", team, author } })
  // @ts-expect-error There is no such locale.
  await editor.GET("/articles", { params: { query: { locale: "xx" } } })
  // @ts-expect-error A limit is a number.
  await editor.POST("/articles/query", { body: { limit: "10" } })
  // @ts-expect-error The route takes a list.
  await editor.POST("/articles/publish", { body: { articles: "all" } })
  // @ts-expect-error The path needs an id.
  await editor.GET("/articles/{id}")
}
