import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { openBulkSession } from "../../src/drivers/postgres/bulk-session.ts"
import type { BulkSession } from "../../src/ports/bulk-session.ts"
import { type ScratchPostgres, startScratchPostgres } from "./scratch-postgres.ts"

const PIECE_BYTES = 64 * 1024

let postgres: ScratchPostgres
let session: BulkSession
beforeAll(async () => {
  postgres = await startScratchPostgres()
  session = await open()
})
afterAll(async () => {
  await session.close()
  await postgres.release()
})

const open = () => openBulkSession({ url: postgres.url, name: "test" })
const copyOf = (rows: number, bytes: number) =>
  `copy (select repeat('x', ${bytes - 1}) from generate_series(1, ${rows})) to stdout`

async function firstValueOf(on: BulkSession, text: string): Promise<unknown> {
  return (await on.query({ text, values: [] })).rows[0]?.[0]
}

async function bytesOf(pieces: AsyncIterable<Uint8Array>): Promise<number> {
  let bytes = 0
  for await (const piece of pieces) bytes += piece.length
  return bytes
}

async function* brokenLines(): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(Buffer.from("1\n"))
  throw new Error("The other side is gone.")
}

async function* lines(...texts: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield await Promise.resolve(Buffer.from(text))
}

describe("a bulk session", () => {
  test("answers the next statement after a copy of any size, however slowly that is taken", async () => {
    for (let rows = 500; rows <= 700; rows += 8) {
      const pieces = session.copyOut(copyOf(rows, 1024))
      // Pieces pile up before the first one is taken.
      await new Promise((resolve) => setImmediate(() => setImmediate(resolve)))
      expect(await bytesOf(pieces)).toBe(rows * 1024)
      expect(await firstValueOf(session, "select 1")).toBe(1)
    }
  })

  test("hands out long rows whole, and nothing for no rows", async () => {
    expect(await bytesOf(session.copyOut(copyOf(3, PIECE_BYTES * 5)))).toBe(3 * PIECE_BYTES * 5)
    expect(await bytesOf(session.copyOut(copyOf(0, 10)))).toBe(0)
  })

  test("counts the rows that it stores", async () => {
    await session.query({ text: "create temp table notes (id integer, note text)", values: [] })

    const stored = await session.copyIn("copy notes from stdin", lines("1\ta\n2\t", "b\\\\\n", "", "3\t\\N\n"))

    expect(stored).toBe(3)
    expect(await firstValueOf(session, "select json_agg(note order by id)::text from notes")).toBe(
      String.raw`["a", "b\\", null]`,
    )
  })

  test("a refused row and pieces that fail store nothing, and the session goes on", async () => {
    await session.query({ text: "create temp table numbers (number integer)", values: [] })

    const refused = session.copyIn("copy numbers from stdin", lines("1\n", "two\n", ...Array(2000).fill("3\n")))
    await expect(refused).rejects.toThrow('invalid input syntax for type integer: "two"')
    await expect(session.copyIn("copy numbers from stdin", brokenLines())).rejects.toThrow("The other side is gone.")
    await expect(session.copyIn("copy nowhere from stdin", lines("1\n"))).rejects.toThrow("does not exist")

    expect(await firstValueOf(session, "select count(*)::integer from numbers")).toBe(0)
  })

  test("a copy that fails in the middle is an error, and one that nobody takes ends its session", async () => {
    const failing = "copy (select 10 / (n - 9000) from generate_series(1, 10000) n) to stdout"
    await expect(bytesOf(session.copyOut(failing))).rejects.toThrow("division by zero")
    expect(await firstValueOf(session, "select 2")).toBe(2)

    const left = await open()
    for await (const _ of left.copyOut(copyOf(100_000, 1024))) break
    await expect(firstValueOf(left, "select 1")).rejects.toThrow("The connection to PostgreSQL was lost")
    await left.close()
  })
})
