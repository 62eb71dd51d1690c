import type { ByteRange } from "../../ports/file-store.ts"
import { ApiError } from "../../wire/errors/api-error.ts"

const RANGE_NOT_SATISFIABLE = 416

/** The refusal of a range that the file does not have; of the codes only the general one fits. */
export class UnsatisfiableRange extends ApiError {
  /** The value of `Content-Range`, from which a client learns what it could ask for. */
  readonly contentRange: string

  constructor(size: number) {
    super("BAD_REQUEST", { message: `The file has ${size} bytes; ask for one range of them.`, context: { size } })
    this.contentRange = `bytes */${size}`
  }

  override get status(): number {
    return RANGE_NOT_SATISFIABLE
  }
}

/** The whole of a file, a part of it, or a part that it does not have. */
export type AskedRange = "whole" | ByteRange | "unsatisfiable"

const RANGE = /^bytes=(\d{0,15})-(\d{0,15})$/

/** What a Range header asks for. Several ranges at once are refused, and what is no range of bytes is ignored. */
export function readRange(header: string | null, size: number): AskedRange {
  if (header === null || !/^bytes=/i.test(header)) return "whole"
  const [, first = "", last = ""] = RANGE.exec(header.toLowerCase().replaceAll(" ", "")) ?? []
  if (first === "" && last === "") return "unsatisfiable"
  if (first === "") return lastBytes(Number(last), size)
  const start = Number(first)
  const end = last === "" ? size : Math.min(Number(last) + 1, size)
  return start < end ? { start, end } : "unsatisfiable"
}

function lastBytes(count: number, size: number): AskedRange {
  return count === 0 || size === 0 ? "unsatisfiable" : { start: Math.max(0, size - count), end: size }
}
