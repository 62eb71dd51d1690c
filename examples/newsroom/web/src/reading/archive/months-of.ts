import type { ArchivedArticle } from "./use-archive.ts"

export interface Month {
  /** The year and the number of the month. */
  readonly key: string
  /** A moment in it. */
  readonly date: Date
  readonly articles: readonly ArchivedArticle[]
}

/** Returns articles that are in the order of their publication by months, as the reader's calendar has them. */
export function monthsOf(articles: readonly ArchivedArticle[]): readonly Month[] {
  const months = new Map<string, { readonly date: Date; readonly articles: ArchivedArticle[] }>()
  for (const article of articles) {
    const date = article.publishedAt ?? new Date(0)
    const key = `${date.getFullYear()}-${date.getMonth() + 1}`
    const month = months.get(key) ?? { date, articles: [] }
    months.set(key, month)
    month.articles.push(article)
  }
  return [...months].map(([key, month]) => ({ key, ...month }))
}
