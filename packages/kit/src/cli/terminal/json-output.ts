import { pinoLogger } from "../../drivers/log/pino-logger.ts"

type Write = NodeJS.WriteStream["write"]

/**
 * Makes every text on standard output and standard error a line of JSON like those of the log, even the text of an
 * author's console.log, because programs that collect logs expect one JSON object per line.
 */
export function writeTextAsJson(): void {
  process.stdout.write = jsonWriter(process.stdout, "info")
  process.stderr.write = jsonWriter(process.stderr, "error")
}

// Returns a function that takes the place of the stream's `write`. The lines of the log do not pass through it, because
// pino writes to the file descriptor.
function jsonWriter(stream: NodeJS.WriteStream, level: "info" | "error"): Write {
  const writeUnchanged = stream.write.bind(stream)
  // All lines are written, whatever KIT_LOG_LEVEL says, because one of them may say why the start has failed.
  const logger = pinoLogger(level, { write: (line) => void writeUnchanged(line) })
  const write = (chunk: string | Uint8Array, ...rest: unknown[]): boolean => {
    const text = typeof chunk === "string" ? chunk : Buffer.from(chunk).toString("utf8")
    if (isJsonText(text)) return writeUnchanged(text, callbackIn(rest))
    if (text.trim() !== "") logger[level](text.trim())
    return writeUnchanged("", callbackIn(rest))
  }
  // The cast is safe: `write` accepts the arguments of every overload.
  return write as Write
}

// True if the text consists of JSON objects, one on each line. An author's own logger may write such lines.
function isJsonText(text: string): boolean {
  const lines = text.trimEnd().split("\n")
  return lines.every((line) => line.startsWith("{") && isJson(line))
}

function isJson(line: string): boolean {
  try {
    JSON.parse(line)
    return true
  } catch {
    return false
  }
}

// Returns the callback among the arguments that follow the chunk; the encoding may come before it.
function callbackIn(rest: readonly unknown[]): (() => void) | undefined {
  // The cast is safe: the only function that `write` takes is this callback.
  return rest.find((value) => typeof value === "function") as (() => void) | undefined
}
