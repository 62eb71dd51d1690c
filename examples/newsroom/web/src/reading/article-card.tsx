import { useDates, useWords } from "../shell/language.ts"
import { Link } from "../shell/router.tsx"

/** The fields that every list of articles reads. */
export const CARD = {
  columns: { title: true, slug: true, summary: true, kind: true, publishedAt: true, words: true },
  with: {
    cover: { columns: { url: true, alt: true, width: true, height: true } },
    tags: { columns: { name: true } },
    author: { columns: { name: true } },
    team: { columns: { name: true, slug: true } },
  },
} as const

export interface Picture {
  readonly url: string
  readonly alt: string | null
  readonly width: number | null
  readonly height: number | null
}

export interface ArticleFacts {
  readonly id: string
  readonly title: string
  readonly slug: string
  readonly summary: string | null
  readonly kind: "news" | "report" | "opinion"
  readonly publishedAt: Date | null
  readonly words: number | null
  readonly cover: Picture | null
  readonly tags: readonly { readonly id: string; readonly name: string }[]
  readonly author: { readonly name: string } | null
  readonly team: { readonly name: string; readonly slug: string } | null
}

interface ArticleCardProps {
  readonly article: ArticleFacts
  /** The article's place on the page: at its top, in the grid below, or in a narrow column. */
  readonly place: "lead" | "grid" | "column"
  /** True if the article has appeared while the page was open. */
  readonly isNew?: boolean
}

/** An article in a list. All of it opens the article, but only its title is the link. */
export function ArticleCard({ article, place, isNew = false }: ArticleCardProps) {
  const words = useWords()
  const { title, slug, summary, cover, tags } = article
  const Title = place === "lead" ? "h2" : "h3"
  return (
    <article className={`card card-${place}`} data-new={isNew || undefined}>
      {cover && place !== "column" && <Cover picture={cover} isLarge={place === "lead"} />}
      <div className="card-text">
        <p className="kicker">
          {isNew && <span className="just-in">{words.justIn}</span>}
          <Kicker article={article} />
        </p>
        <Title className="card-title">
          <Link to={`/articles/${slug}`}>{title}</Link>
        </Title>
        {summary && <p className="card-summary">{summary}</p>}
        <Byline article={article} />
        <Tags tags={tags} />
      </div>
    </article>
  )
}

interface KickerProps {
  readonly article: Pick<ArticleFacts, "kind"> & { readonly team: { readonly name: string } | null }
}

/** Says where an article belongs: its section and its kind. */
export function Kicker({ article: { kind, team } }: KickerProps) {
  const words = useWords()
  return (
    <>
      {team && <span className="kicker-team">{team.name}</span>}
      <span className={`kicker-kind kicker-${kind}`}>{words.kinds[kind]}</span>
    </>
  )
}

const WORDS_A_MINUTE = 200

/** Says who wrote an article, and when. */
export function Byline({ article }: { readonly article: Pick<ArticleFacts, "author" | "publishedAt" | "words"> }) {
  const words = useWords()
  const dates = useDates()
  const { author, publishedAt, words: count } = article
  return (
    <p className="byline">
      {author && <span>{words.by(author.name)}</span>}
      {publishedAt && <time dateTime={publishedAt.toISOString()}>{dates.ago(publishedAt)}</time>}
      {count !== null && count >= WORDS_A_MINUTE && <span>{words.minutes(Math.round(count / WORDS_A_MINUTE))}</span>}
    </p>
  )
}

/** The tags of an article. Each opens a search for what else has it. */
export function Tags({ tags }: { readonly tags: ArticleFacts["tags"] }) {
  const words = useWords()
  if (tags.length === 0) return null
  return (
    <ul className="tags" aria-label={words.article.tags}>
      {tags.map(({ id, name }) => (
        <li key={id}>
          <Link to={`/search?q=${encodeURIComponent(name)}`} className="tag">
            {name}
          </Link>
        </li>
      ))}
    </ul>
  )
}

interface CoverProps {
  readonly picture: Picture
  readonly isLarge?: boolean
}

export function Cover({ picture: { url, alt, width, height }, isLarge = false }: CoverProps) {
  return (
    <div className="cover">
      <img
        src={url}
        alt={alt ?? ""}
        width={width ?? undefined}
        height={height ?? undefined}
        loading={isLarge ? "eager" : "lazy"}
        decoding="async"
      />
    </div>
  )
}
