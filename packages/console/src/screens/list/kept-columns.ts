import type { CollectionSchema } from "kit/client"
import { useMemo } from "react"
import { KeptValue, useKept } from "../../kit/kept-value.ts"
import { type Column, columnOf, defaultColumns } from "./columns.ts"

/** The columns that a person has chosen for a list in this browser. Null stands for those of the author. */
export interface ColumnChoice {
  readonly names: readonly string[] | null
  /** Widths in pixels, by the name of the field. */
  readonly widths: Readonly<Record<string, number>>
}

const AUTHORS: ColumnChoice = { names: null, widths: {} }
const choices = new Map<string, KeptValue<ColumnChoice>>()

export function useColumnChoice(collection: string): [choice: ColumnChoice, choose: (choice: ColumnChoice) => void] {
  const kept =
    choices.get(collection) ?? new KeptValue(`columns-${collection}`, { fallback: AUTHORS, parse: parseChoice })
  choices.set(collection, kept)
  return useKept(kept)
}

/** Returns the shown columns. A field that is not there any more, or not for this person, is left out. */
export function useColumns(
  schema: CollectionSchema | undefined,
  choice: ColumnChoice,
  view: number | null,
): readonly Column[] {
  return useMemo(() => {
    if (schema === undefined) return []
    const ofView = view === null ? null : schema.list.views[view]?.columns
    const names = ofView ?? choice.names ?? defaultColumns(schema)
    const [title] = defaultColumns(schema)
    const shown = [...new Set([...(title === undefined ? [] : [title]), ...names])]
    return shown.flatMap((name) => columnOf(schema, name) ?? [])
  }, [schema, choice, view])
}

/** Returns the tracks of the grid for the columns. */
export function columnTracks(columns: readonly Column[], { widths }: ColumnChoice): string {
  const tracks = columns.map(({ name, width, share }) => {
    const chosen = widths[name]
    if (chosen !== undefined) return `${chosen}px`
    return share === 0 ? `${width}px` : `minmax(${width}px, ${share}fr)`
  })
  return tracks.join(" ")
}

const GAP = 16
// The check before the columns, the gap behind it, and the edges of a row.
const BESIDE_COLUMNS = 24 + GAP + 12 + 20

/** Returns the width in pixels below which the grid is scrolled sideways. */
export function leastWidth(columns: readonly Column[], { widths }: ColumnChoice): number {
  const sum = columns.reduce((total, { name, width }) => total + (widths[name] ?? width) + GAP, 0)
  return sum - GAP + BESIDE_COLUMNS
}

export const MIN_COLUMN_WIDTH = 48
export const MAX_COLUMN_WIDTH = 900

function parseChoice(kept: unknown): ColumnChoice | undefined {
  if (kept === null || typeof kept !== "object") return undefined
  const names =
    "names" in kept && Array.isArray(kept.names) ? kept.names.filter((name) => typeof name === "string") : null
  const widths = "widths" in kept && kept.widths !== null && typeof kept.widths === "object" ? kept.widths : {}
  const valid = Object.entries(widths).filter(([, width]) => width >= MIN_COLUMN_WIDTH && width <= MAX_COLUMN_WIDTH)
  return { names: names?.length ? names : null, widths: Object.fromEntries(valid) }
}
