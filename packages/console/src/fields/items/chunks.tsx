import { type ReactNode, useEffect, useRef, useState } from "react"

const CHUNK_ITEMS = 40
// Shorter lists are drawn as a whole.
const WHOLE_MAX_ITEMS = 80
const HEAD_PX = 50
// A chunk is drawn before it is scrolled into view.
const AHEAD = "600px 0px"

interface ChunksProps {
  readonly label: string
  readonly className: string
  readonly count: number
  /** Returns whether an item has to be drawn although it is far away, because it is open. */
  readonly isKept: (index: number) => boolean
  readonly children: (index: number) => ReactNode
}

/** Draws the items of a long list in chunks, of which only those near the visible part of the page exist. */
export function Chunks({ label, className, count, isKept, children }: ChunksProps) {
  if (count <= WHOLE_MAX_ITEMS) {
    return (
      <ol aria-label={label} className={className}>
        {indexes(0, count).map(children)}
      </ol>
    )
  }
  return indexes(0, Math.ceil(count / CHUNK_ITEMS)).map((chunk) => {
    const items = indexes(chunk * CHUNK_ITEMS, Math.min(count, (chunk + 1) * CHUNK_ITEMS))
    return (
      <Chunk key={chunk} label={label} className={className} count={items.length} isKept={items.some(isKept)}>
        {() => items.map(children)}
      </Chunk>
    )
  })
}

interface ChunkProps extends Omit<ChunksProps, "isKept" | "children"> {
  readonly isKept: boolean
  readonly children: () => ReactNode
}

function Chunk({ label, className, count, isKept, children }: ChunkProps) {
  const place = useRef<HTMLOListElement>(null)
  const height = useRef(count * HEAD_PX)
  const [isNear, setIsNear] = useState(false)
  const [hasFocus, setHasFocus] = useState(false)
  useEffect(() => {
    const element = place.current
    if (!element) return undefined
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (!entry) return
        if (!entry.isIntersecting) height.current = entry.boundingClientRect.height
        setIsNear(entry.isIntersecting)
      },
      { rootMargin: AHEAD, scrollMargin: AHEAD } as IntersectionObserverInit,
    )
    const focus = () => setHasFocus(true)
    const blur = () => setHasFocus(false)
    observer.observe(element)
    element.addEventListener("focusin", focus)
    element.addEventListener("focusout", blur)
    return () => {
      observer.disconnect()
      element.removeEventListener("focusin", focus)
      element.removeEventListener("focusout", blur)
    }
  }, [])
  const isShown = isNear || isKept || hasFocus
  return (
    <ol ref={place} aria-label={label} className={className} style={isShown ? undefined : { height: height.current }}>
      {isShown && children()}
    </ol>
  )
}

function indexes(from: number, to: number): readonly number[] {
  return Array.from({ length: to - from }, (_, offset) => from + offset)
}
