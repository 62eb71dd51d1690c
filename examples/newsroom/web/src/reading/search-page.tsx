import { useLive } from "kit/react"
import { useId } from "react"
import { client } from "../client.ts"
import { Icon } from "../components/icon.tsx"
import { Notice, Problem, Skeleton } from "../components/notice.tsx"
import { useDates, useWords } from "../shell/language.ts"
import { Link, usePlace } from "../shell/router.tsx"
import { useTitle } from "../shell/use-title.ts"
import { changeSearch } from "./change-search.ts"
import { Highlighted } from "./highlighted.tsx"
import { Facet } from "./search-facet.tsx"
import { type Found, useSearch } from "./use-search.ts"

const KINDS = ["news", "report", "opinion"] as const

/** Searches the published articles as someone types. The address holds the search, so that it can be shared. */
export function SearchPage() {
  const words = useWords()
  const { query: address } = usePlace()
  const query = address.get("q") ?? ""
  const team = address.get("team") ?? undefined
  const kind = KINDS.find((each) => each === address.get("kind"))
  const { found, error, isPending } = useSearch({ query, team, kind })
  const teams = useLive(client.collections.teams, { columns: { name: true } })
  const teamName = (id: unknown) => teams.data?.docs.find((each) => each.id === id)?.name
  const kindName = (value: unknown) => words.kinds[KINDS.find((each) => each === value) ?? "news"]
  useTitle(words.search)
  return (
    <div className="page search">
      <h1>{words.find.title}</h1>
      <SearchBox query={query} />
      <div className="search-columns">
        <section className="filters" aria-label={words.find.filters}>
          <Facet
            name="team"
            title={words.find.team}
            counts={found?.facets?.["team"]}
            chosen={team}
            labelOf={teamName}
          />
          <Facet
            name="kind"
            title={words.find.kind}
            counts={found?.facets?.["kind"]}
            chosen={kind}
            labelOf={kindName}
          />
        </section>
        <section className="results" aria-busy={isPending}>
          <p className="results-count" role="status">
            {found && words.articles(found.total)}
          </p>
          {error && <Problem error={error} />}
          {!found && !error && <Skeleton lines={6} />}
          {found?.total === 0 && (
            <Notice title={words.find.none(query)}>
              <p>{words.find.noneHint}</p>
            </Notice>
          )}
          {found && <Results found={found} />}
        </section>
      </div>
    </div>
  )
}

function SearchBox({ query }: { readonly query: string }) {
  const words = useWords()
  const id = useId()
  return (
    <search>
      <form className="search-box" onSubmit={(event) => event.preventDefault()}>
        <label htmlFor={id} className="unseen">
          {words.find.title}
        </label>
        <Icon name="search" />
        <input
          id={id}
          type="search"
          value={query}
          placeholder={words.find.placeholder}
          autoComplete="off"
          maxLength={200}
          onChange={(event) => changeSearch("q", event.target.value)}
        />
      </form>
      <p className="search-hint">{words.find.hint}</p>
    </search>
  )
}

function Results({ found }: { readonly found: Found }) {
  const words = useWords()
  const dates = useDates()
  return (
    <ol className="results-list">
      {found.docs.map(({ id, slug, title, summary, kind, publishedAt, _search: { highlights } }) => {
        const excerpt = highlights["body"]?.[0] ?? highlights["summary"]?.[0]
        return (
          <li key={id} className="result">
            <p className="kicker">
              <span className={`kicker-kind kicker-${kind}`}>{words.kinds[kind]}</span>
              {publishedAt && <time dateTime={publishedAt.toISOString()}>{dates.ago(publishedAt)}</time>}
            </p>
            <h2 className="result-title">
              <Link to={`/articles/${slug}`}>
                {highlights["title"]?.[0] ? <Highlighted text={highlights["title"][0]} /> : title}
              </Link>
            </h2>
            <p className="result-text">{excerpt ? <Highlighted text={asExcerpt(excerpt)} /> : summary}</p>
          </li>
        )
      })}
    </ol>
  )
}

// A highlight is cut out of a longer text, perhaps in the middle of a sentence.
function asExcerpt(highlight: string): string {
  const start = /^(?:<mark>)?\p{Ll}/u.test(highlight) ? "… " : ""
  return `${start}${highlight}${/[.!?”“]$/.test(highlight) ? "" : " …"}`
}
