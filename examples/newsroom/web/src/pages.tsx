import { lazy, Suspense } from "react"
import { AccountPage } from "./account/account-page.tsx"
import { Skeleton } from "./components/notice.tsx"
import { ArticlePage } from "./reading/article-page.tsx"
import { FrontPage } from "./reading/front-page.tsx"
import { NotFoundPage } from "./reading/not-found-page.tsx"
import { SearchPage } from "./reading/search-page.tsx"
import { segmentBelow, usePlace } from "./shell/router.tsx"

// Readers do not load what only the members of the paper use.
const DeskPage = lazy(async () => ({ default: (await import("./desk/desk-page.tsx")).DeskPage }))

/** The page of the address that is shown. */
export function CurrentPage() {
  const { path } = usePlace()
  const section = segmentBelow("/sections", path)
  const article = segmentBelow("/articles", path)
  const deskArticle = segmentBelow("/desk", path)
  if (path === "/") return <FrontPage />
  if (section) return <FrontPage key={section} section={section} />
  if (article) return <ArticlePage key={article} slug={article} />
  if (path === "/search") return <SearchPage />
  if (path === "/account") return <AccountPage />
  if (path !== "/desk" && !deskArticle) return <NotFoundPage />
  return (
    <Suspense fallback={<Skeleton />}>
      <DeskPage article={deskArticle} />
    </Suspense>
  )
}
