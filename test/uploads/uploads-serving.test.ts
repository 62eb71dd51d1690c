import { collection } from "kit"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { sendRaw } from "../support/processes/raw-http.ts"
import { ann, bob, type FilesWorld, filesWorld, formWith, media, PNG } from "../support/worlds/files-world.ts"

const drafts = collection("drafts")
  .upload({ visibility: "private" })
  .access({ read: true, create: true, serve: ({ session }) => session && { filename: { startsWith: "open" } } })

let world: FilesWorld

beforeAll(async () => {
  world = await filesWorld({ resources: [media, drafts] })
})

afterAll(() => world[Symbol.asyncDispose]())

const TEXT = "0123456789abcdefghij"

async function urlOf(bytes: Uint8Array | string, name = "a.txt", parts: Record<string, string> = {}): Promise<string> {
  return (await world.send(formWith(bytes, name, parts))).body.url
}

describe("a file", () => {
  test("is answered as it came, with what it is", async () => {
    const answer = await world.load(await urlOf(PNG, 'Größe "1".png'))

    expect(Buffer.from(await answer.arrayBuffer()).equals(PNG)).toBe(true)
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      "content-type": "image/png",
      "content-length": String(PNG.length),
      "accept-ranges": "bytes",
      "x-content-type-options": "nosniff",
      "cache-control": "public, max-age=31536000, immutable",
      "cross-origin-resource-policy": "cross-origin",
      "content-disposition": `inline; filename="Gr__e _1_.png"; filename*=UTF-8''Gr%C3%B6%C3%9Fe%20%221%22.png`,
    })
  })

  test("is not sent again to whoever has it", async () => {
    const url = await urlOf(TEXT)
    const etag = (await world.load(url)).headers.get("etag") ?? ""

    const again = await world.load(url, { headers: { "if-none-match": `"other", W/${etag}` } })
    const other = await world.load(url, { headers: { "if-none-match": '"other"' } })

    expect([again.status, await again.text(), again.headers.get("etag")]).toEqual([304, "", etag])
    expect(other.status).toBe(200)
  })

  test.each([
    ["bytes=0-4", 206, "01234", "bytes 0-4/20"],
    ["bytes=15-", 206, "fghij", "bytes 15-19/20"],
    ["bytes=-5", 206, "fghij", "bytes 15-19/20"],
    ["bytes=-500", 206, TEXT, "bytes 0-19/20"],
    ["bytes=5-500", 206, TEXT.slice(5), "bytes 5-19/20"],
    ["bytes=20-", 416, undefined, "bytes */20"],
    ["bytes=9-3", 416, undefined, "bytes */20"],
    ["bytes=-0", 416, undefined, "bytes */20"],
    ["bytes=0-1,3-4", 416, undefined, "bytes */20"],
    ["rows=0-4", 200, TEXT, null],
  ])("is answered in part: %s", async (range, status, text, contentRange) => {
    const answer = await world.load(await urlOf(TEXT), { headers: { range } })

    expect([answer.status, answer.headers.get("content-range")]).toEqual([status, contentRange])
    const body = await answer.text()
    if (text !== undefined) expect(body).toBe(text)
  })

  test("a part that is not there is refused as everything else is", async () => {
    const answer = await world.load(await urlOf(TEXT), { headers: { range: "bytes=20-", "x-request-id": "mine" } })

    expect(answer.headers.get("content-type")).toBe("application/json; charset=utf-8")
    expect(answer.headers.get("cache-control")).toBe("no-store")
    expect(await answer.json()).toEqual({
      error: {
        code: "BAD_REQUEST",
        message: "The file has 20 bytes; request a single range of them.",
        context: { size: 20 },
        requestId: "mine",
      },
    })
  })

  test("is not answered in a thousand parts", async () => {
    const range = `bytes=${"0-,".repeat(1000)}0-`

    expect((await world.load(await urlOf(TEXT), { headers: { range } })).status).toBe(416)
  })

  test("is answered whole when the part is one of an older file", async () => {
    const answer = await world.load(await urlOf(TEXT), { headers: { range: "bytes=0-4", "if-range": '"older"' } })

    expect([answer.status, await answer.text()]).toEqual([200, TEXT])
  })

  test("has a HEAD without its body", async () => {
    const url = await urlOf(TEXT)

    const answer = await world.load(url, { method: "HEAD" })

    expect([answer.status, answer.headers.get("content-length"), await answer.text()]).toEqual([200, "20", ""])
  })

  test.each([
    ["page.png", "<!DOCTYPE html><script>alert(1)</script>", "text/html"],
    ["page.png", "  \n<script>alert(1)</script>", "text/html"],
    ["drawing.png", '<?xml version="1.0"?><svg onload="alert(1)"/>', "image/svg+xml"],
    ["feed.png", '<?xml version="1.0"?><x:script xmlns:x="http://www.w3.org/1999/xhtml"/>', "application/xml"],
  ])("that could run as a page is saved, and runs nothing: %s", async (name, text, type) => {
    const answer = await world.load(await urlOf(text, name))

    expect(answer.headers.get("content-type")).toBe(type)
    expect(answer.headers.get("content-disposition")).toMatch(/^attachment/)
    expect(answer.headers.get("content-security-policy")).toContain("sandbox")
    expect(answer.headers.get("x-content-type-options")).toBe("nosniff")
  })
})

