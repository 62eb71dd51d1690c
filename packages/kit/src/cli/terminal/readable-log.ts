import { pinoLogger } from "../../drivers/log/pino-logger.ts"
import type { Logger } from "../../ports/logger.ts"
import { isObject } from "../../wire/codecs/is-object.ts"
import { printable } from "./printable.ts"

const LEVELS: ReadonlyMap<unknown, string> = new Map([
  [20, "debug"],
  [30, "info "],
  [40, "warn "],
  [50, "error"],
])
const REQUEST_MESSAGE = /^Request (completed|aborted)\b/
const INDENT = " ".repeat(8)

/** Returns a logger that writes text for people instead of JSON. */
export function readableLogger(level: string, write: (text: string) => void): Logger {
  return pinoLogger(level, { write: (line) => write(readableLine(line)) })
}

/** Formats a line of the JSON log as text: the message and fields on one line, followed by the lines of an error. */
function readableLine(line: string): string {
  // The cast is safe: the logger writes one JSON object per line.
  const { level, time: _time, msg, error, ...fields } = JSON.parse(line) as Readonly<Record<string, unknown>>
  const first = `  ${LEVELS.get(level) ?? level} ${shortRequest(msg, fields) ?? withFields(msg, fields)}`
  const lines = [first, ...errorLines(error).map((text) => INDENT + text)]
  return `${lines.map(printable).join("\n")}\n`
}

type Fields = Readonly<Record<string, unknown>>

function withFields(message: unknown, fields: Fields): string {
  return [message, ...Object.entries(fields).map(([name, value]) => `${name}=${textOf(value)}`)].join("  ")
}

// Returns the line of a request in short: `GET /posts/:id 200 in 3 ms`. Undefined if the line is about something else.
function shortRequest(message: unknown, { method, path, status, durationMs }: Fields): string | undefined {
  const [, end] = REQUEST_MESSAGE.exec(String(message)) ?? []
  if (end === undefined || durationMs === undefined) return undefined
  const note = end === "aborted" ? ", aborted by the client" : ""
  return `${[method, path, status].filter((part) => part !== undefined).join(" ")} in ${durationMs} ms${note}`
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value)
}

function errorLines(error: unknown): readonly string[] {
  if (error === undefined) return []
  if (!isObject(error) || !("stack" in error)) return [textOf(error)]
  const { type: _type, message: _message, stack, cause, ...facts } = error as Readonly<Record<string, unknown>>
  const details = Object.keys(facts).length > 0 ? [JSON.stringify(facts)] : []
  const reasons = errorLines(cause).map((text, index) => (index === 0 ? `because of ${text}` : text))
  return [...ownFrames(String(stack).split("\n")), ...details, ...reasons]
}

// Removes the stack frames inside kit and Node, which do not help an author, unless there are no other frames.
function ownFrames(stack: readonly string[]): readonly string[] {
  const own = stack.filter((line) => !/^ +at .*(\/kit\/dist\/|node:|<anonymous>\)?$)/.test(line))
  return own.some(isFrame) ? own : stack
}

function isFrame(line: string): boolean {
  return /^ +at /.test(line)
}
