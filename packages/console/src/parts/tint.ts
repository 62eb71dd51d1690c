import type { CSSProperties } from "react"

// Blue is the pencil of the viewer, and gray is nobody.
const TINTS = ["red", "orange", "yellow", "green", "teal", "purple", "pink"] as const
const COLORS: readonly string[] = [...TINTS, "gray", "blue"]

/** Returns the colour of a person, which is the same everywhere. */
export function tintOf(id: string): CSSProperties {
  let sum = 0
  for (const character of id) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) >>> 0
  return markOf(TINTS[sum % TINTS.length] ?? "gray")
}

/** Returns the style of what has a colour that an author has named. An unknown name is gray. */
export function markOf(color: string | null): CSSProperties {
  const known = color !== null && COLORS.includes(color) ? color : "gray"
  // A custom property is no known member of a style.
  return { "--mark": `var(--${known})` } as CSSProperties
}
