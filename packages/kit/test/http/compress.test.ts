import { brotliDecompressSync, gunzipSync } from "node:zlib"
import { expect, test } from "vitest"
import type { Coding } from "../../src/http/compression/accepted-coding.ts"
import { codingsFor, compress } from "../../src/http/compression/compress.ts"

const DECOMPRESS = { gzip: gunzipSync, br: brotliDecompressSync }
const line = (number: number) => `{"id":${number},"text":"line ${(number * 7919) % 1000} of many, ľ"}`
const textOf = (lines: number) => Array.from({ length: lines }, (_, number) => line(number)).join("\n")

test.each<[Coding, number]>([
  ["gzip", 0],
  ["gzip", 30],
  ["gzip", 5_000],
  ["br", 0],
  ["br", 30],
  ["br", 5_000],
])("%s of %i lines, as text and as bytes, is what it was", async (coding, lines) => {
  const text = textOf(lines)

  for (const body of [text, Buffer.from(text)]) {
    expect(DECOMPRESS[coding](await compress(body, coding)).toString()).toBe(text)
  }
})

test("a short body is compressed immediately, with the coding that does that best", () => {
  const text = textOf(30)

  expect(codingsFor(text)[0]).toBe("gzip")
  expect(compress(text, "gzip")).toBeInstanceOf(Uint8Array)
})

test.each<Coding>(["gzip", "br"])("others have their turns while a long body is compressed with %s", async (coding) => {
  const text = textOf(100_000)
  let turns = 0
  let isDone = false
  const count = () => {
    turns += 1
    if (!isDone) setImmediate(count)
  }
  setImmediate(count)

  const compressed = await compress(text, coding)
  isDone = true

  expect(codingsFor(text)[0]).toBe("br")
  expect(compressed.length).toBeLessThan(text.length / 4)
  // If the threads are fast, or the loop is slow, there is one turn for each part. Compressed at a stroke, there is one.
  expect(turns).toBeGreaterThan(10)
})
