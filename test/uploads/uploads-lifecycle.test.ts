import { createHash } from "node:crypto"
import { once } from "node:events"
import { mkdir, readdir, readlink, utimes, writeFile } from "node:fs/promises"
import { get, request } from "node:http"
import { join } from "node:path"
import { Readable } from "node:stream"
import { json } from "node:stream/consumers"
import { pipeline } from "node:stream/promises"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { collection, job } from "kit"
import { testApp as startTestApp } from "kit/testing"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { z } from "zod"
import { ann, type FilesWorld, filesWorld, formWith, media, PNG } from "../support/worlds/files-world.ts"
import { sessions } from "../support/worlds/test-app.ts"

// Garbage would hide how much memory is really held.
setFlagsFromString("--expose-gc")
const collectGarbage: () => void = runInNewContext("gc")

const open = { read: true, create: true, update: true, delete: true, purge: true }

const kept = collection("kept").upload().options({ softDelete: true }).access(open)
const albums = collection("albums")
  .fields(({ f }) => ({ name: f.text(20) }))
  .access(open)
const photos = collection("photos")
  .fields(({ f }) => ({ album: f.relation("albums").onDelete("cascade") }))
  .upload()
  .access(open)
const films = collection("films")
  .upload({ maxSize: 100 * 1024 * 1024 })
  .access(open)

let world: FilesWorld

beforeAll(async () => {
  world = await filesWorld({ resources: [media, kept, albums, photos, films] })
})

afterAll(() => world[Symbol.asyncDispose]())

async function upload(name: string, parts: Record<string, string> = {}) {
  const { status, body } = await world.send(formWith(PNG, "a.png", parts), ann, name)
  expect(status).toBe(201)
  return { ...body, path: join(world.folder, body.key) }
}

// Files are removed after the answer, when the delete is certain.
async function expectStored(path: string, isStored: boolean): Promise<void> {
  await expect.poll(async () => (await world.stored()).includes(path)).toBe(isStored)
}

describe("the file of a record", () => {
  test("goes with it", async () => {
    const file = await upload("media")

    await world.client(ann).collections.media.deleteById({ id: file.id })

    await expectStored(file.path, false)
    await expect.poll(() => world.database.query('select * from "_kit_files"')).toEqual([])
  })

  test("goes with many of them", async () => {
    const files = [await upload("photos"), await upload("photos")]

    await world.client(ann).collections.photos.deleteMany({ where: { id: { in: files.map(({ id }) => id) } } })

    for (const { path } of files) await expectStored(path, false)
  })

  test("goes with what it belongs to", async () => {
    const album = await world.client(ann).collections.albums.create({ name: "Summer" })
    const file = await upload("photos", { album: album.id })

    await world.client(ann).collections.albums.deleteById({ id: album.id })

    await expectStored(file.path, false)
  })

  test("stays with a deleted record that is kept, until it is purged", async () => {
    const file = await upload("kept")
    const client = world.client(ann).collections.kept

    await client.deleteById({ id: file.id })
    expect((await world.load(file.url)).status).toBe(404)
    await expectStored(file.path, true)
    await client.restoreById({ id: file.id })
    expect((await world.load(file.url)).status).toBe(200)

    await client.deleteById({ id: file.id })
    await client.purgeById({ id: file.id })
    await expectStored(file.path, false)
  })

  test("stays when the delete is rolled back", async () => {
    const file = await upload("photos")

    const work = world.app.system.transaction(async ({ collections }) => {
      await collections["photos"]?.deleteById({ id: file.id })
      throw new Error("On second thought.")
    })

    await expect(work).rejects.toThrow("On second thought.")
    expect((await world.load(file.url)).status).toBe(200)
    await expect.poll(() => world.database.query('select * from "_kit_files"')).toEqual([])
  })
})

describe("the sweep", () => {
  test("removes after an hour what a crash has left, and nothing else", async () => {
    const idle = job({ name: "idle", schema: z.object({}), handler: () => undefined })
    const config = { storage: { folder: world.folder } }
    await using app = await startTestApp({ collections: [photos, albums], jobs: { idle }, config })
    const form = formWith(PNG)
    const { key, url }: any = await (await app.fetch("/photos/upload", { method: "POST", body: form })).json()
    const [loose, begun] = [join(world.folder, "2026/01/loose.png"), join(world.folder, ".incoming/begun")]
    await mkdir(join(world.folder, "2026/01"), { recursive: true })
    for (const path of [loose, begun]) await writeFile(path, PNG)
    const now = app.clock.now()
    await utimes(begun, now, now)
    for (const noted of ["2026/01/loose.png", key]) {
      await app.query('insert into "_kit_files" (key, stored_at) values ($1, $2)', [noted, now])
    }

    await app.clock.advance("59m")
    await app.jobs.settle()
    expect(await world.stored()).toEqual(expect.arrayContaining([loose, begun]))

    await app.clock.advance("2h")
    await app.jobs.settle()
    const stored = await world.stored()
    expect([stored.includes(loose), stored.includes(begun)]).toEqual([false, false])
    expect((await fetch(new URL(url, app.url))).status).toBe(200)
    expect(await app.query('select * from "_kit_files"')).toEqual([])
  })
})

