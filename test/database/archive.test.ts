// @module-tag not-about-engine

import { createHash } from "node:crypto"
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { openArchiveFile, writeArchiveFile } from "../../packages/kit/src/cli/database/archive-file.ts"
import { openDiskFiles } from "../../packages/kit/src/drivers/files/disk-files.ts"
import { openBulkSession } from "../../packages/kit/src/drivers/postgres/bulk-session.ts"
import { FRAME } from "../../packages/kit/src/engine/archive/archive-format.ts"
import { dumpDatabase } from "../../packages/kit/src/engine/archive/dump-database.ts"
import { FrameWriter } from "../../packages/kit/src/engine/archive/frame-writer.ts"
import { restoreArchive } from "../../packages/kit/src/engine/archive/restore-archive.ts"
import type { BulkSession } from "../../packages/kit/src/ports/bulk-session.ts"
import { createTestDatabase, type TestDatabase } from "../support/test-database.ts"

const FIRST_LINE = "kit archive 1\n"
// The time, the flags and the system in the head of a gzip file do not matter, so a change of them is not an error.
const GZIP_HEAD_BYTES = 10
const CUTS = 25
const HEAD = { app: "a", createdAt: "", server: "18", schema: "public", schemas: ["public"], before: [], after: [] }
const ROW = "1\tone\n"

let folder: string
let source: TestDatabase
let target: TestDatabase
let archive: Buffer

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "kit-archive-"))
  source = await createTestDatabase()
  target = await createTestDatabase()
  await source.query(`create table notes (id integer primary key, text text not null);
    insert into notes select i, 'note ' || i from generate_series(1, 500) i;
    create view shown as select text from notes`)
  await storeFile("of-source", "2026/11/a.txt", "some text")
  archive = await dumpTo("whole.kit")
})

afterAll(async () => {
  await Promise.all([source.drop(), target.drop()])
  await rm(folder, { recursive: true })
})

describe("an archive that is not as it was written", () => {
  test("is refused wherever it was cut off, and nothing is restored", async () => {
    for (let cut = 0; cut < CUTS; cut += 1) {
      const length = Math.floor((archive.length * cut) / CUTS)
      await expectRefusal(archive.subarray(0, length), /The archive is incomplete|The file is not an archive/)
    }
    await expectRefusal(archive.subarray(0, -1), /The archive is incomplete/)
  })

  test("is refused wherever a bit was changed, and nothing is restored", async () => {
    const first = FIRST_LINE.length + GZIP_HEAD_BYTES
    for (let cut = 0; cut < CUTS; cut += 1) {
      const changed = Buffer.from(archive)
      const at = first + Math.floor(((archive.length - first) * cut) / CUTS)
      changed.writeUInt8(changed.readUInt8(at) ^ 0x10, at)
      await expectRefusal(changed, /The archive is (damaged|incomplete)|Nothing was restored/)
    }
  })

  test("is refused if it is of a newer format, or no archive at all", async () => {
    const newer = Buffer.concat([Buffer.from("kit archive 2\n"), archive.subarray(FIRST_LINE.length)])

    await expectRefusal(newer, /The archive has the format 2, and this version of kit reads formats up to 1\./)
    await expectRefusal(Buffer.from("PGDMP\x01\x0e"), /The file is not an archive of kit\./)
    await expectRefusal(Buffer.alloc(0), /The file is not an archive of kit\./)
  })

  test.each([
    [
      "rows that differ from their checksum",
      "1\tone\n",
      { rows: 1, checksum: "0".repeat(32) },
      /The rows of public\.n differ/,
    ],
    ["a row that the table does not take", "x\ty\n", { rows: 1, checksum: "" }, /invalid input syntax/],
  ])("is refused with %s", async (_, rows, end, message) => {
    const bytes = await written(async (out) => {
      await out.writeJson(FRAME.head, { ...HEAD, tables: [NOTES] })
      await out.writeJson(FRAME.table, { name: NOTES.name })
      await out.writeData(Buffer.from(rows))
      await out.writeJson(FRAME.tableEnd, end)
    })

    await expectRefusal(bytes, message)
  })

  test("is refused if a file would leave the folder of files", async () => {
    const bytes = await written(async (out) => {
      await out.writeJson(FRAME.head, { ...HEAD, tables: [] })
      await out.writeJson(FRAME.file, { key: "../outside.txt" })
      await out.writeData(Buffer.from(ROW))
      await out.writeJson(FRAME.fileEnd, { sha256: createHash("sha256").update(ROW).digest("hex") })
    })

    await expectRefusal(bytes, /The archive is damaged/)
  })
})

test("the whole archive is restored with its file, also after all these failures", async () => {
  const report = await restoreBytes(archive)

  expect(report).toEqual({ tables: [{ table: "public.notes", rows: 500 }], files: 1, warnings: [] })
  expect(await target.query("select count(*)::int as count from shown")).toEqual([{ count: 500 }])
  expect(await readFile(join(folder, "of-target/2026/11/a.txt"), "utf8")).toBe("some text")
})

const NOTES = {
  name: "public.n",
  columns: ["id", "text"],
  create: { title: "table public.n", sql: "create table public.n (id integer, text text)" },
}

async function expectRefusal(bytes: Buffer, message: RegExp): Promise<void> {
  await expect(restoreBytes(bytes)).rejects.toThrow(message)

  expect(await target.query("select relname from pg_class where relnamespace = 'public'::regnamespace")).toEqual([])
  expect(await openDiskFiles(join(folder, "of-target")).list()).toEqual([])
}

async function restoreBytes(bytes: Buffer) {
  const path = join(folder, "tried.kit")
  await writeFile(path, bytes)
  const files = openDiskFiles(join(folder, "of-target"))
  const frames = await openArchiveFile(path)
  return withSession(target.url, (session) =>
    restoreArchive({ target: session, files, archive: frames, onHead: () => {}, onEvent: () => {} }),
  )
}

async function dumpTo(name: string): Promise<Buffer> {
  const path = join(folder, name)
  const files = openDiskFiles(join(folder, "of-source"))
  const origin = { app: "notes", createdAt: new Date(0).toISOString() }
  await withSession(source.url, (session) =>
    writeArchiveFile(path, (write) =>
      dumpDatabase({ source: session, schemas: [], files, origin, write, onEvent: () => {} }),
    ),
  )
  return readFile(path)
}

/** Returns the bytes of an archive with these frames. */
async function written(work: (out: FrameWriter) => Promise<void>): Promise<Buffer> {
  const path = join(folder, "written.kit")
  await rm(path, { force: true })
  await writeArchiveFile(path, (write) => work(new FrameWriter(write)))
  return readFile(path)
}

async function withSession<Result>(url: string, work: (session: BulkSession) => Promise<Result>): Promise<Result> {
  const session = await openBulkSession({ url, name: "a test" })
  try {
    return await work(session)
  } finally {
    await session.close()
  }
}

async function storeFile(store: string, key: string, text: string): Promise<void> {
  const file = await openDiskFiles(join(folder, store)).begin()
  await file.write(Buffer.from(text))
  await file.commit(key)
}
