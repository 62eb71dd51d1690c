import { randomUUID } from "node:crypto"
import { readdir, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { collection } from "kit"
import type { CDPSession } from "playwright-core"
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest"
import { PNG } from "../support/worlds/files-world.ts"
import { type BrowserWorld, browserWorld, type OpenPage, PASSWORD, signInByPage } from "./support/browser-world.ts"

const MAX_BYTES = 2 * 1024 * 1024
const media = collection("media")
  .fields(({ f }) => ({ alt: f.text(100) }))
  .upload({ maxSize: MAX_BYTES })
  .access({
    read: ({ session }) => session !== null || { visibility: "public" },
    create: ({ session }) => session !== null,
  })

const EVA = "eva@example.com"
const folder = join(tmpdir(), `kit-browser-files-${randomUUID()}`)

let world: BrowserWorld
let opened: OpenPage

beforeAll(async () => {
  world = await browserWorld({ collections: [media], config: { storage: { folder } } })
  await world.app.app.users.create({ email: EVA, name: "Eva", password: PASSWORD })
  opened = await world.open()
  await signInByPage(opened.kit, EVA)
})

afterAll(async () => {
  await world[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

beforeEach(async () => {
  await world.database.query("truncate media")
  await rm(folder, { recursive: true, force: true })
})

/** Selects files in the page as a user would, and keeps them there. */
const choose = async ({ page, kit }: OpenPage, files: readonly { name: string; bytes: Buffer }[]) => {
  const input = page.locator("input[type=file]")
  await input.setInputFiles(files.map(({ name, bytes }) => ({ name, mimeType: "text/plain", buffer: bytes })))
  await kit.evaluate(
    ({ kept }, chosen) => Object.assign(kept, { chosen }),
    await input.evaluateHandle(({ files }: any) => [...files]),
  )
}

/** Makes a file that takes a while to send. */
const makeLarge = ({ kit }: OpenPage) =>
  kit.evaluate(({ kept }) => Object.assign(kept, { chosen: [new File([new Uint8Array(40_000_000)], "large.bin")] }))

const text = (bytes: number) => Buffer.alloc(bytes, "text ")

/** Slows the network down so that a megabyte takes five seconds, until it is reset. */
const slowDown = async ({ page }: OpenPage): Promise<CDPSession> => {
  const session = await page.context().newCDPSession(page)
  await session.send("Network.enable")
  await session.send("Network.emulateNetworkConditions", {
    offline: false,
    latency: 0,
    downloadThroughput: -1,
    uploadThroughput: 200 * 1024,
  })
  return session
}

const stored = async () => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name)
}

/** Uploads the selected file and returns the error that the page gets. */
const refused = ({ kit }: OpenPage) =>
  kit.evaluate(({ client, kept, UploadError }) =>
    client.collections["media"].upload(kept["chosen"][0]).catch(
      (error: any) =>
        error instanceof UploadError && {
          message: error.message,
          status: error.status,
          response: error.response,
          code: error.code,
          reason: error.reason,
        },
    ),
  )

describe("an upload from a page", () => {
  test("tells how far it is, and answers the record", async () => {
    const line = await slowDown(opened)
    await choose(opened, [{ name: "notes.txt", bytes: text(1_500_000) }])

    await opened.kit.evaluate(({ client, kept }) => {
      const progress: number[] = []
      const onProgress = (percent: number) => progress.push(percent)
      const uploading = client.collections["media"].upload(kept["chosen"][0], { data: { alt: "Notes" }, onProgress })
      Object.assign(kept, { progress, uploading })
    })
    await expect.poll(() => opened.kit.evaluate(({ kept }) => kept["progress"].length)).toBeGreaterThan(1)
    await line.detach()
    const record = await opened.kit.evaluate(({ kept }) => kept["uploading"])
    const progress = await opened.kit.evaluate(({ kept }): number[] => kept["progress"])

    expect(record).toMatchObject({ filename: "notes.txt", alt: "Notes", size: 1_500_000, mimeType: "text/plain" })
    expect(progress[0]).toBeLessThan(100)
    expect(progress).toEqual(progress.toSorted((one, other) => one - other))
    expect(progress.at(-1)).toBe(100)
    expect(await stored()).toHaveLength(1)
  })

  test("is cancelled on its way, and leaves nothing behind", async () => {
    const line = await slowDown(opened)
    await choose(opened, [{ name: "notes.txt", bytes: text(1_500_000) }])
    await opened.kit.evaluate(({ client, kept }) => {
      const controller = new AbortController()
      const { signal } = controller
      const uploading = client.collections["media"]
        .upload(kept["chosen"][0], { signal })
        .catch((thrown: unknown) => thrown)
      Object.assign(kept, { controller, uploading })
    })
    await expect.poll(stored).toHaveLength(1)

    const failure = await opened.kit.evaluate(async ({ kept, UploadError }) => {
      kept["controller"].abort("changed my mind")
      const error = await kept["uploading"]
      const { message, status, cause, reason } = error
      return error instanceof UploadError && { message, status, cause, reason }
    })
    await line.detach()

    const reason = "changed my mind"
    expect(failure).toEqual({ message: "Upload cancelled", status: 0, cause: reason, reason })
    await expect.poll(stored).toEqual([])
    expect(await world.database.query("select id from media")).toEqual([])
  })

  test("of several files reports on all of them", async () => {
    const files = ["a.txt", "b.txt", "c.txt"].map((name) => ({ name, bytes: text(100_000) }))
    await choose(opened, files)

    const { names, reports } = await opened.kit.evaluate(async ({ client, kept }) => {
      const reports: [percent: number, index: number][] = []
      const records = await client.collections["media"].uploadMany(kept["chosen"], {
        onProgress: (percent: number, index: number) => reports.push([percent, index]),
      })
      return { names: records.map(({ filename }: any) => filename), reports }
    })

    expect(names).toEqual(["a.txt", "b.txt", "c.txt"])
    expect(reports.at(-1)).toEqual([100, 2])
    expect(new Set(reports.map(([, index]) => index))).toEqual(new Set([0, 1, 2]))
  })

  test("that is too large is told so, however much of it is still to be sent", async () => {
    await makeLarge(opened)

    const failure = await refused(opened)

    expect(failure).toMatchObject({ message: "Upload failed", status: 413, code: "PAYLOAD_TOO_LARGE" })
    expect(failure.reason).toBe(failure.response.error.message)
    await expect.poll(stored).toEqual([])
  })

  test("of somebody who may not is told so, however large it is", async () => {
    const stranger = await world.open()
    await makeLarge(stranger)

    const failure = await refused(stranger)

    expect(failure).toMatchObject({
      message: "Upload failed",
      status: 401,
      response: { error: { code: "UNAUTHORIZED" } },
      code: "UNAUTHORIZED",
    })
    expect(await stored()).toEqual([])
  })
})

describe("a file in a page of another origin", () => {
  /** Returns the width of the image as the page shows it, or the error. */
  const show = ({ page }: OpenPage, src: string, crossOrigin: string | null) =>
    page.evaluate(
      (picture) =>
        new Promise((resolve) => {
          const image = new (Reflect.get(globalThis, "Image"))()
          image.onload = () => resolve(image.naturalWidth)
          image.onerror = () => resolve("not shown")
          image.crossOrigin = picture.crossOrigin
          image.src = picture.src
        }),
      { src, crossOrigin },
    )
  const upload = async (visibility: string) => {
    await choose(opened, [{ name: "a.png", bytes: PNG }])
    const record = await opened.kit.evaluate(
      ({ client, kept }, data) => client.collections["media"].upload(kept["chosen"][0], { data }),
      { visibility },
    )
    return new URL(record.url, world.api).href
  }

  test("is shown to everybody if it is public", async () => {
    const src = await upload("public")
    const foreign = await world.open({ origin: world.neighbour.origin })

    expect(await show(foreign, src, null)).toBe(1)
  })

  test("can be read by a page that has shown it, with nothing kept in the wrong place", async () => {
    const src = await upload("public")

    const width = await show(opened, src, null)
    const size = await opened.page.evaluate(
      async (url) => (await (await fetch(url, { credentials: "include" })).arrayBuffer()).byteLength,
      src,
    )

    expect([width, size]).toEqual([1, PNG.length])
  })

  test("is shown if it is private to who has signed in, where the origin is invited and asks with credentials", async () => {
    const src = await upload("private")
    const foreign = await world.open({ context: opened.page.context(), origin: world.neighbour.origin })

    expect(await show(opened, src, "use-credentials")).toBe(1)
    expect(await show(foreign, src, null)).toBe("not shown")
    expect(await show(foreign, src, "use-credentials")).toBe("not shown")
    expect(await show(await world.open(), src, "use-credentials")).toBe("not shown")
  })
})
