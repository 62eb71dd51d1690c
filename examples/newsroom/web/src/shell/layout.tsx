import { useLive } from "kit/react"
import { type ReactNode, useEffect, useRef } from "react"
import { client } from "../client.ts"
import { useWords } from "./language.tsx"
import { Masthead } from "./masthead.tsx"
import { usePlace } from "./router.tsx"

/** The paper around every page: masthead, content, footer. */
export function Layout({ children }: { readonly children: ReactNode }) {
  const words = useWords()
  const { path } = usePlace()
  const main = useRef<HTMLElement>(null)
  const shownPath = useRef(path)
  useEffect(() => {
    // After a link was followed, the keyboard and screen readers continue at the new content.
    if (shownPath.current !== path) main.current?.focus({ preventScroll: true })
    shownPath.current = path
  }, [path])
  const settings = useLive(client.globals.settings, { columns: { siteName: true, tagline: true } })
  return (
    <>
      <a className="skip" href="#content">
        {words.skip}
      </a>
      <Masthead siteName={settings.data?.siteName ?? words.siteName} tagline={settings.data?.tagline ?? ""} />
      <main id="content" ref={main} tabIndex={-1}>
        {children}
      </main>
      <footer className="footer">
        <p>{words.footer}</p>
      </footer>
    </>
  )
}
