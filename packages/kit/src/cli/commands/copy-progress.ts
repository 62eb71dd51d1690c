import type { CopyEvent } from "../../engine/copy-database/copy-database.ts"
import { ProgressLine } from "../terminal/progress-line.ts"

const TENTHS = 10
const BEGINNINGS = {
  resumed: "resuming an interrupted copy",
  "already finished": "this database was copied there before: both are compared, nothing is copied",
} as const

/**
 * Shows the progress of a database copy: on a terminal one line that is updated, otherwise a new line after each tenth
 * of a table.
 */
export class CopyProgress {
  readonly #line: ProgressLine
  #lastTenth = ""

  constructor(output: NodeJS.WriteStream) {
    this.#line = new ProgressLine(output)
  }

  show(event: CopyEvent): void {
    if (event.kind === "rows") this.#showRows(event)
    else if (event.kind === "comparing") this.#line.showTransient(`${event.table}  comparing`)
    else if (event.kind === "building") this.#line.showTransient(`building ${event.title}`)
    else this.#line.showLine(BEGINNINGS[event.kind])
  }

  /** Clears the progress line. */
  end(): void {
    this.#line.clear()
  }

  #showRows({ table, rows, share }: { table: string; rows: number; share: number }): void {
    const text = `${table}  ${rows} rows  ${Math.floor(share * 100)} %`
    const tenth = `${table} ${Math.floor(share * TENTHS)}`
    if (this.#line.isTerminal) this.#line.showTransient(text)
    else if (tenth !== this.#lastTenth) this.#line.showLine(text)
    this.#lastTenth = tenth
  }
}
