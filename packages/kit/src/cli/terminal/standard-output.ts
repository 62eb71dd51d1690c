import { printable } from "./printable.ts"

const write = process.stdout.write.bind(process.stdout)

/** Reserves standard output for data. All other output, even an author's console.log, now goes to standard error. */
export function reserveStdoutForData(): void {
  // The cast is safe: standard output and standard error accept the same arguments in `write`.
  process.stdout.write = process.stderr.write.bind(process.stderr) as typeof process.stdout.write
}

/** Prints a value as JSON on one line. */
export function printJson(value: unknown): void {
  printData(printable(JSON.stringify(value)))
}

/** Prints a line of data for another program to standard output. */
export function printData(line: string): void {
  write(`${line}\n`)
}

/** Resolves once everything printed to standard output and standard error has been written. */
export async function flushOutput(): Promise<void> {
  await new Promise<void>((resolve) => void write("", () => resolve()))
  await new Promise<void>((resolve) => void process.stderr.write("", () => resolve()))
}

/** Exits without an error if the program that reads the output, such as `head`, closes the pipe. */
export function exitOnClosedPipe(): void {
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") process.exit(0)
    throwUnlessClosed(error)
  })
  process.stderr.on("error", throwUnlessClosed)
}

// Ignores errors caused by a closed terminal or pipe. A closed terminal also sends SIGHUP, which stops the command
// gracefully.
function throwUnlessClosed(error: NodeJS.ErrnoException): void {
  if (error.code !== "EIO" && error.code !== "EPIPE") throw error
}
