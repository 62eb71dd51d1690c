import { Button } from "../../components/button.tsx"
import { LiveMark, Notice, Problem, Skeleton } from "../../components/notice.tsx"
import { useWords } from "../../shell/language.ts"
import { useTitle } from "../../shell/use-title.ts"
import { useNewcomers } from "../use-newcomers.ts"
import { ArchiveEnd } from "./archive-end.tsx"
import { ArchiveMonth } from "./archive-month.tsx"
import { monthsOf } from "./months-of.ts"
import { useArchive } from "./use-archive.ts"
import "../../styles/archive.css"

/** All published articles, month by month. More of them are loaded as the reader comes near the end. */
export function ArchivePage() {
  const words = useWords()
  const list = useArchive()
  const isNew = useNewcomers(list.data)
  useTitle(words.archive.title)
  if (list.data === undefined && list.status !== "error") return <Skeleton lines={8} />
  return (
    <div className="page">
      <header className="archive-head">
        <h1>{words.archive.title}</h1>
        <p className="archive-about">{words.archive.text}</p>
        <LiveMark isLive={list.isLive} />
      </header>
      {list.data === undefined && list.status === "error" && (
        <Problem error={list.error}>
          <Button onClick={list.loadMore}>{words.retry}</Button>
        </Problem>
      )}
      {list.data?.length === 0 && (
        <Notice title={words.noArticles.title}>
          <p>{words.noArticles.text}</p>
        </Notice>
      )}
      {list.data && list.data.length > 0 && (
        <div aria-busy={list.isLoadingMore}>
          {monthsOf(list.data).map(({ key, date, articles }) => (
            <ArchiveMonth key={key} date={date} articles={articles} isNew={isNew} />
          ))}
          <ArchiveEnd list={list} articles={list.data} />
        </div>
      )}
    </div>
  )
}
