import { ArrowDown, ArrowUp } from "lucide-react"
import { type PointerEvent, useRef } from "react"
import { useWords } from "../../../words/words.ts"
import type { Column } from "../columns.ts"
import { MAX_COLUMN_WIDTH, MIN_COLUMN_WIDTH } from "../kept-columns.ts"

export interface HeadActions {
  /** The names that lead to the value by which the list is ordered, with a minus before it if it descends. */
  readonly order: string | null
  readonly onOrder: (order: string | null) => void
  readonly onResize: (name: string, width: number) => void
}

interface GridHeadProps extends HeadActions {
  readonly columns: readonly Column[]
}

/** The names of the columns: a press orders the list by one, and their edges can be dragged. */
export function GridHead({ columns, order, onOrder, onResize }: GridHeadProps) {
  const words = useWords("list")
  return (
    <div role="rowgroup" className="grid-head">
      <div role="row" className="row head" aria-rowindex={1}>
        <span role="columnheader" className="check">
          <span className="visually-hidden">{words.selected}</span>
        </span>
        {columns.map((column) => (
          <ColumnHead key={column.name} {...{ column, order, onOrder, onResize }} />
        ))}
      </div>
    </div>
  )
}

function ColumnHead({ column, order, onOrder, onResize }: HeadActions & { readonly column: Column }) {
  const { name, field, align, orderPath } = column
  const cell = useRef<HTMLSpanElement>(null)
  const isAscending = orderPath !== null && order === orderPath
  const isDescending = orderPath !== null && order === `-${orderPath}`
  const classes = [align === "end" && "right", (isAscending || isDescending) && "sorted"].filter(Boolean).join(" ")
  // First up, then down, then as the author wants it.
  const next = isAscending ? `-${orderPath}` : isDescending ? null : orderPath
  return (
    <span
      ref={cell}
      role="columnheader"
      className={classes}
      aria-sort={isAscending ? "ascending" : isDescending ? "descending" : undefined}
    >
      {orderPath === null ? (
        <span className="cut">{field.label}</span>
      ) : (
        <button type="button" className="sort cut" onClick={() => onOrder(next)}>
          {field.label}
          {isAscending && <ArrowUp aria-hidden />}
          {isDescending && <ArrowDown aria-hidden />}
        </button>
      )}
      <Edge onDrag={(width) => onResize(name, width)} widthOf={() => cell.current?.offsetWidth ?? 0} />
    </span>
  )
}

interface EdgeProps {
  readonly onDrag: (width: number) => void
  readonly widthOf: () => number
}

/** The edge of a column, for a pointer. Keys have the widths in the display settings. */
function Edge({ onDrag, widthOf }: EdgeProps) {
  const start = useRef({ x: 0, width: 0 })
  const move = ({ clientX, currentTarget, pointerId }: PointerEvent<HTMLSpanElement>) => {
    if (!currentTarget.hasPointerCapture(pointerId)) return
    const width = Math.round(start.current.width + clientX - start.current.x)
    onDrag(Math.max(MIN_COLUMN_WIDTH, Math.min(width, MAX_COLUMN_WIDTH)))
  }
  return (
    <span
      className="edge"
      aria-hidden
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId)
        start.current = { x: event.clientX, width: widthOf() }
      }}
      onPointerMove={move}
    />
  )
}
