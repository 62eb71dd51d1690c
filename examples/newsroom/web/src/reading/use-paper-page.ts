import { useLive } from "kit/react"
import { client } from "../client.ts"
import { CARD } from "./article-card.tsx"

/** Reads a page, with the picture and the articles that its blocks show. What its reader may not see is left out. */
export function usePaperPage(slug: string) {
  return useLive(client.collections.pages, {
    columns: { title: true, body: true },
    with: {
      body: {
        hero: { image: CARD.with.cover },
        stories: { articles: STORY },
      },
    },
    stage: "published",
    where: { slug },
    limit: 1,
  })
}

const STORY = {
  columns: { title: true, slug: true, summary: true, kind: true },
  with: { team: CARD.with.team, cover: CARD.with.cover },
} as const

type PaperPage = NonNullable<ReturnType<typeof usePaperPage>["data"]>["docs"][number]

/** A block of a page as it is shown: with records in the place of their ids. */
export type PageBlock = NonNullable<PaperPage["body"]>[number]

/** The block of this type. */
export type PageBlockOf<Type extends PageBlock["type"]> = Extract<PageBlock, { readonly type: Type }>
