import { keymap } from "prosemirror-keymap"
import type { Command, Plugin } from "prosemirror-state"
import {
  addColumnAfter,
  addRowAfter,
  deleteColumn,
  deleteRow,
  deleteTable,
  goToNextCell,
  tableEditing,
  toggleHeaderRow,
} from "prosemirror-tables"

type TableTool = "addRow" | "addColumn" | "headerRow" | "deleteRow" | "deleteColumn" | "deleteTable"

/** The commands of tables and the selection of cells, which are loaded with the first table of a text. */
export interface TableEditing {
  readonly commands: Readonly<Record<TableTool, Command>>
  readonly plugins: () => readonly Plugin[]
}

export const TABLE_EDITING: TableEditing = {
  commands: {
    addRow: addRowAfter,
    addColumn: addColumnAfter,
    headerRow: toggleHeaderRow,
    deleteRow,
    deleteColumn,
    deleteTable,
  },
  plugins: () => [keymap({ Tab: goToNextCell(1), "Shift-Tab": goToNextCell(-1) }), tableEditing()],
}
