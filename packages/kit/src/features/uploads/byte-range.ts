import type { ByteRange } from "../../ports/file-store.ts"
import { ApiError } from "../../wire/errors/api-error.ts"

const RANGE_NOT_SATISFIABLE = 416

/**
 * The error for a requested byte range that lies outside of the file. It has HTTP status 416, but no error code of its
 * own.
 */
export class UnsatisfiableRange extends ApiError {
  /** The value of the `Content-Range` header, which contains the file's size. */
  readonly contentRange: string

  constructor(size: number) {
    super("BAD_REQUEST", { message: `The file has ${size} bytes; request a single range of them.`, context: { size } })
    this.contentRange = `bytes */${size}`
  }

  override get status(): number {
    return RANGE_NOT_SATISFIABLE
  }
}

/**
 * The part of a file that a request asks for: the whole file, a byte range, or a range that lies outside of the file.
 */
type RequestedRange = "whole" | ByteRange | "unsatisfiable"

const RANGE = /^bytes=(\d{0,15})-(\d{0,15})$/

/**
 * Parses a `Range` header. A header with several ranges is rejected. A header with a unit other than bytes is ignored.
 */
export function readRange(header: string | null, size: number): RequestedRange {
  if (header === null || !/^bytes=/i.test(header)) return "whole"
  const [, first = "", last = ""] = RANGE.exec(compact(header)) ?? []
  if (first === "" && last === "") return "unsatisfiable"
  if (first === "") return lastBytes(Number(last), size)
  const start = Number(first)
  const end = last === "" ? size : Math.min(Number(last) + 1, size)
  return start < end ? { start, end } : "unsatisfiable"
}

/**
 * Returns a `Range` header that asks for one range; null for any other header. A server may answer such a header with the
 * whole file, as if it had not been sent.
 */
export function singleRange(header: string | null): string | null {
  const [, first = "", last = ""] = RANGE.exec(compact(header ?? "")) ?? []
  const isReversed = first !== "" && last !== "" && Number(last) < Number(first)
  return (first === "" && last === "") || isReversed ? null : header
}

function compact(header: string): string {
  return header.toLowerCase().replaceAll(" ", "")
}

function lastBytes(count: number, size: number): RequestedRange {
  return count === 0 || size === 0 ? "unsatisfiable" : { start: Math.max(0, size - count), end: size }
}
