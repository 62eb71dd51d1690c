import { useEffect } from "react"
import { useWords } from "./language.ts"

/** Sets the title of the window: the page first, then the paper. */
export function useTitle(page?: string): void {
  const { siteName } = useWords()
  useEffect(() => {
    document.title = page ? `${page} · ${siteName}` : siteName
  }, [page, siteName])
}
