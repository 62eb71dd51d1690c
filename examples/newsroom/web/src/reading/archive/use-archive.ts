import { useInfinite } from "kit/react-infinite"
import { useEffect, useState } from "react"
import { client } from "../../client.ts"
import { CARD } from "../article-card.tsx"

const ARTICLES_A_PAGE = 12

/** All published articles, the newest first: as many as the reader has asked for, each of them live. */
export function useArchive() {
  const list = useInfinite(client.collections.articles, {
    columns: CARD.columns,
    with: { author: CARD.with.author, team: CARD.with.team },
    stage: "published",
    orderBy: { publishedAt: "desc" },
    limit: ARTICLES_A_PAGE,
  })
  useLengthOfBefore(list)
  return list
}

export type Archive = ReturnType<typeof useArchive>

/** An article as the archive shows it. */
export type ArchivedArticle = NonNullable<Archive["data"]>[number]

/** Keeps with the address how many articles are shown, and loads as many for a reader who comes back to it. */
function useLengthOfBefore({ data, hasNextPage, isLive, isLoadingMore, loadMore }: Archive): void {
  const [wanted] = useState(() => Number(history.state?.archived ?? 0))
  const count = data?.length ?? 0
  useEffect(() => {
    if (isLive && hasNextPage && !isLoadingMore && count < wanted) loadMore()
    else if (count > 0) history.replaceState({ ...history.state, archived: count }, "")
  }, [count, wanted, isLive, hasNextPage, isLoadingMore, loadMore])
}
