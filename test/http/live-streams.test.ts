import { once } from "node:events"
import { connect } from "node:net"
import { collection } from "kit"
import { expect, test, vi } from "vitest"
import { decodeChunks } from "../support/processes/decode-chunks.ts"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"

const WAIT = { timeout: 60_000 }

const posts = collection("posts")
  .fields(({ f }) => ({ title: f.text().required(), body: f.textarea() }))
  .access({ read: true })

interface RawStream {
  /** The events so far, except those that belong to the connection alone. */
  events(): readonly string[]
  /** True if the last chunk has arrived, which ends the body; for HTTP 1.0, if the connection has been closed. */
  isComplete(): boolean
}

/** Follows all posts, over a socket that is read byte by byte as the server writes it. */
async function follow(app: TestApp, { version, id }: { version: "1.0" | "1.1"; id: string }): Promise<RawStream> {
  const { host, hostname, port, pathname } = new URL(`${app.url}/realtime`)
  const socket = connect(Number(port), hostname)
  await once(socket, "connect")
  const received: Buffer[] = []
  socket.on("data", (chunk) => received.push(chunk))
  const body = JSON.stringify({ topics: [{ id, resourceType: "collection", resource: "posts" }] })
  const head = [
    `POST ${pathname} HTTP/${version}`,
    `host: ${host}`,
    "content-type: application/json",
    `content-length: ${Buffer.byteLength(body)}`,
  ]
  socket.write(`${head.join("\r\n")}\r\n\r\n${body}`)
  const decoded = () => {
    const answer = Buffer.concat(received)
    const start = answer.indexOf("\r\n\r\n") + 4
    if (start < 4) return { text: "", isComplete: false }
    const rest = answer.subarray(start)
    return version === "1.1" ? decodeChunks(rest) : { text: String(rest), isComplete: socket.readableEnded }
  }
  return {
    events: () =>
      decoded()
        .text.split("\n\n")
        .slice(0, -1)
        .filter((event) => !/^event: (?:session|ping)\n/.test(event)),
    isComplete: () => decoded().isComplete,
  }
}

test("every client reads the same events, whether they share the bytes of a snapshot or not", async () => {
  const app = await testApp({ resources: [posts] })
  const own = app.app.system.collections["posts"]
  const id = String((await own?.create({ title: "first" }))?.["id"])
  const streams = await Promise.all([
    follow(app, { version: "1.1", id: "posts" }),
    follow(app, { version: "1.1", id: "posts" }),
    follow(app, { version: "1.0", id: "posts" }),
    follow(app, { version: "1.1", id: "others" }),
  ])
  const allSee = (title: string) =>
    vi.waitFor(() => {
      for (const stream of streams) expect(stream.events().at(-1)).toContain(`"title":"${title}"`)
    }, WAIT)
  await allSee("first")

  // The third result is too long to be copied into a shared event.
  const bodies = ["short", "é".repeat(4_000), "€".repeat(20_000), "short again"]
  for (const [index, body] of bodies.entries()) {
    await own?.updateById({ id, data: { title: `number ${index}`, body } })
    await allSee(`number ${index}`)
  }
  const found = await own?.find()
  await app[Symbol.asyncDispose]()

  await vi.waitFor(() => expect(streams.map((stream) => stream.isComplete())).toEqual([true, true, true, true]), WAIT)
  const [first, second, old, other] = streams.map((stream) => stream.events())
  expect(second).toEqual(first)
  expect(old).toEqual(first)
  expect(other?.map((event) => event.replace('"topicId":"others"', '"topicId":"posts"'))).toEqual(first)
  expect(first).toHaveLength(bodies.length + 2)
  expect(first?.at(-1)).toMatch(/^event: bye\n/)
  const last = JSON.parse(first?.at(-2)?.replace("event: snapshot\ndata: ", "") ?? "")
  expect(last).toMatchObject({ topicId: "posts", seq: bodies.length + 1, data: JSON.parse(JSON.stringify(found)) })
})