describe("the right to a file", () => {
  test("is that to its record, and nobody else's cache keeps it", async () => {
    const url = await urlOf(TEXT, "a.txt", { isSecret: "true" })

    const anonymous = await world.load(url)
    const signedIn = await world.load(url, { session: bob })

    expect([anonymous.status, ((await anonymous.json()) as any).error.code]).toEqual([404, "NOT_FOUND"])
    expect([signedIn.status, signedIn.headers.get("cache-control")]).toEqual([200, "private, no-cache"])
    expect(signedIn.headers.get("cross-origin-resource-policy")).toBe("same-origin")
  })

  test("is told alike for a file that is not there", async () => {
    const secret: any = await (await world.load(await urlOf(TEXT, "a.txt", { isSecret: "true" }))).json()
    const missing: any = await (await world.load("/api/media/files/2026/01/none.png")).json()
    const elsewhere: any = await (await world.load("/api/nothing/files/2026/01/none.png")).json()

    expect({ ...secret.error, requestId: "" }).toEqual({ ...missing.error, requestId: "" })
    expect(elsewhere.error.code).toBe("NOT_FOUND")
  })

  test("is decided by the serve rule where there is one", async () => {
    const open = (await world.send(formWith(TEXT, "open.txt"), null, "drafts")).body
    const closed = (await world.send(formWith(TEXT, "closed.txt"), null, "drafts")).body

    expect(open.visibility).toBe("private")
    expect((await world.load(open.url)).status).toBe(404)
    expect((await world.load(open.url, { session: ann })).headers.get("cache-control")).toBe("private, no-cache")
    expect((await world.load(closed.url, { session: ann })).status).toBe(404)
  })

  test.each([
    "/media/files/../../../etc/passwd",
    "/media/files/..%2f..%2fpackage.json",
    "/media/files/%00",
    "/media/files/",
  ])("cannot be had by another path: %s", async (path) => {
    const { status } = await sendRaw(world.url, { path, headers: { host: new URL(world.url).host } })

    expect([400, 404]).toContain(status)
  })
})

describe("a signed link", () => {
  const start = new Date("2026-05-04T10:30:00Z")
  let now = start
  let signing: FilesWorld

  beforeAll(async () => {
    signing = await filesWorld({ resources: [media], now: () => now, config: { secret: "a secret that signs links" } })
  })

  afterAll(() => signing[Symbol.asyncDispose]())

  const sign = (id: string, session?: typeof ann) =>
    signing.fetch(`/media/${id}/sign`, { method: "POST", ...(session && { session }) })

  test("opens a file to whoever has it, for an hour", async () => {
    const { body: file } = await signing.send(formWith(TEXT, "a.txt", { isSecret: "true" }))

    const { status, body: link } = await sign(file.id, bob)
    const answer = await signing.load(link.url)
    now = new Date(start.getTime() + 59 * 60_000)
    const late = await signing.load(link.url)
    now = new Date(start.getTime() + 60 * 60_000)
    const tooLate = await signing.load(link.url)

    expect([status, link.expiresAt]).toEqual([200, "2026-05-04T11:30:00.000Z"])
    expect([answer.status, await answer.text()]).toEqual([200, TEXT])
    expect(answer.headers.get("cache-control")).toBe("private, no-cache")
    expect([late.status, tooLate.status]).toEqual([200, 404])
  })

  test("is good for nothing else, and only for whom the file is", async () => {
    now = start
    const { body: file } = await signing.send(formWith(TEXT, "a.txt", { isSecret: "true" }))
    const { body: other } = await signing.send(formWith(TEXT, "b.txt", { isSecret: "true" }))
    const { body: link } = await sign(file.id, ann)
    const query = new URL(link.url, "http://x.test").search
    const forged = [
      other.url + query,
      file.url + query.replace(/expires=\d/, "expires=9"),
      `${file.url}?expires=9999999999999&signature=`,
      `${link.url}x`,
    ]

    for (const url of forged) expect((await signing.load(url)).status).toBe(404)
    expect((await sign(file.id)).status).toBe(404)
    expect((await sign("018f0000-0000-7000-8000-0000000000ff", ann)).status).toBe(404)
  })
})
