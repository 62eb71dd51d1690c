import { useLive } from "kit/react"
import { client } from "../client.ts"
import { Problem, Skeleton } from "../components/notice.tsx"
import { useDates, useWords } from "../shell/language.ts"
import { useTitle } from "../shell/use-title.ts"
import { ArticleCard, Byline, CARD, Cover, Kicker, Tags } from "./article-card.tsx"
import { NotFoundPage } from "./not-found-page.tsx"
import { RichTextView } from "./rich-text-view.tsx"

const RELATED = 3

/** A published article. A correction appears while it is read. */
export function ArticlePage({ slug }: { readonly slug: string }) {
  const words = useWords()
  const dates = useDates()
  const found = useLive(client.collections.articles, {
    columns: { ...CARD.columns, body: true },
    with: CARD.with,
    stage: "published",
    where: { slug },
    limit: 1,
  })
  const article = found.data?.docs[0]
  useTitle(article?.title)
  if (found.status === "error") return <Problem error={found.error} />
  if (found.data === undefined) return <Skeleton lines={8} />
  if (article === undefined) return <NotFoundPage text={words.article.missing} />
  const { title, summary, cover, publishedAt, tags, team, body } = article
  return (
    <div className="page">
      <article className="article">
        <header className="article-head">
          <p className="kicker">
            <Kicker article={article} />
          </p>
          <h1>{title}</h1>
          {summary && <p className="article-lead">{summary}</p>}
          <Byline article={article} />
        </header>
        {cover && (
          <figure className="article-cover">
            <Cover picture={cover} isLarge />
            {cover.alt && <figcaption>{cover.alt}</figcaption>}
          </figure>
        )}
        <div className="article-body">
          <RichTextView value={body} />
        </div>
        <footer className="article-foot">
          {publishedAt && <p>{dates.day(publishedAt)}</p>}
          <Tags tags={tags} />
        </footer>
      </article>
      {team && <Related slug={slug} team={team} />}
    </div>
  )
}

interface RelatedProps {
  readonly slug: string
  readonly team: { readonly name: string; readonly slug: string }
}

function Related({ slug, team }: RelatedProps) {
  const words = useWords()
  const related = useLive(client.collections.articles, {
    ...CARD,
    stage: "published",
    where: { team: { is: { slug: team.slug } }, slug: { ne: slug } },
    orderBy: { publishedAt: "desc" },
    limit: RELATED,
  })
  if (!related.data?.docs.length) return null
  return (
    <section className="related" aria-labelledby="related">
      <h2 id="related" className="rule-title">
        {words.moreFrom(team.name)}
      </h2>
      <div className="grid">
        {related.data.docs.map((article) => (
          <ArticleCard key={article.id} article={article} place="grid" />
        ))}
      </div>
    </section>
  )
}
