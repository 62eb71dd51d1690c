import letters, { type Shape } from "virtual:icons"
import { createElement, useEffect, useState } from "react"
import { whenFirstScreenIsShown } from "../kit/first-screen.ts"

/** Draws the icon that the author has named. It is loaded after the first screen; its place is there before. */
export function PlaceIcon({ name }: { readonly name: string }) {
  const [shapes, setShapes] = useState<readonly Shape[]>([])
  useEffect(() => {
    let isShown = true
    void shapesOf(name).then((found) => isShown && setShapes(found))
    return () => {
      isShown = false
    }
  }, [name])
  return (
    <svg aria-hidden viewBox="0 0 24 24" strokeWidth={1.6 * 1.5}>
      {shapes.map(drawnShape)}
    </svg>
  )
}

function drawnShape(shape: Shape, index: number) {
  return typeof shape === "string"
    ? createElement("path", { key: index, d: shape })
    : createElement(shape[0], { key: index, ...shape[1] })
}

/** Returns the shapes of an icon; none if there is no icon of this name, which the author may have had for another app. */
async function shapesOf(name: string): Promise<readonly Shape[]> {
  await whenFirstScreenIsShown()
  try {
    const icons = await letters[name.charAt(0)]?.()
    return icons?.default[name] ?? []
  } catch {
    // An icon is no reason to fail, for example while the connection is away.
    return []
  }
}
