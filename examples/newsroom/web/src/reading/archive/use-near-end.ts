import { type RefObject, useEffect, useRef } from "react"

// More is loaded when the end is this far below the screen, so that most readers never see the end.
const NEAR = "0px 0px 600px 0px"

interface NearEnd {
  /** The same function in each render. */
  load(): void
  /** True if there is more, and nothing is on its way. */
  readonly isReady: boolean
  /** The number of records that are shown. The end may still be near after some were added. */
  readonly count: number
}

/** Calls `load` while the end of a list is near the screen. Returns the ref of the element at the end. */
export function useNearEnd({ load, isReady, count }: NearEnd): RefObject<HTMLDivElement | null> {
  const end = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!isReady || count === 0 || end.current === null) return undefined
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) load()
      },
      { rootMargin: NEAR },
    )
    observer.observe(end.current)
    return () => observer.disconnect()
  }, [load, isReady, count])
  return end
}
