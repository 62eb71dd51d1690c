import { type SeedContext, seed } from "kit"
import type { PagesBodyBlockInput } from "../generated/index.ts"
import { PAGES, type PageText } from "./_content/pages.ts"
import { paintCover } from "./_paint-cover.ts"

/** The pages of the paper itself. It runs after the seed of the articles, to which some pages lead. */
export default seed(async (context) => {
  const { pages } = context.collections
  const articles = await readArticles(context)
  for (const [index, { slug, stage, en, sk }] of PAGES.entries()) {
    const { id } = await pages.create({ slug, title: en.title, body: await buildBody(context, en, articles) })
    const data = { title: sk.title, body: await buildBody(context, sk, articles) }
    await pages.updateById({ id, data }, { locale: "sk" })
    if (stage === "published") await pages.transitionStage({ id, stage })
    context.progress("pages", index + 1, PAGES.length)
  }
})

/** Returns the ids of the articles by their addresses. */
async function readArticles({ collections }: SeedContext): Promise<ReadonlyMap<string, string>> {
  const { docs } = await collections.articles.find({ columns: { slug: true }, stage: "draft", limit: 100 })
  return new Map(docs.map(({ slug, id }) => [slug, id]))
}

/** Returns the blocks of a page with the ids of the picture and the articles that they show. */
async function buildBody(
  context: SeedContext,
  { picture, body }: PageText,
  articles: ReadonlyMap<string, string>,
): Promise<readonly PagesBodyBlockInput[]> {
  const image = picture ? await uploadPicture(context, picture) : null
  return body.map((block) => {
    if (block.type === "hero") return { ...block, image }
    if (block.type !== "stories") return block
    return { ...block, articles: block.articles.flatMap((slug) => articles.get(slug) ?? []) }
  })
}

async function uploadPicture({ upload }: SeedContext, { palette, alt }: NonNullable<PageText["picture"]>) {
  const file = new File([paintCover(palette)], `${palette}.png`, { type: "image/png" })
  return (await upload("media", file, { alt })).id
}
