import { useLive } from "kit/react"
import { client } from "../client.ts"
import { Problem, Skeleton } from "../components/notice.tsx"
import { useDates, useWords } from "../shell/language.ts"
import { Link } from "../shell/router.tsx"
import { useTitle } from "../shell/use-title.ts"
import { ArticleCard, type ArticleFacts, Byline, CARD, Cover, Kicker, Tags } from "./article-card.tsx"
import { NotFoundPage } from "./not-found-page.tsx"
import { RichTextView } from "./rich-text-view.tsx"

const MORE_ARTICLES = 3

const NEXT = {
  columns: { title: true, slug: true, summary: true, kind: true },
  with: { team: { columns: { name: true } } },
} as const

/** A published article. A correction appears while it is read. */
export function ArticlePage({ slug }: { readonly slug: string }) {
  const words = useWords()
  const dates = useDates()
  const found = useLive(client.collections.articles, {
    columns: { ...CARD.columns, body: true },
    // In the order that the desk has given them.
    with: { ...CARD.with, related: NEXT },
    stage: "published",
    where: { slug },
    limit: 1,
  })
  const article = found.data?.docs[0]
  useTitle(article?.title)
  if (found.status === "error") return <Problem error={found.error} />
  if (found.data === undefined) return <Skeleton lines={8} />
  if (article === undefined) return <NotFoundPage text={words.article.missing} />
  const { title, summary, cover, publishedAt, tags, team, body, related } = article
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
      {related.length > 0 && <ReadNext articles={related} />}
      {team && <MoreFrom shown={[slug, ...related.map((each) => each.slug)]} team={team} />}
    </div>
  )
}

interface ReadNextProps {
  readonly articles: readonly (Pick<ArticleFacts, "id" | "title" | "slug" | "summary" | "kind"> & {
    readonly team: { readonly name: string } | null
  })[]
}

/** The articles that the desk has chosen, the first one first. */
function ReadNext({ articles }: ReadNextProps) {
  const words = useWords()
  return (
    <nav className="next" aria-labelledby="next">
      <h2 id="next" className="rule-title">
        {words.readNext}
      </h2>
      <ol className="next-list">
        {articles.map((article) => (
          <li key={article.id}>
            <p className="kicker">
              <Kicker article={article} />
            </p>
            <h3 className="next-title">
              <Link to={`/articles/${article.slug}`}>{article.title}</Link>
            </h3>
            {article.summary && <p className="next-summary">{article.summary}</p>}
          </li>
        ))}
      </ol>
    </nav>
  )
}

interface MoreFromProps {
  /** The addresses of the articles that the page leads to already. */
  readonly shown: readonly string[]
  readonly team: { readonly name: string; readonly slug: string }
}

function MoreFrom({ shown, team }: MoreFromProps) {
  const words = useWords()
  const more = useLive(client.collections.articles, {
    ...CARD,
    stage: "published",
    where: { team: { is: { slug: team.slug } }, slug: { notIn: shown } },
    orderBy: { publishedAt: "desc" },
    limit: MORE_ARTICLES,
  })
  if (!more.data?.docs.length) return null
  return (
    <section className="related" aria-labelledby="related">
      <h2 id="related" className="rule-title">
        {words.moreFrom(team.name)}
      </h2>
      <div className="grid">
        {more.data.docs.map((article) => (
          <ArticleCard key={article.id} article={article} place="grid" />
        ))}
      </div>
    </section>
  )
}
