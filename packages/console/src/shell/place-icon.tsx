import type { Shape } from "virtual:icons"
import { createElement, useEffect, useState } from "react"
import { keptShapes, loadShapes } from "./icon-shapes.ts"

/** Draws the icon that the author has named. It may be loaded after the first screen; its place is there before. */
export function PlaceIcon({ name }: { readonly name: string }) {
  const known = keptShapes(name)
  const [loaded, setLoaded] = useState<readonly Shape[]>([])
  const isKnown = known !== undefined
  useEffect(() => {
    if (isKnown) return undefined
    let isShown = true
    void loadShapes(name).then((shapes) => isShown && setLoaded(shapes))
    return () => {
      isShown = false
    }
  }, [name, isKnown])
  return (
    <svg aria-hidden viewBox="0 0 24 24" strokeWidth={1.6 * 1.5}>
      {(known ?? loaded).map(drawnShape)}
    </svg>
  )
}

function drawnShape(shape: Shape, index: number) {
  return typeof shape === "string"
    ? createElement("path", { key: index, d: shape })
    : createElement(shape[0], { key: index, ...shape[1] })
}
