import { useLive } from "kit/react"
import { client } from "../../client.ts"
import { WORKING_COPY } from "../stages.ts"

const { articles } = client.collections

/** The languages in which an article can be written. */
export const LOCALES = ["en", "sk"] as const

export type Locale = (typeof LOCALES)[number]

/** The working copy of an article in one language, without what it falls back to. Its text is a document of its own. */
export function useArticle(id: string, locale: Locale) {
  return useLive(articles.record(id), {
    stage: WORKING_COPY,
    locale,
    localeFallback: false,
    columns: {
      title: true,
      summary: true,
      slug: true,
      kind: true,
      notes: true,
      stage: true,
      team: true,
      publishedAt: true,
      changedSincePublished: true,
      revision: true,
    },
    with: {
      author: { columns: { name: true } },
      tags: { columns: { name: true }, orderBy: { name: "asc" } },
      cover: { columns: { url: true, alt: true } },
    },
  })
}

export type Article = NonNullable<ReturnType<typeof useArticle>["data"]>

/** The title in the default language. */
export function useTitleInEnglish(id: string): string | undefined {
  return useLive(articles.record(id), { stage: WORKING_COPY, locale: "en", columns: { title: true } }).data?.title
}