describe("a large file", () => {
  const SIZE = 30 * 1024 * 1024
  const MOST = 16 * 1024 * 1024
  const MEASURED_EVERY = 10 * 1024 * 1024

  test("is never held whole, neither on its way in nor out", async () => {
    const before = held()
    const hash = createHash("sha256")
    let most = 0
    const measuring = () => {
      let nextAt = MEASURED_EVERY
      return (bytes: number) => {
        if (bytes < nextAt) return
        nextAt += MEASURED_EVERY
        most = Math.max(most, held() - before)
      }
    }
    const [measureSent, measureReceived] = [measuring(), measuring()]

    const { size, checksum, url } = await sendForm(
      bigForm((bytes, sent) => {
        hash.update(bytes)
        measureSent(sent)
      }),
    )
    const [loaded] = await once(get(new URL(url, world.url)), "response")
    let received = 0
    for await (const bytes of loaded) {
      received += bytes.length
      measureReceived(received)
    }

    expect([size, received, checksum]).toEqual([SIZE, SIZE, hash.digest("hex")])
    expect(most).toBeLessThan(MOST)
  })

  test("is let go of when nobody reads it any more", async () => {
    const bytes = Buffer.alloc(SIZE, "film")
    const { body: film } = await world.send(formWith(bytes, "film.bin"), ann, "films")
    const readers = await Promise.all(
      Array.from({ length: 5 }, () => once(get(new URL(film.url, world.url)), "response")),
    )

    await expect.poll(openFiles).toBe(readers.length)
    for (const [answer] of readers) answer.destroy()

    await expect.poll(openFiles).toBe(0)
  })

  // Returns the number of open files of this process, which is also the server, below the folder of the files.
  async function openFiles(): Promise<number> {
    const names = await readdir("/proc/self/fd")
    const paths = await Promise.all(names.map((name) => readlink(`/proc/self/fd/${name}`).catch(() => "")))
    return paths.filter((path) => path.startsWith(world.folder)).length
  }

  function held(): number {
    // The second collection waits for work that the first has left to the background.
    collectGarbage()
    collectGarbage()
    const { arrayBuffers, heapUsed } = process.memoryUsage()
    return arrayBuffers + heapUsed
  }

  // A form that is generated piece by piece.
  function* bigForm(onPiece: (bytes: Uint8Array, sent: number) => void): Generator<Uint8Array> {
    yield Buffer.from('--xyz\r\nContent-Disposition: form-data; name="file"; filename="film.bin"\r\n\r\n')
    for (let sent = 0; sent < SIZE; ) {
      const piece = Buffer.alloc(64 * 1024, sent % 251)
      sent += piece.length
      onPiece(piece, sent)
      yield piece
    }
    yield Buffer.from("\r\n--xyz--\r\n")
  }

  // Sends the form no faster than the server reads it, and keeps nothing in memory.
  async function sendForm(form: Iterable<Uint8Array>) {
    const headers = { "content-type": "multipart/form-data; boundary=xyz", cookie: sessions.sign(ann) }
    const sending = request(`${world.url}/films/upload`, { method: "POST", headers })
    const [[answer]] = await Promise.all([once(sending, "response"), pipeline(Readable.from(form), sending)])
    return (await json(answer)) as { size: number; checksum: string; url: string }
  }
})

describe("a host that speaks Request and Response", () => {
  test("takes and serves files too", async () => {
    const { app } = world
    const request = new Request("http://host.test/api/films/upload", { method: "POST", body: formWith(PNG) })

    const answer = await app.handler(request)
    const record: any = await answer.json()
    const file = await app.handler(new Request(`http://host.test${record.url}`, { headers: { range: "bytes=1-3" } }))
    const head = await app.handler(new Request(`http://host.test${record.url}`, { method: "HEAD" }))

    expect(answer.status).toBe(201)
    expect([file.status, await file.text()]).toEqual([206, "PNG"])
    expect([head.status, head.headers.get("content-length"), await head.text()]).toEqual([200, String(PNG.length), ""])
  })

  test("gets an answer to a form that is refused", async () => {
    const body = formWith(Buffer.alloc(70 * 1024, "a"), "a.txt")
    const headers = { cookie: sessions.sign(ann) }

    const answer = await world.app.handler(
      new Request("http://h.test/api/media/upload", { method: "POST", body, headers }),
    )

    expect(answer.status).toBe(413)
  })
})
