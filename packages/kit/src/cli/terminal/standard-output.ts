import { printable } from "./printable.ts"

const write = process.stdout.write.bind(process.stdout)

/** From now on everything but data goes to standard error, whoever prints it: an author's console.log too. */
export function keepForData(): void {
  // Both streams take the same arguments.
  process.stdout.write = process.stderr.write.bind(process.stderr) as typeof process.stdout.write
}

/** A value on a line of its own. */
export function printJson(value: unknown): void {
  printData(printable(JSON.stringify(value)))
}

/** A line for another program. */
export function printData(line: string): void {
  write(`${line}\n`)
}

/** Resolves once everything printed has been handed on. */
export async function flushOutput(): Promise<void> {
  await new Promise<void>((resolve) => void write("", () => resolve()))
  await new Promise<void>((resolve) => void process.stderr.write("", () => resolve()))
}

/** A reader that has seen enough, such as `head`, is no failure. */
export function endWithReader(): void {
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") process.exit(0)
    throwUnlessClosed(error)
  })
  process.stderr.on("error", throwUnlessClosed)
}

// A terminal that is closed says so with a signal, which stops the command in order.
function throwUnlessClosed(error: NodeJS.ErrnoException): void {
  if (error.code !== "EIO" && error.code !== "EPIPE") throw error
}
