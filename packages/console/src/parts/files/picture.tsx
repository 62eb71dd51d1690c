import { useEffect, useRef, useState } from "react"

const LOADING_MAX = 4

let loading = 0
const waiting: (() => void)[] = []

interface PictureProps {
  readonly src: string
  readonly className?: string
  /** A description of the picture. Empty if the text beside it says the same. */
  readonly alt?: string
  /** Width by height, if they are known: the picture has its room before it is loaded. */
  readonly ratio?: number | undefined
}

/** A picture that is loaded once it comes near the screen, and at most four of them at the same time. */
export function Picture({ src, className = "", alt = "", ratio }: PictureProps) {
  const element = useRef<HTMLImageElement>(null)
  const [isNear, setIsNear] = useState(false)
  const [shown, setShown] = useState<string>()
  const [isBroken, setIsBroken] = useState(false)
  useEffect(() => {
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && setIsNear(true), {
      rootMargin: "200px",
    })
    if (element.current) observer.observe(element.current)
    return () => observer.disconnect()
  }, [])
  useEffect(() => {
    if (!isNear) return undefined
    setIsBroken(false)
    const release = whenFree(() => setShown(src))
    const image = element.current
    image?.addEventListener("load", release)
    image?.addEventListener("error", release)
    return () => {
      release()
      image?.removeEventListener("load", release)
      image?.removeEventListener("error", release)
    }
  }, [isNear, src])
  return (
    <img
      ref={element}
      className={isBroken ? `${className} broken` : className}
      src={shown}
      alt={alt}
      {...(ratio !== undefined && { style: { aspectRatio: ratio } })}
      decoding="async"
      draggable={false}
      onError={() => setIsBroken(true)}
    />
  )
}

/** Calls back once fewer than four pictures are loading. Returns a function that says that this one is done. */
function whenFree(start: () => void): () => void {
  let state: "waiting" | "loading" | "done" = "waiting"
  const begin = () => {
    if (state === "done") return next()
    state = "loading"
    loading += 1
    start()
  }
  if (loading < LOADING_MAX) begin()
  else waiting.push(begin)
  return () => {
    const wasLoading = state === "loading"
    state = "done"
    if (!wasLoading) return
    loading -= 1
    next()
  }
}

function next(): void {
  waiting.shift()?.()
}
