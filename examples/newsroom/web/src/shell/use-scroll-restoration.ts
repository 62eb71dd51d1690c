import { useEffect } from "react"

/** The longest time for which the content of a page is awaited. */
const CONTENT_MS = 3_000

/** Stores with the address how far its page is scrolled, for a reader who comes back to it. */
export function storeScroll(): void {
  history.replaceState({ ...history.state, scrollY: window.scrollY }, "")
}

/**
 * Scrolls to where the reader was after a step back. The content of a page arrives after its address, so the browser
 * cannot do that alone.
 */
export function useScrollRestoration(): void {
  useEffect(() => {
    let stop = () => {}
    const restore = ({ state }: PopStateEvent) => {
      stop()
      stop = scrollWhenPossible(Number(state?.scrollY ?? 0))
    }
    window.addEventListener("popstate", restore)
    return () => {
      window.removeEventListener("popstate", restore)
      stop()
    }
  }, [])
}

// Scrolls as soon as the page is high enough. Returns a function that gives up.
function scrollWhenPossible(y: number): () => void {
  const observer = new ResizeObserver(() => {
    if (document.documentElement.scrollHeight < y + window.innerHeight) return
    observer.disconnect()
    window.scrollTo(0, y)
  })
  observer.observe(document.body)
  const timer = setTimeout(() => observer.disconnect(), CONTENT_MS)
  return () => {
    observer.disconnect()
    clearTimeout(timer)
  }
}
