import { UploadError } from "kit/client"
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest"
import { ann, type FilesWorld, filesWorld, PNG } from "../support/worlds/files-world.ts"

let world: FilesWorld

beforeAll(async () => {
  world = await filesWorld()
})

afterAll(() => world[Symbol.asyncDispose]())

const picture = (name = "a.png") => new File([PNG], name, { type: "image/png" })

describe("client.collections.media.upload", () => {
  test("sends a file, a folder and fields, and answers the record as plain JSON", async () => {
    const onProgress = vi.fn()
    const data = { alt: "A beach", rating: 3, tags: ["sea"], isSecret: false, credit: undefined }

    const record = await world.client(ann).collections.media.upload(picture(), { path: "team", data, onProgress })

    expect(record).toMatchObject({ alt: "A beach", rating: 3, tags: ["sea"], filename: "a.png" })
    expect(record.key).toMatch(/^team\//)
    expect(typeof record.createdAt).toBe("string")
    expect(onProgress.mock.calls).toEqual([[100]])
    expect((await world.load(record.url)).status).toBe(200)
  })

  test("sends the headers of the call, so that a mutation can name its write", async () => {
    const headers = { "x-kit-write": "no uuid" }

    const uploading = world.client(ann).collections.media.upload(picture(), { headers })

    await expect(uploading).rejects.toMatchObject({ status: 400, reason: expect.stringContaining("X-Kit-Write") })
  })

  test("throws an UploadError with what the server said", async () => {
    const failure = await world
      .client()
      .collections.media.upload(picture())
      .catch((error: unknown) => error)

    expect(failure).toBeInstanceOf(UploadError)
    expect(failure).toMatchObject({ name: "UploadError", message: "Upload failed", status: 401 })
    expect(failure.response.error.code).toBe("UNAUTHORIZED")
    expect(failure).toMatchObject({ code: "UNAUTHORIZED", reason: failure.response.error.message })
  })

  test("names the fields that the server refuses", async () => {
    const failure = await world
      .client(ann)
      .collections.media.upload(picture(), { data: { rating: "many" } })
      .catch((error: unknown) => error)

    expect(failure).toMatchObject({ status: 400, code: "VALIDATION_ERROR", fieldErrors: [{ path: "rating" }] })
    expect(failure.reason).toBe(failure.response.error.message)
  })

  test("throws when nobody answers, and when something else does", async () => {
    const unreachable = world.client(ann, { baseURL: "http://127.0.0.1:1" }).collections.media.upload(picture())
    const page = world.client(ann, { fetch: () => Promise.resolve(new Response("<html>")) }).collections

    await expect(unreachable).rejects.toMatchObject({
      message: "Network error during upload",
      status: 0,
      reason: expect.stringMatching(/^No answer from http:\/\/127\.0\.0\.1:1\/.*\/upload: .+ Is the server running/),
    })
    await expect(page.media.upload(picture())).rejects.toMatchObject({
      message: "Upload failed",
      response: "<html>",
      reason: 'The server answered 200, not as the API does: "<html>"',
    })
  })

  test("a stranger's answer cannot break the error", async () => {
    const answers = [
      "null",
      '{"error":null}',
      '{"error":"no"}',
      '{"error":{"code":5,"fieldErrors":{},"message":[]}}',
      "",
    ]

    const failures = answers.map((text) => {
      const fetch = () => Promise.resolve(new Response(text, { status: 502 }))
      return world
        .client(ann, { fetch })
        .collections.media.upload(picture())
        .catch((error: unknown) => error)
    })

    for (const failure of await Promise.all(failures)) {
      expect(failure).toMatchObject({ message: "Upload failed", status: 502, code: undefined, fieldErrors: undefined })
      expect(failure.reason).toContain("The server answered 502, not as the API does")
    }
  })

  test("an error of the progress callback is not a failure of the network", async () => {
    const onProgress = () => {
      throw new RangeError("from the callback")
    }

    const failure = await world
      .client(ann)
      .collections.media.upload(picture(), { onProgress })
      .catch((error: unknown) => error)

    expect(failure).toEqual(new RangeError("from the callback"))
  })

  test("is cancelled by its signal, before and while it sends", async () => {
    const controller = new AbortController()
    const fetch = (url: string, init: RequestInit) => {
      controller.abort()
      return globalThis.fetch(url, init)
    }
    const upload = () => world.client(ann, { fetch }).collections.media.upload(picture(), { signal: controller.signal })

    const sending = await upload().catch((error: unknown) => error)
    const before = await upload().catch((error: unknown) => error)

    for (const failure of [sending, before]) {
      expect(failure).toBeInstanceOf(UploadError)
      expect(failure).toMatchObject({ message: "Upload cancelled", status: 0 })
    }
  })
})

describe("client.collections.media.uploadMany", () => {
  test("sends one after another and reports on all of them", async () => {
    const onProgress = vi.fn()
    const files = ["a.png", "b.png", "c.png", "d.png"].map(picture)

    const records = await world.client(ann).collections.media.uploadMany(files, { onProgress })

    expect(records.map(({ filename }: { filename: string }) => filename)).toEqual(["a.png", "b.png", "c.png", "d.png"])
    expect(onProgress.mock.calls).toEqual([
      [25, 0],
      [50, 1],
      [75, 2],
      [100, 3],
    ])
  })

  test("sends nothing for nothing, and stops at the first failure and between files", async () => {
    const media = world.client(ann).collections.media
    const before = await media.count()
    const controller = new AbortController()

    expect(await media.uploadMany([])).toEqual([])
    const broken = media.uploadMany([picture(), new File([], "empty.png"), picture()])
    await expect(broken).rejects.toMatchObject({ message: "Upload failed", status: 400 })
    const onProgress = () => controller.abort()
    const aborted = media.uploadMany([picture(), picture()], { signal: controller.signal, onProgress })
    await expect(aborted).rejects.toMatchObject({ message: "Upload cancelled" })

    expect(await media.count()).toBe(before + 2)
  })
})

describe("in a browser", () => {
  test("the request is one that tells how far it is", async () => {
    const sent: FakeXhr[] = []
    vi.stubGlobal(
      "XMLHttpRequest",
      class extends FakeXhr {
        constructor() {
          super()
          sent.push(this)
        }
      },
    )
    const onProgress = vi.fn()
    const config = { headers: { authorization: "Bearer x" }, getAuthHeaders: () => ({ "x-tenant": "1" }) }

    const uploading = world.client(undefined, config).collections.media.upload(picture(), { onProgress, path: "p" })
    await expect.poll(() => sent[0]?.body).toBeInstanceOf(FormData)
    const [xhr] = sent
    xhr?.upload.onprogress({ lengthComputable: true, loaded: 30, total: 60 })
    xhr?.answer(201, '{"id":"1","url":"/api/media/files/x.png"}')

    expect(await uploading).toEqual({ id: "1", url: "/api/media/files/x.png" })
    expect(onProgress.mock.calls).toEqual([[50]])
    expect(xhr).toMatchObject({ method: "POST", url: `${world.url}/media/upload`, withCredentials: true })
    expect(Object.fromEntries(xhr?.headers ?? [])).toMatchObject({ authorization: "Bearer x", "x-tenant": "1" })
    expect(xhr?.headers.has("content-type")).toBe(false)
    expect(xhr?.body?.get("path")).toBe("p")
  })

  test("failures are the same", async () => {
    const behaviours: ((xhr: FakeXhr) => void)[] = []
    vi.stubGlobal(
      "XMLHttpRequest",
      class extends FakeXhr {
        override send(body: FormData) {
          super.send(body)
          behaviours.shift()?.(this)
        }
      },
    )
    const upload = (signal?: AbortSignal) => world.client().collections.media.upload(picture(), { signal })
    const controller = new AbortController()
    behaviours.push(
      (xhr) => xhr.answer(413, '{"error":{"code":"PAYLOAD_TOO_LARGE"}}'),
      (xhr) => xhr.onerror(),
      () => controller.abort(),
    )

    await expect(upload()).rejects.toMatchObject({ message: "Upload failed", status: 413 })
    await expect(upload()).rejects.toMatchObject({ message: "Network error during upload", status: 0 })
    await expect(upload(controller.signal)).rejects.toMatchObject({ message: "Upload cancelled", status: 0 })
  })

  test("an upload that is cancelled while its headers are made is not sent", async () => {
    const send = vi.fn()
    vi.stubGlobal(
      "XMLHttpRequest",
      class extends FakeXhr {
        override send = send
      },
    )
    const controller = new AbortController()
    const getAuthHeaders = () => {
      controller.abort()
      return {}
    }
    const config = { getAuthHeaders }

    const uploading = world.client(undefined, config).collections.media.upload(picture(), { signal: controller.signal })

    await expect(uploading).rejects.toMatchObject({ message: "Upload cancelled", status: 0 })
    expect(send).not.toHaveBeenCalled()
  })
})

/** A mock of the browser's XMLHttpRequest. */
class FakeXhr {
  method = ""
  url = ""
  status = 0
  responseText = ""
  withCredentials = false
  body: FormData | undefined
  readonly headers = new Map<string, string>()
  readonly upload = { onprogress: (_event: object) => {} }
  onload = () => {}
  onerror = () => {}
  onabort = () => {}

  open(method: string, url: string) {
    Object.assign(this, { method, url })
  }

  setRequestHeader(name: string, value: string) {
    this.headers.set(name, value)
  }

  send(body: FormData) {
    this.body = body
  }

  abort() {
    this.onabort()
  }

  answer(status: number, responseText: string) {
    Object.assign(this, { status, responseText })
    this.onload()
  }
}
