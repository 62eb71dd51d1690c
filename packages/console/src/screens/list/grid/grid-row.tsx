import { type CSSProperties, memo } from "react"
import { Link } from "wouter"
import { cellOf } from "../../../fields/cells.ts"
import { StageTrack } from "../../../fields/stage/cell.tsx"
import type { Way } from "../../../fields/stage/way.ts"
import type { ConsoleRecord } from "../../../kit/resources.ts"
import { CellBoundary } from "../../../parts/boundaries.tsx"
import { NoValue } from "../../../parts/no-value.tsx"
import { Thumbnail } from "../../../parts/thumbnail.tsx"
import { recordPath } from "../../../routes.ts"
import { useWords } from "../../../words/words.ts"
import type { Column } from "../columns.ts"
import type { CompletenessStore } from "../locales/completeness-store.ts"
import { LocalesCell } from "../locales/locales-cell.tsx"

/** The facts and actions that all rows of a list share. */
export interface RowContext {
  readonly collection: string
  readonly columns: readonly Column[]
  readonly way: Way | null
  /** The languages in which the records are complete. */
  readonly completeness: CompletenessStore
  /** The name of the field with the picture; an empty text if the record itself is a picture; null if there is none. */
  readonly cover: string | null
  readonly onToggle: (id: string) => void
  /** Called when a record is about to be opened by its link. */
  readonly onOpen: (id: string) => void
}

interface GridRowProps {
  readonly context: RowContext
  readonly record: ConsoleRecord
  /** The number of the row in the list, from 0. */
  readonly place: number
  readonly top: number
  readonly isCurrent: boolean
  readonly isSelected: boolean
  /** The level of the row, if the list is a tree. */
  readonly level?: number
}

/** A row. It is rendered again only if its record, its place or its marks have changed. */
export const GridRow = memo(function GridRow(props: GridRowProps) {
  const { context, record, place, top, isCurrent, isSelected, level } = props
  const words = useWords("list")
  const { columns, onToggle } = context
  const title = titleOf(record, columns[0])
  return (
    // The grid has the keys; a row is reached by aria-activedescendant.
    <div
      role="row"
      id={rowId(record.id)}
      data-id={record.id}
      tabIndex={-1}
      className={isCurrent ? "row current" : "row"}
      style={placed(top)}
      aria-rowindex={place + 2}
      aria-selected={isSelected}
      aria-level={level}
    >
      <span role="gridcell" className="check">
        <input
          type="checkbox"
          className="box"
          tabIndex={-1}
          checked={isSelected}
          aria-label={words.select(title)}
          onChange={() => onToggle(record.id)}
        />
      </span>
      {columns.map((column) => (
        <Cell key={column.name} column={column} record={record} context={context} />
      ))}
    </div>
  )
})

interface CellPlace {
  readonly column: Column
  readonly record: ConsoleRecord
  readonly context: RowContext
}

function Cell({ column, record, context }: CellPlace) {
  const { name, field, relation, role } = column
  const classes = classOf(column, context.columns)
  if (role === "title") {
    return (
      <span role="gridcell" className={classes}>
        <TitleCell {...{ column, record, context }} />
      </span>
    )
  }
  if (role === "stage" && context.way) {
    const isChanged = record["changedSincePublished"] === true
    return (
      <span role="gridcell" className={classes}>
        <StageTrack part={field} way={context.way} stage={record[name]} isChanged={isChanged} />
      </span>
    )
  }
  if (role === "locales") {
    return (
      <span role="gridcell" className={classes}>
        <LocalesCell store={context.completeness} record={record} />
      </span>
    )
  }
  const Value = cellOf(field.valueType ?? field.type)
  return (
    <span role="gridcell" className={classes}>
      <CellBoundary record={record}>
        <Value part={field} value={record[name]} relation={relation} count={countOf(record, name)} />
      </CellBoundary>
    </span>
  )
}

function TitleCell({ column, record, context }: CellPlace) {
  const { collection, cover, onOpen } = context
  const title = titleOf(record, column)
  const picture = cover === "" ? record : record[cover ?? ""]
  return (
    <>
      {cover !== null && <Thumbnail file={picture} title={title} />}
      <Link
        className="cut"
        href={recordPath(collection, record.id)}
        tabIndex={-1}
        onClick={(event) => {
          // The list navigates itself: otherwise the record would be in the history twice.
          event.preventDefault()
          onOpen(record.id)
        }}
      >
        {title === "" ? <NoValue /> : title}
      </Link>
    </>
  )
}

/** A row that has not been read yet. */
export function WaitingRow({ top, place }: { readonly top: number; readonly place: number }) {
  return (
    <div role="row" className="row waiting" style={placed(top)} aria-rowindex={place + 2} aria-busy>
      <span role="gridcell" className="title">
        <span className="skeleton" style={{ width: `${38 + ((place * 37) % 45)}%` }} />
      </span>
    </div>
  )
}

export function rowId(id: string): string {
  return `row-${id}`
}

/** Returns the title of a record: the value of the first column, as text. */
function titleOf(record: ConsoleRecord, column: Column | undefined): string {
  const value = record[column?.name ?? "id"]
  if (value === null || value === undefined) return ""
  if (value instanceof Date) return value.toISOString()
  return typeof value === "object" ? record.id : String(value)
}

// On a phone a row has the title, one value, one note and the time.
function classOf({ name, role, align, field }: Column, columns: readonly Column[]): string {
  const others = columns.slice(1)
  const time = others.findLast(({ field: { type } }) => type === "datetime" || type === "date")
  const value = others.find((each) => each.role === "stage") ?? others.find((each) => each.align === "end")
  const note = others.find((each) => each !== time && each !== value)
  return [
    role === "title" ? "title" : role === "stage" ? "" : "dim",
    align === "end" && "right",
    field.type === "richText" || field.type === "textarea" ? "long" : "",
    name === time?.name && "time",
    name === value?.name && "on-phone-value",
    name === note?.name && "on-phone-note",
  ]
    .filter(Boolean)
    .join(" ")
}

function countOf(record: ConsoleRecord, name: string): number | undefined {
  const counts = record["_count"]
  if (counts === null || typeof counts !== "object" || !(name in counts)) return undefined
  // The names of the counts are those of relations.
  return (counts as Readonly<Record<string, number>>)[name]
}

function placed(top: number): CSSProperties {
  return { transform: `translateY(${top}px)` }
}
