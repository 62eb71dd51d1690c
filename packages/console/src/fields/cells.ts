import type { ComponentType } from "react"
import { BooleanCell } from "./boolean/cell.tsx"
import type { CellProps } from "./cell-props.ts"
import { ComputedCell } from "./computed/cell.tsx"
import { DateCell, DateTimeCell, TimeCell } from "./date/cell.tsx"
import { PartsCell } from "./json/cell.tsx"
import { NumberCell } from "./number/cell.tsx"
import { RelationCell } from "./relation/cell.tsx"
import { RichTextCell } from "./rich-text/cell.tsx"
import { MultipleCell, SelectCell } from "./select/cell.tsx"
import { IdCell, TextCell, UrlCell } from "./text/cell.tsx"
import { UploadCell } from "./upload/cell.tsx"

/** The cells of a list, by the type of their values. A type that is missing here is shown by what its value is. */
const CELLS: Readonly<Record<string, ComponentType<CellProps>>> = {
  text: TextCell,
  textarea: TextCell,
  email: TextCell,
  url: UrlCell,
  id: IdCell,
  number: NumberCell,
  boolean: BooleanCell,
  date: DateCell,
  datetime: DateTimeCell,
  time: TimeCell,
  select: SelectCell,
  visibility: SelectCell,
  multiple: MultipleCell,
  relation: RelationCell,
  upload: UploadCell,
  json: PartsCell,
  object: PartsCell,
  array: PartsCell,
  blocks: PartsCell,
  richText: RichTextCell,
}

/** Returns the cell for values of a type. */
export function cellOf(type: string): ComponentType<CellProps> {
  return Object.hasOwn(CELLS, type) ? (CELLS[type] ?? ComputedCell) : ComputedCell
}
