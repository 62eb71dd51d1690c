import { useLive } from "kit/react"
import { useEffect, useRef } from "react"
import { client } from "../client.ts"
import { Icon } from "../components/icon.tsx"
import { useDates, useLanguage, useWords } from "./language.ts"
import { Link, usePlace } from "./router.tsx"
import { useSession } from "./session.ts"
import { LANGUAGES } from "./stored-language.ts"
import { useTheme } from "./theme.ts"

interface MastheadProps {
  readonly siteName: string
  readonly tagline: string
}

/** The head of the paper: its name, and the way to everything else. */
export function Masthead({ siteName, tagline }: MastheadProps) {
  const dates = useDates()
  const { path } = usePlace()
  return (
    <header className={path === "/" ? "masthead" : "masthead masthead-inner"}>
      <div className="masthead-bar">
        <p className="masthead-date">{dates.today(new Date())}</p>
        <div className="masthead-tools">
          <LanguageSwitch />
          <ThemeSwitch />
          <AccountLink />
        </div>
      </div>
      <div className="masthead-title">
        <Link to="/" className="masthead-name">
          {siteName}
        </Link>
        <p className="masthead-tagline">{tagline}</p>
      </div>
      <Sections />
    </header>
  )
}

function Sections() {
  const words = useWords()
  const { path } = usePlace()
  const teams = useLive(client.collections.teams, { columns: { name: true, slug: true }, orderBy: { name: "asc" } })
  const session = useSession()
  const links = [
    { to: "/", name: words.frontPage },
    ...(teams.data?.docs.map(({ slug, name }) => ({ to: `/sections/${slug}`, name })) ?? []),
    ...(session.user ? [{ to: "/desk", name: words.desk }] : []),
  ]
  const list = useRef<HTMLUListElement>(null)
  // Runs after each render: all that renders the list again can move its links.
  useEffect(() => showCurrent(list.current))
  return (
    <nav className="sections" aria-label={words.sections}>
      <ul ref={list}>
        {links.map(({ to, name }) => (
          <li key={to}>
            <Link to={to} aria-current={currentOf(to, path)}>
              {name}
            </Link>
          </li>
        ))}
      </ul>
      <Link to="/search" className="sections-search" aria-current={path === "/search" ? "page" : undefined}>
        <Icon name="search" />
        <span>{words.search}</span>
      </Link>
    </nav>
  )
}

/** Says whether a link leads to the page that is shown (`page`), or to one above it. */
function currentOf(to: string, path: string): "page" | true | undefined {
  if (path === to) return "page"
  return path.startsWith(`${to}/`) ? true : undefined
}

/** Scrolls a list that is wider than the screen until the current link is in its middle. */
function showCurrent(list: HTMLUListElement | null): void {
  const current = list?.querySelector<HTMLElement>("[aria-current]")
  if (list && current) list.scrollLeft = current.offsetLeft - (list.clientWidth - current.offsetWidth) / 2
}

function LanguageSwitch() {
  const words = useWords()
  const { language, choose } = useLanguage()
  return (
    <fieldset className="switch">
      <legend className="unseen">{words.language}</legend>
      {LANGUAGES.map((each) => (
        <label key={each}>
          <input type="radio" name="language" checked={each === language} onChange={() => choose(each)} />
          <span lang={each}>{each.toUpperCase()}</span>
        </label>
      ))}
    </fieldset>
  )
}

function ThemeSwitch() {
  const words = useWords()
  const [theme, choose] = useTheme()
  const other = theme === "dark" ? "light" : "dark"
  return (
    <button type="button" className="tool" aria-label={words.theme[other]} onClick={() => choose(other)}>
      <Icon name={other === "dark" ? "moon" : "sun"} />
    </button>
  )
}

function AccountLink() {
  const words = useWords()
  const { status, user } = useSession()
  if (status === "pending") return <span className="tool" />
  return (
    <Link to="/account" className="tool">
      <Icon name="user" />
      <span>{user ? user.name : words.signIn.title}</span>
    </Link>
  )
}
