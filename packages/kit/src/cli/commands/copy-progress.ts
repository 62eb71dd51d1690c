import type { CopyEvent } from "../../engine/copy-database/copy-database.ts"

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
  readonly #output: NodeJS.WriteStream
  #lastTenth = ""
  #width = 0

  constructor(output: NodeJS.WriteStream) {
    this.#output = output
  }

  show(event: CopyEvent): void {
    if (event.kind === "rows") this.#showRows(event)
    else if (event.kind === "comparing") this.#showTransient(`${event.table}  comparing`)
    else if (event.kind === "building") this.#showTransient(`building ${event.title}`)
    else this.#showLine(BEGINNINGS[event.kind])
  }

  /** Clears the progress line. */
  end(): void {
    if (this.#output.isTTY && this.#width > 0) this.#output.write(`\r${" ".repeat(this.#width)}\r`)
    this.#width = 0
  }

  #showRows({ table, rows, share }: { table: string; rows: number; share: number }): void {
    const text = `${table}  ${rows} rows  ${Math.floor(share * 100)} %`
    const tenth = `${table} ${Math.floor(share * TENTHS)}`
    if (this.#output.isTTY) this.#showTransient(text)
    else if (tenth !== this.#lastTenth) this.#showLine(text)
    this.#lastTenth = tenth
  }

  #showLine(text: string): void {
    this.end()
    this.#output.write(`  ${text}\n`)
  }

  // Shows a line that the next line overwrites. It is shown on terminals only, because in a log file such lines would
  // be noise.
  #showTransient(text: string): void {
    if (!this.#output.isTTY) return
    // Truncates the line to the terminal's width, because a line that wraps cannot be overwritten.
    const line = `  ${text}`.slice(0, this.#output.columns - 1)
    this.#output.write(`\r${line.padEnd(this.#width)}`)
    this.#width = line.length
  }
}
