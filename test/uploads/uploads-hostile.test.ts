// @module-tag not-about-shortcuts

import { request } from "node:http"
import { connect } from "node:net"
import { collection, startNodeServer } from "kit"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { readAnswer, sendRaw } from "../support/processes/raw-http.ts"
import { ann, type FilesWorld, filesWorld, formWith, media, PNG } from "../support/worlds/files-world.ts"
import { sessions } from "../support/worlds/test-app.ts"

const pictures = collection("pictures")
  .upload({ types: ["image/png"] })
  .access({ read: true, create: true })

const watched = collection("watched")
  .fields(({ f }) => ({ note: f.text(20).unique() }))
  .upload()
  .access({ read: true, create: true })
  .hooks({
    afterChange: ({ data }) => {
      if (data["note"] === "throw") throw new Error("The author's code fails.")
    },
  })

let world: FilesWorld

beforeAll(async () => {
  world = await filesWorld({ resources: [media, pictures, watched] })
})

afterAll(() => world[Symbol.asyncDispose]())

const FORM = { "content-type": "multipart/form-data; boundary=xyz", cookie: sessions.sign(ann) }

function post(body: string | Uint8Array, headers: Record<string, string> = {}) {
  return sendRaw(world.url, { method: "POST", path: "/media/upload", headers: { ...FORM, ...headers }, body })
}

function part(disposition: string, content: string): string {
  return `--xyz\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n${content}\r\n`
}

const FILE = part('name="file"; filename="a.txt"', "hello")
const END = "--xyz--\r\n"

describe("a form that is wrong", () => {
  test.each([
    ["that is no form", "{}", { "content-type": "application/json" }],
    ["without a content type", FILE + END, { "content-type": "" }],
    ["without a boundary", FILE + END, { "content-type": "multipart/form-data" }],
    [
      "with a boundary that is too long",
      FILE + END,
      { "content-type": `multipart/form-data; boundary=${"x".repeat(71)}` },
    ],
    ["with another boundary", FILE + END, { "content-type": "multipart/form-data; boundary=abc" }],
    ["without a body", "", {}],
    ["without a file", part('name="alt"', "x") + END, {}],
    ["with two files", FILE + FILE + END, {}],
    ["with a file of no bytes", part('name="file"; filename="a.txt"', "") + END, {}],
    ["with text for a file", part('name="file"', "hello") + END, {}],
    ["with a second file of another name", FILE + part('name="alt"; filename="b.txt"', "x") + END, {}],
    ["with a field twice", part('name="alt"', "x") + part('name="alt"', "y") + FILE + END, {}],
    ["with a part without a name", part("", "x") + FILE + END, {}],
    ["with a name of many brackets", part(`name="a${"[b]".repeat(500)}"`, "x") + FILE + END, {}],
    ["with a field that does not exist", part('name="a[__proto__][x]"', "1") + FILE + END, {}],
    ["with a prototype for a field", part('name="__proto__"', '{"x":1}') + FILE + END, {}],
    ["with the key of a file", part('name="key"', "x/y.png") + FILE + END, {}],
    ["with a value that does not fit", part('name="rating"', "many") + FILE + END, {}],
    ["that breaks off", FILE, {}],
    ["that breaks off in a header", `${FILE}--xyz\r\nContent-Dispo`, {}],
    ["with headers of 64 KB", `--xyz\r\nX: ${"x".repeat(64 * 1024)}\r\n\r\n${END}`, {}],
    ["with 300 parts", Array.from({ length: 300 }, (_, at) => part(`name="p${at}"`, "x")).join("") + END, {}],
    ["with something behind its end", FILE + END + "x".repeat(4096), {}],
    [
      "with 50 KB of spaces in its type",
      FILE + END,
      { "content-type": `multipart/form-data;${" ".repeat(50_000)}boundary=xyz` },
    ],
    ["with a path that leads up", part('name="path"', "../../x") + FILE + END, {}],
    ["with a path that leads up later", part('name="path"', "a/../../b") + FILE + END, {}],
    ["with a path from two roots", part('name="path"', "//etc") + FILE + END, {}],
    ["with a path of a root and up", part('name="path"', "/../etc/") + FILE + END, {}],
    ["with a path of nothing but slashes", part('name="path"', "//") + FILE + END, {}],
    ["with an encoded path", part('name="path"', "%2e%2e%2f") + FILE + END, {}],
    ["with a path of nine folders", part('name="path"', `${"a/".repeat(8)}a`) + FILE + END, {}],
  ])("%s", async (_name, body, headers) => {
    const before = await world.stored()

    const answer = await post(body, headers)

    expect(answer.status).toBe(400)
    expect(answer.body.error.message.length).toBeGreaterThan(10)
    expect(await world.stored()).toEqual(before)
    expect(({} as Record<string, unknown>)["x"]).toBeUndefined()
  })
})

