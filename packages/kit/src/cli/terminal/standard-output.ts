import { printable } from "./printable.ts"

const write = process.stdout.write.bind(process.stdout)

/** Sends all further output except data to standard error, including an author's console.log. */
export function reserveStdoutForData(): void {
  // Both streams accept the same arguments.
  process.stdout.write = process.stderr.write.bind(process.stderr) as typeof process.stdout.write
}

/** Prints a value as JSON on one line. */
export function printJson(value: unknown): void {
  printData(printable(JSON.stringify(value)))
}

/** Prints a line for another program. */
export function printData(line: string): void {
  write(`${line}\n`)
}

/** Resolves once all output has been written. */
export async function flushOutput(): Promise<void> {
  await new Promise<void>((resolve) => void write("", () => resolve()))
  await new Promise<void>((resolve) => void process.stderr.write("", () => resolve()))
}

/** Exits without an error if the reader closes the pipe, such as `head`. */
export function exitOnClosedPipe(): void {
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") process.exit(0)
    throwUnlessClosed(error)
  })
  process.stderr.on("error", throwUnlessClosed)
}

// A closed terminal sends SIGHUP, which stops the command gracefully.
function throwUnlessClosed(error: NodeJS.ErrnoException): void {
  if (error.code !== "EIO" && error.code !== "EPIPE") throw error
}
