import { useState } from "react"
import type { ArticleFacts } from "./article-card.tsx"

type Dated = Pick<ArticleFacts, "publishedAt">

/** Returns a function that recognizes the articles that are newer than the list was when it was first shown. */
export function useNewcomers(articles: readonly Dated[] | undefined): (article: Dated) => boolean {
  const [newest, setNewest] = useState<number>()
  if (articles !== undefined && newest === undefined) setNewest(Math.max(0, ...articles.map(timeOf)))
  return (article) => newest !== undefined && timeOf(article) > newest
}

function timeOf({ publishedAt }: Dated): number {
  return publishedAt?.getTime() ?? 0
}
