import { useLive } from "kit/react"
import { type ReactNode, useEffect, useRef } from "react"
import { client } from "../client.ts"
import { useLanguage, useWords } from "./language.ts"
import { Masthead } from "./masthead.tsx"
import { PageBoundary } from "./page-boundary.tsx"
import { Link, usePlace } from "./router.tsx"
import { useIsOnline } from "./use-is-online.ts"
import { useScrollRestoration } from "./use-scroll-restoration.ts"

/** The paper around every page: masthead, content, footer. */
export function Layout({ children }: { readonly children: ReactNode }) {
  const words = useWords()
  const { path } = usePlace()
  const main = useFocusOnArrival(path)
  const settings = useLive(client.globals.settings, { columns: { siteName: true, tagline: true } })
  const isOnline = useIsOnline()
  useDocumentLanguage()
  useScrollRestoration()
  return (
    <>
      <a className="skip" href="#content">
        {words.skip}
      </a>
      <Masthead siteName={settings.data?.siteName ?? words.siteName} tagline={settings.data?.tagline ?? ""} />
      {(settings.status === "stale" || !isOnline) && (
        <p className="away" role="status">
          {words.away}
        </p>
      )}
      <main id="content" ref={main} tabIndex={-1}>
        <PageBoundary path={path}>{children}</PageBoundary>
      </main>
      <Footer />
    </>
  )
}

/** The foot of the paper: the pages about itself. One that is published appears, also while the page is open. */
function Footer() {
  const words = useWords()
  const pages = useLive(client.collections.pages, {
    stage: "published",
    columns: { title: true, slug: true },
    orderBy: { title: "asc" },
  })
  return (
    <footer className="footer">
      {pages.data && pages.data.docs.length > 0 && (
        <nav aria-label={words.aboutPaper}>
          <ul className="footer-links">
            {pages.data.docs.map(({ id, slug, title }) => (
              <li key={id}>
                <Link to={`/pages/${slug}`}>{title}</Link>
              </li>
            ))}
          </ul>
        </nav>
      )}
      <p>{words.footer}</p>
    </footer>
  )
}

/** After a link was followed, the keyboard and screen readers continue at the new content. */
function useFocusOnArrival(path: string) {
  const main = useRef<HTMLElement>(null)
  const shownPath = useRef(path)
  useEffect(() => {
    if (shownPath.current !== path) main.current?.focus({ preventScroll: true })
    shownPath.current = path
  }, [path])
  return main
}

function useDocumentLanguage(): void {
  const { language } = useLanguage()
  useEffect(() => {
    document.documentElement.lang = language
  }, [language])
}
