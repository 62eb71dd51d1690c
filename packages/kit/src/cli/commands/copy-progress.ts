import type { CopyEvent } from "../../engine/copy-database/copy-database.ts"

const TENTHS = 10
const BEGINNINGS = {
  resumed: "resuming an interrupted copy",
  "already finished": "this database was copied there before: both are compared, nothing is copied",
} as const

/** Shows the progress of a copy: one updated line on a terminal, otherwise a line per tenth of a table. */
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

  /** Clears the updated line. */
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

  // Shown on terminals only: in a log file these lines would be noise.
  #showTransient(text: string): void {
    if (!this.#output.isTTY) return
    // A line that wraps could not be overwritten.
    const line = `  ${text}`.slice(0, this.#output.columns - 1)
    this.#output.write(`\r${line.padEnd(this.#width)}`)
    this.#width = line.length
  }
}
