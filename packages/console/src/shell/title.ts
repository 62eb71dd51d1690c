import { useEffect } from "react"
import { boot } from "../kit/boot.ts"

/** Names the page in the browser: the screen, and the app. */
export function useTitle(title: string | undefined): void {
  useEffect(() => {
    document.title = title ? `${title} – ${boot.brand.name}` : boot.brand.name
  }, [title])
}
