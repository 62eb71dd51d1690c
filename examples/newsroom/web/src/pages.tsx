import { lazy, Suspense } from "react"
import { AccountPage } from "./account/account-page.tsx"
import { Skeleton } from "./components/notice.tsx"
import { ArticlePage } from "./reading/article-page.tsx"
import { FrontPage } from "./reading/front-page.tsx"
import { NotFoundPage } from "./reading/not-found-page.tsx"
import { PaperPage } from "./reading/paper-page.tsx"
import { SearchPage } from "./reading/search-page.tsx"
import { segmentBelow, usePlace } from "./shell/router.tsx"

const ArchivePage = lazy(async () => ({ default: (await import("./reading/archive/archive-page.tsx")).ArchivePage }))
// Readers do not load what only the members of the paper use.
const DeskPage = lazy(async () => ({ default: (await import("./desk/desk-page.tsx")).DeskPage }))

/** The page of the address that is shown. */
export function CurrentPage() {
  const { path } = usePlace()
  const section = segmentBelow("/sections", path)
  const article = segmentBelow("/articles", path)
  const paperPage = segmentBelow("/pages", path)
  const deskPlace = segmentBelow("/desk", path)
  if (path === "/") return <FrontPage />
  if (section) return <FrontPage key={section} section={section} />
  if (article) return <ArticlePage key={article} slug={article} />
  if (paperPage) return <PaperPage key={paperPage} slug={paperPage} />
  if (path === "/search") return <SearchPage />
  if (path === "/account") return <AccountPage />
  const isArchive = path === "/archive"
  if (!isArchive && path !== "/desk" && !deskPlace) return <NotFoundPage />
  return <Suspense fallback={<Skeleton />}>{isArchive ? <ArchivePage /> : <DeskPage place={deskPlace} />}</Suspense>
}
