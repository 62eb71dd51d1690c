// @module-tag not-about-engine

import { type FileHandle, open } from "node:fs/promises"
import { expect, onTestFinished, test, vi } from "vitest"
import { ann, type FilesWorld, filesWorld, formWith, PNG } from "../support/worlds/files-world.ts"

const OUTAGE = { code: "SERVICE_UNAVAILABLE", context: { reason: "storage" } }
const FULL = /disk of .* is full/
const OVER = /There is room on the disk/

test("an upload to a full disk says so, leaves nothing behind, and is said once in the log", async () => {
  const world = await start()
  const before = await world.send(formWith(PNG, "before.png"))
  const disk = await fillDisk()

  const refused = [await world.send(formWith(PNG, "a.png")), await world.send(formWith(PNG, "b.png"))]
  const ready = await world.fetch("/_kit/ready")
  const left = await world.stored()
  const read = await world.load(before.body.url, { session: ann })
  disk.empty()
  const after = await world.fetch("/_kit/ready")

  for (const { status, body } of refused) {
    expect({ status, error: body.error }).toMatchObject({ status: 503, error: OUTAGE })
    expect(body.error.message).toContain("disk is full")
  }
  expect(ready).toMatchObject({ status: 200, body: { status: "degraded", problems: [expect.stringMatching(FULL)] } })
  expect(left).toHaveLength(1)
  expect(await world.database.query(`select count(*)::int as count from "_kit_files"`)).toEqual([{ count: 0 }])
  expect(await world.database.query("select count(*)::int as count from media")).toEqual([{ count: 1 }])
  expect(Buffer.from(await read.arrayBuffer()).equals(PNG)).toBe(true)
  expect(after.body).toEqual({ status: "ready" })
  expect((await world.send(formWith(PNG, "after.png"))).status).toBe(201)
  expect(linesOf(world)).toEqual(["full", "over"])
})

test("that there is room again is found out without anybody asking for readiness", async () => {
  const world = await start()
  const disk = await fillDisk()
  await world.send(formWith(PNG, "a.png"))
  disk.empty()

  const { status } = await world.send(formWith(PNG, "b.png"))
  await vi.waitFor(
    async () => {
      await world.fetch("/articles")
      expect(linesOf(world)).toEqual(["full", "over"])
    },
    { timeout: 60_000, interval: 100 },
  )

  expect(status).toBe(201)
})

test("a write to a database whose disk is full says so, and reads go on", async () => {
  const world = await start()
  await article(world, "Before")
  const disk = await fillDatabase(world)

  const refused = [await article(world, "A"), await article(world, "B")]
  const read = await world.fetch("/articles")
  const ready = await world.fetch("/_kit/ready")
  const still = await world.fetch("/_kit/ready")
  await disk.empty()
  const after = await world.fetch("/_kit/ready")

  for (const answer of refused) expect(answer).toMatchObject({ status: 503, body: { error: OUTAGE } })
  expect(refused[0]?.headers.get("retry-after")).toBe("1")
  expect(read).toMatchObject({ status: 200, body: { totalDocs: 1 } })
  expect(ready).toMatchObject({ status: 200, body: { status: "degraded", problems: [expect.stringMatching(FULL)] } })
  expect(still.body).toEqual(ready.body)
  expect(after.body).toEqual({ status: "ready" })
  expect((await article(world, "After")).status).toBe(201)
  expect(linesOf(world)).toEqual(["full", "over"])
})

test("an upload whose record finds no room leaves no file and no note of one", async () => {
  const world = await start()
  const disk = await fillDatabase(world)

  const refused = await world.send(formWith(PNG, "a.png"))

  expect(refused).toMatchObject({ status: 503, body: { error: OUTAGE } })
  expect(await world.stored()).toEqual([])
  expect(await world.database.query(`select count(*)::int as count from "_kit_files"`)).toEqual([{ count: 0 }])
  await disk.empty()
})

async function start(): Promise<FilesWorld> {
  const world = await filesWorld()
  onTestFinished(() => world[Symbol.asyncDispose]())
  return world
}

function article(world: FilesWorld, title: string) {
  return world.fetch("/articles", { method: "POST", body: JSON.stringify({ title }), session: ann })
}

function linesOf({ logged }: FilesWorld): string[] {
  return logged.flatMap(({ message }) => {
    if (FULL.test(message)) return ["full"]
    if (OVER.test(message)) return ["over"]
    return /request|failed/.test(message) ? [message] : []
  })
}

/** Makes the file system refuse all bytes like a full disk: files become links to a device that is always full. */
async function fillDisk(): Promise<{ empty(): void }> {
  const device = await open("/dev/full", "w")
  onTestFinished(() => device.close())
  const prototype: FileHandle = Object.getPrototypeOf(device)
  const writeReally = prototype.write
  const spy = vi
    .spyOn(prototype, "write")
    .mockImplementation(((...args: unknown[]) => Reflect.apply(writeReally, device, args)) as FileHandle["write"])
  onTestFinished(() => spy.mockRestore())
  return { empty: () => spy.mockRestore() }
}

/** Makes the server refuse rows and temporary tables, as it does on a full disk. */
async function fillDatabase({ database }: FilesWorld): Promise<{ empty(): Promise<void> }> {
  const raise = "raise exception 'could not extend file: No space left on device' using errcode = 'disk_full'"
  await database.query(`create function refuse_row() returns trigger language plpgsql as $$ begin ${raise}; end $$`)
  await database.query(
    `create function refuse_table() returns event_trigger language plpgsql as $$ begin ${raise}; end $$`,
  )
  await database.query("create trigger full_disk before insert on articles execute function refuse_row()")
  await database.query("create trigger full_disk before insert on media execute function refuse_row()")
  await database.query(
    "create event trigger full_disk on ddl_command_start when tag in ('CREATE TABLE AS') execute function refuse_table()",
  )
  const empty = async () => {
    await database.query("drop event trigger if exists full_disk")
    await database.query("drop function if exists refuse_row() cascade")
  }
  return { empty }
}
