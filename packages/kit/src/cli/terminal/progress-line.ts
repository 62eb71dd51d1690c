/** The output of long work: lines that stay, and on a terminal one line below them that is updated. */
export class ProgressLine {
  readonly #output: NodeJS.WriteStream
  #width = 0

  constructor(output: NodeJS.WriteStream) {
    this.#output = output
  }

  get isTerminal(): boolean {
    return this.#output.isTTY === true
  }

  showLine(text: string): void {
    this.clear()
    this.#output.write(`  ${text}\n`)
  }

  /**
   * Shows a line that the next line overwrites. It is shown on terminals only, because in a log file such lines would
   * be noise.
   */
  showTransient(text: string): void {
    if (!this.isTerminal) return
    // Truncates the line to the terminal's width, because a line that wraps cannot be overwritten.
    const line = `  ${text}`.slice(0, this.#output.columns - 1)
    this.#output.write(`\r${line.padEnd(this.#width)}`)
    this.#width = line.length
  }

  /** Clears the line that is updated. */
  clear(): void {
    if (this.isTerminal && this.#width > 0) this.#output.write(`\r${" ".repeat(this.#width)}\r`)
    this.#width = 0
  }
}
