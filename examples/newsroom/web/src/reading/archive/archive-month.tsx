import { memo, useId } from "react"
import { useDates, useWords } from "../../shell/language.ts"
import { Link } from "../../shell/router.tsx"
import { Byline, Kicker } from "../article-card.tsx"
import type { Month } from "./months-of.ts"
import type { ArchivedArticle } from "./use-archive.ts"

interface ArchiveMonthProps extends Pick<Month, "date" | "articles"> {
  isNew(article: ArchivedArticle): boolean
}

/** The articles of one month, beside its name. */
export function ArchiveMonth({ date, articles, isNew }: ArchiveMonthProps) {
  const id = useId()
  const dates = useDates()
  return (
    <section className="archive-month" aria-labelledby={id}>
      <h2 id={id} className="archive-month-name">
        {dates.month(date)}
      </h2>
      <ol className="archive-list">
        {articles.map((article) => (
          <ArchiveItem key={article.id} article={article} isNew={isNew(article)} />
        ))}
      </ol>
    </section>
  )
}

interface ArchiveItemProps {
  readonly article: ArchivedArticle
  readonly isNew: boolean
}

/** One article. An unchanged one keeps its identity, so it is not rendered again while the list grows. */
const ArchiveItem = memo(function ArchiveItem({ article, isNew }: ArchiveItemProps) {
  const words = useWords()
  const dates = useDates()
  const { id, title, slug, summary, publishedAt } = article
  return (
    <li className="card archive-item" data-new={isNew || undefined}>
      {publishedAt && (
        <time className="archive-day" dateTime={publishedAt.toISOString()}>
          <span className="archive-day-number">{dates.dayOfMonth(publishedAt)}</span> {dates.weekday(publishedAt)}
        </time>
      )}
      <div>
        <p className="kicker">
          {isNew && <span className="just-in">{words.justIn}</span>}
          <Kicker article={article} />
        </p>
        <h3 className="card-title">
          <Link id={linkIdOf(id)} to={`/articles/${slug}`}>
            {title}
          </Link>
        </h3>
        {summary && <p className="card-summary">{summary}</p>}
        <Byline article={{ ...article, publishedAt: null }} />
      </div>
    </li>
  )
})

/** Returns the id of the link to an article. */
export function linkIdOf(article: string): string {
  return `archived-${article}`
}
