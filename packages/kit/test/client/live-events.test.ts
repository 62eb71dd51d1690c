import fc from "fast-check"
import { expect, test } from "vitest"
import { readEvents } from "../../src/client/live/sse-reader.ts"

const encoder = new TextEncoder()

async function eventsIn(chunks: readonly (Uint8Array | string)[]) {
  const bytes = chunks.map((chunk) => (typeof chunk === "string" ? encoder.encode(chunk) : chunk))
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of bytes) controller.enqueue(chunk)
      controller.close()
    },
  })
  const events = []
  const { signal } = new AbortController()
  const none = () => {}
  for await (const event of readEvents(body, { signal, onBytes: none, onBreak: none })) events.push(event)
  return events
}

test.each([
  ["an event", "event: a\ndata: 1\n\n", [{ name: "a", data: "1" }]],
  ["line ends of all kinds", "event: a\r\ndata: 1\r\n\r\nevent: b\rdata: 2\r\rdata: 3\n\n", ["a1", "b2", "3"]],
  ["comments and fields it does not know", ": hi\nid: 7\nretry: 1\nevent: a\n:\nfoo\ndata: 1\n\n", ["a1"]],
  ["several lines of data", "data: 1\ndata: 2\ndata\ndata:3\n\n", ["1\n2\n\n3"]],
  ["colons and spaces in the data", "data:  a: b\n\n", [" a: b"]],
  ["no event without data, and its name is forgotten", "event: a\n\ndata: 1\n\n", ["1"]],
  ["nothing of an event that is not complete", "data: 1\n\nevent: b\ndata: 2\n", ["1"]],
  ["a mark at the start", "\uFEFFdata: 1\n\n", ["1"]],
  ["nothing", "", []],
])("a stream may hold %s", async (_what, text, expected) => {
  const events = await eventsIn([text])

  expect(events.map((event) => (typeof expected[0] === "object" ? event : event.name + event.data))).toEqual(expected)
})

test("where the bytes are cut does not matter, not even within a character or a line end", async () => {
  const text = fc.string({ unit: "binary", maxLength: 20 }).map((value) => JSON.stringify(value))
  const lineEnd = fc.constantFrom("\n", "\r\n", "\r")
  const sent = fc.array(fc.record({ data: text, end: lineEnd, hasComment: fc.boolean() }), { maxLength: 5 })
  await fc.assert(
    fc.asyncProperty(sent, fc.array(fc.nat(60), { maxLength: 30 }), async (events, cuts) => {
      const lines = events.flatMap(({ data, end, hasComment }) => [
        ...(hasComment ? [`: ping${end}`] : []),
        `event: snapshot${end}data: ${data}${end}${end}`,
      ])
      const bytes = encoder.encode(lines.join(""))
      const chunks: Uint8Array[] = []
      let start = 0
      for (const length of cuts) {
        chunks.push(bytes.slice(start, start + length))
        start += length
      }
      chunks.push(bytes.slice(start))

      const found = await eventsIn(chunks)

      expect(found).toEqual(events.map(({ data }) => ({ name: "snapshot", data })))
    }),
    { numRuns: 300 },
  )
})

test("an event of 16 MB is read in pieces, and a larger one is refused", async () => {
  const piece = "x".repeat(1024 * 1024)
  const pieces = (count: number) => ["event: a\ndata: ", ...Array.from({ length: count }, () => piece), "\n\n"]

  const events = await eventsIn(pieces(15))

  expect(events[0]?.data.length).toBe(15 * 1024 * 1024)
  await expect(eventsIn(pieces(17))).rejects.toThrow("an event has more than 16777216 characters")
  await expect(eventsIn([...Array.from({ length: 17 }, () => piece)])).rejects.toThrow(RangeError)
  const manyLines = Array.from({ length: 17 }, () => `data: ${piece}\n`)
  await expect(eventsIn(manyLines)).rejects.toThrow(RangeError)
})

test("comments do not add up", async () => {
  const comment = `: ${"x".repeat(1024 * 1024)}\n`

  const events = await eventsIn([...Array.from({ length: 20 }, () => comment), "data: 1\n\n"])

  expect(events).toEqual([{ name: "", data: "1" }])
})

test("bytes that are no text are refused", async () => {
  await expect(eventsIn(["data: ", new Uint8Array([0xff]), "\n\n"])).rejects.toThrow(TypeError)
})
