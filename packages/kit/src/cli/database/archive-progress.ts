import type { ArchiveEvent } from "../../engine/archive/dump-database.ts"
import { count } from "../terminal/count.ts"
import { ProgressLine } from "../terminal/progress-line.ts"
import { sizeText } from "../terminal/size-text.ts"

/** Shows the progress of a dump or a restore: a line for each table that has rows, and on a terminal the current one. */
export class ArchiveProgress {
  readonly #line: ProgressLine

  constructor(output: NodeJS.WriteStream) {
    this.#line = new ProgressLine(output)
  }

  show(event: ArchiveEvent): void {
    if (event.kind === "bytes") this.#line.showTransient(`${event.table}  ${sizeText(event.bytes)}`)
    else if (event.kind === "files") this.#line.showTransient(`files  ${event.done}`)
    else if (event.kind === "building") this.#line.showTransient(`building ${event.title}`)
    else if (event.rows > 0) this.#line.showLine(`${event.table}  ${count(event.rows, "row")}`)
  }

  /** Clears the line of the current table. */
  end(): void {
    this.#line.clear()
  }
}