describe("a file that is refused", () => {
  test("is too large by its length, by what comes in, and never stored", async () => {
    const before = await world.stored()
    const tooMuch = Buffer.alloc(70 * 1024, "a")

    const whole = await world.send(formWith(tooMuch, "a.txt"))
    const announced = await post("", { "content-length": "900000000" })

    expect([whole.status, whole.body.error.code]).toEqual([413, "PAYLOAD_TOO_LARGE"])
    expect(announced.status).toBe(413)
    expect(await world.stored()).toEqual(before)
  })

  test("is of another type, whatever its name and its sender say", async () => {
    const before = await world.stored()

    const page = await world.send(formWith("<html><script>alert(1)</script>", "a.png"), null, "pictures")
    const picture = await world.send(formWith(PNG, "a.html"), null, "pictures")

    expect([page.status, page.body.error.code]).toEqual([415, "UNSUPPORTED_MEDIA_TYPE"])
    expect(page.body.error.message).toContain("text/html")
    expect([picture.status, picture.body.mimeType]).toEqual([201, "image/png"])
    expect((await world.stored()).length).toBe(before.length + 1)
  })

  test("comes with another page's cookie", async () => {
    const answer = await post(FILE + END, { origin: "https://evil.test" })

    expect(answer.status).toBe(403)
  })

  test("leaves no file when the author's code fails, or another record is in the way", async () => {
    const first = await world.send(formWith(PNG, "a.png", { note: "once" }), null, "watched")
    const before = await world.stored()

    const thrown = await world.send(formWith(PNG, "a.png", { note: "throw" }), null, "watched")
    const twice = await world.send(formWith(PNG, "a.png", { note: "once" }), null, "watched")

    expect([first.status, thrown.status, twice.status]).toEqual([201, 500, 409])
    expect(await world.stored()).toEqual(before)
    expect(await world.database.query('select * from "_kit_files"')).toEqual([])
  })
})

describe("a name", () => {
  test.each([
    ["../../etc/passwd", "passwd"],
    ["C:\\temp\\x.png", "x.png"],
    ["a\u0000b.png", "ab.png"],
    [".env", ".env"],
    ["..", "file"],
    ["", "file"],
    ["x".repeat(1000), "x".repeat(255)],
    ["Größe 東京 🎉.png", "Größe 東京 🎉.png"],
    ["photo\u202egnp.exe", "photognp.exe"],
  ])("%j is shown as %j and is no path", async (name, shown) => {
    const header = `name="file"; filename="${name}"`
    const { status, body } = await post(Buffer.from(part(header, "hello") + END))

    expect([status, body.filename]).toEqual([201, shown])
    expect(body.key).toMatch(/^\d{4}\/\d{2}\/[0-9a-f-]{36}\.txt$/)
    expect(await world.stored()).toContain(`${world.folder}/${body.key}`)
  })
})

describe("a sender that goes away", () => {
  test("in the middle leaves no record and no file", async () => {
    const before = await world.stored()
    const count = await world.client(ann).collections.media.count()

    const senders = Array.from({ length: 20 }, () => sendHalf())
    await expect.poll(async () => (await world.stored()).length).toBe(before.length + senders.length)
    for (const sender of senders) sender.destroy()

    await expect.poll(() => world.stored()).toEqual(before)
    expect(await world.client(ann).collections.media.count()).toBe(count)
  })
})

describe("a slow line", () => {
  const TIMEOUT_MS = 300
  const PIECES = 12

  test("may take its time as long as something comes, and is cut off when nothing does", async () => {
    const before = await world.stored()
    const timeouts = { port: 0, host: "127.0.0.1", requestTimeoutMs: TIMEOUT_MS }
    const server = await startNodeServer(world.app.handle, timeouts)

    const [patient, stalled] = await Promise.all([trickleInTime(server.port), trickle(server.port, 2)])
    await server.stop()

    expect([patient.status, patient.ms > TIMEOUT_MS * 2]).toEqual([201, true])
    expect(stalled.status).toBe(408)
    await expect.poll(async () => (await world.stored()).length).toBe(before.length + 1)
  })

  // Retries: a machine that stalls for longer than the timeout has sent nothing meanwhile.
  async function trickleInTime(port: number): ReturnType<typeof trickle> {
    const sent = await trickle(port, PIECES)
    return sent.status === 201 || sent.longestPauseMs < TIMEOUT_MS / 2 ? sent : trickleInTime(port)
  }

  // Sends this many pieces of a file, two kilobytes every 60 ms.
  async function trickle(port: number, count: number) {
    const start = performance.now()
    let [lastAt, longestPauseMs] = [start, 0]
    const piece = "x".repeat(2048)
    const opening = `--xyz\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\n`
    const closing = `\r\n${END}`
    const length = opening.length + piece.length * PIECES + closing.length
    const head = `POST /api/media/upload HTTP/1.1\r\nhost: x\r\ncontent-length: ${length}\r\nconnection: close\r\n`
    const socket = connect(port, "127.0.0.1")
    socket.write(`${head}content-type: ${FORM["content-type"]}\r\ncookie: ${FORM.cookie}\r\n\r\n${opening}`)
    let sent = 0
    const notePause = () => {
      longestPauseMs = Math.max(longestPauseMs, performance.now() - lastAt)
      lastAt = performance.now()
    }
    const timer = setInterval(() => {
      if (sent === count) return clearInterval(timer)
      sent += 1
      notePause()
      socket.write(sent === PIECES ? piece + closing : piece)
    }, 60)
    const answer = await readAnswer(socket)
    clearInterval(timer)
    notePause()
    return { ...answer, ms: performance.now() - start, longestPauseMs }
  }
})

// The start of a file, and nothing more.
function sendHalf() {
  const sender = request(`${world.url}/media/upload`, {
    method: "POST",
    headers: { ...FORM, "content-length": 60_000 },
  })
  sender.on("error", () => {})
  sender.write(FILE.slice(0, -2) + "x".repeat(20_000))
  return sender
}
