import { useEffect, useRef, useState } from "react"
import { Button } from "../../components/button.tsx"
import { useWords } from "../../shell/language.ts"
import { linkIdOf } from "./archive-month.tsx"
import type { Archive, ArchivedArticle } from "./use-archive.ts"
import { useNearEnd } from "./use-near-end.ts"

interface ArchiveEndProps {
  readonly list: Archive
  readonly articles: readonly ArchivedArticle[]
}

/** The end of the articles that are loaded. It loads more as it comes near, and by its button, and says what has come. */
export function ArchiveEnd({ list, articles }: ArchiveEndProps) {
  const words = useWords().archive
  const { retry } = useWords()
  const hasFailed = list.status === "error"
  const { announcement, follow } = useArrivals(articles)
  const end = useNearEnd({
    load: list.loadMore,
    isReady: list.isLive && list.hasNextPage && !list.isLoadingMore,
    count: articles.length,
  })
  const isEnd = !hasFailed && !list.hasNextPage && !list.isLoadingMore
  return (
    <div ref={end} className="archive-end">
      {hasFailed && (
        <p className="error-text" role="alert">
          {words.failed} {list.error.message}
        </p>
      )}
      {isEnd ? (
        <p className="archive-last">{words.end}</p>
      ) : (
        // It stays enabled while more is loaded: a button that is disabled loses the focus.
        <Button onClick={list.loadMore} aria-disabled={list.isLoadingMore} {...follow}>
          {list.isLoadingMore && words.loading}
          {!list.isLoadingMore && (hasFailed ? retry : words.more)}
        </Button>
      )}
      <p className="unseen" role="status">
        {announcement && words.added(announcement)}
        {announcement && isEnd && ` ${words.end}`}
      </p>
    </div>
  )
}

interface Arrivals {
  /** The number of articles that were added at the end. */
  readonly older: number
  /** The number of articles that were published meanwhile. */
  readonly newer: number
  /** The number of all articles that were then shown. */
  readonly total: number
}

/**
 * Counts what has come since the last render with other articles. A reader whose focus is on the button goes on with the
 * first article that the button has brought.
 */
function useArrivals(articles: readonly ArchivedArticle[]) {
  const [announcement, announce] = useState<Arrivals>()
  const former = useRef(articles)
  const isAtButton = useRef(false)
  useEffect(() => {
    const [older, newer] = [articlesAfter(articles, former.current), articlesBefore(articles, former.current)]
    former.current = articles
    const counts = { older: older.length, newer: newer.length, total: articles.length }
    if (counts.older + counts.newer > 0) announce(counts)
    const [next] = older
    if (next && isAtButton.current) document.getElementById(linkIdOf(next.id))?.focus()
  }, [articles])
  const setAtButton = (isThere: boolean) => () => {
    isAtButton.current = isThere
  }
  return { announcement, follow: { onFocus: setAtButton(true), onBlur: setAtButton(false) } }
}

/** Returns the articles that follow those that were shown before; none if these are not shown any more. */
function articlesAfter(articles: readonly ArchivedArticle[], former: readonly ArchivedArticle[]) {
  const last = former.at(-1)
  const place = articles.findIndex(({ id }) => id === last?.id)
  return place < 0 ? [] : articles.slice(place + 1)
}

function articlesBefore(articles: readonly ArchivedArticle[], former: readonly ArchivedArticle[]) {
  const place = articles.findIndex(({ id }) => id === former[0]?.id)
  return place < 0 ? [] : articles.slice(0, place)
}
