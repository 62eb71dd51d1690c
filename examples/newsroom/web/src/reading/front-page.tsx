import { useLive } from "kit/react"
import type { ReactNode } from "react"
import { client } from "../client.ts"
import { LiveMark, Notice, Problem, Skeleton } from "../components/notice.tsx"
import { useWords } from "../shell/language.ts"
import { Link } from "../shell/router.tsx"
import { useTitle } from "../shell/use-title.ts"
import { ArticleCard, type ArticleFacts, CARD } from "./article-card.tsx"
import { NotFoundPage } from "./not-found-page.tsx"
import { useNewcomers } from "./use-newcomers.ts"

// The front page has one article at its top, and two full rows below. The archive has all of them.
const FRONT_ARTICLES = 7
const SECTION_ARTICLES = 13
const GRID_ARTICLES = 3

/** The newest articles, of the whole paper or of one section. An article that is published meanwhile appears. */
export function FrontPage({ section }: { readonly section?: string }) {
  const words = useWords()
  const teams = useLive(client.collections.teams, section ? { where: { slug: section }, limit: 1 } : null)
  const team = teams.data?.docs[0]
  const articles = useLive(client.collections.articles, {
    ...CARD,
    stage: "published",
    ...(section && { where: { team: { is: { slug: section } } } }),
    orderBy: { publishedAt: "desc" },
    limit: section ? SECTION_ARTICLES : FRONT_ARTICLES,
  })
  const settings = useLive(client.globals.settings, { columns: { frontPageArticle: true } })
  const isNew = useNewcomers(articles.data?.docs)
  useTitle(team?.name)
  if (articles.status === "error") return <Problem error={articles.error} />
  if (section && teams.status === "live" && !team) return <NotFoundPage />
  const isLeadKnown = settings.status !== "pending" || settings.data !== undefined
  if (articles.data === undefined || !isLeadKnown) return <Skeleton lines={8} />
  const { docs } = articles.data
  const lead = docs.find(({ id }) => id === settings.data?.frontPageArticle) ?? docs[0]
  const others = docs.filter((article) => article !== lead)
  return (
    <div className="page front">
      <div className={section ? "front-head" : "unseen"}>
        <h1>{section ? team?.name : words.frontPage}</h1>
        {team?.about && <p className="section-about">{team.about}</p>}
      </div>
      {lead === undefined ? (
        <Notice title={words.noArticles.title}>
          <p>{words.noArticles.text}</p>
        </Notice>
      ) : (
        <>
          <ArticleCard article={lead} place="lead" isNew={isNew(lead)} />
          <Stories articles={others} isNew={isNew} mark={<LiveMark isLive={articles.isLive} />} />
          <p className="to-archive">
            <Link to="/archive" className="button">
              {words.archive.link}
            </Link>
          </p>
        </>
      )}
    </div>
  )
}

interface StoriesProps {
  readonly articles: readonly ArticleFacts[]
  /** Shows whether the list is live. */
  readonly mark: ReactNode
  isNew(article: ArticleFacts): boolean
}

/** The articles below the first one: opinions in a column of their own, the newest of the others in a grid. */
function Stories({ articles, isNew, mark }: StoriesProps) {
  const words = useWords()
  const opinions = articles.filter(({ kind }) => kind === "opinion")
  const stories = articles.filter(({ kind }) => kind !== "opinion")
  const [grid, rest] = [stories.slice(0, GRID_ARTICLES), stories.slice(GRID_ARTICLES)]
  const cards = (list: readonly ArticleFacts[], place: "grid" | "column") =>
    list.map((article) => <ArticleCard key={article.id} article={article} place={place} isNew={isNew(article)} />)
  return (
    <div className={opinions.length > 0 ? "stories stories-with-column" : "stories"}>
      {grid.length > 0 && (
        <section aria-labelledby="latest">
          <div className="rule-head">
            <h2 id="latest" className="rule-title">
              {words.latest}
            </h2>
            {mark}
          </div>
          <div className="grid">{cards(grid, "grid")}</div>
          {rest.length > 0 && <div className="grid grid-rest">{cards(rest, "grid")}</div>}
        </section>
      )}
      {opinions.length > 0 && (
        <section aria-labelledby="opinions" className="column">
          <h2 id="opinions" className="rule-title">
            {words.opinions}
          </h2>
          {cards(opinions, "column")}
        </section>
      )}
    </div>
  )
}
