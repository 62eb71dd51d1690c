import { lazy, Suspense } from "react"
import { AccountPage } from "./account/account-page.tsx"
import { Skeleton } from "./components/notice.tsx"
import { ArticlePage } from "./reading/article-page.tsx"
import { FrontPage } from "./reading/front-page.tsx"
import { NotFoundPage } from "./reading/not-found-page.tsx"
import { SearchPage } from "./reading/search-page.tsx"
import { matchPath, usePlace } from "./shell/router.tsx"

// Readers do not load what only the members of the paper use.
const DeskPage = lazy(async () => ({ default: (await import("./desk/desk-page.tsx")).DeskPage }))

/** The page of the address that is shown. */
export function CurrentPage() {
  const { path } = usePlace()
  const section = matchPath("/sections/:slug", path)
  const article = matchPath("/articles/:slug", path)
  if (path === "/") return <FrontPage />
  if (section?.["slug"]) return <FrontPage key={section["slug"]} section={section["slug"]} />
  if (article?.["slug"]) return <ArticlePage key={article["slug"]} slug={article["slug"]} />
  if (path === "/search") return <SearchPage />
  if (path === "/account") return <AccountPage />
  if (path !== "/desk" && !path.startsWith("/desk/")) return <NotFoundPage />
  return (
    <Suspense fallback={<Skeleton />}>
      <DeskPage path={path.slice("/desk".length)} />
    </Suspense>
  )
}
