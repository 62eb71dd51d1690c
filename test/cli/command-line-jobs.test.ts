// @module-tag not-about-engine

import { describe, expect, test, vi } from "vitest"
import { getJob } from "../../packages/kit/src/features/jobs/job-admin.ts"
import type { JobNotification } from "../../packages/kit/src/features/jobs/job-queue.ts"
import type { JobRun } from "../../packages/kit/src/features/jobs/running-job.ts"
import { job } from "../../packages/kit/src/schema/builders/job.ts"
import { runKit } from "../support/processes/kit-command.ts"
import { appFolder, KitProcess } from "../support/processes/kit-process.ts"
import { createTestDatabase } from "../support/test-database.ts"
import { type JobWorld, jobWorld, schemaOf } from "../support/worlds/job-world.ts"

const WAIT = { timeout: 60_000, interval: 5 }
const UNKNOWN_ID = "01890000-0000-7000-8000-000000000000"
const POSTS = `
import { collection } from "kit"
export default collection("posts").fields(({ f }) => ({ title: f.text(200) }))
`

const note = job({ name: "note", schema: schemaOf(), handler: () => {} })
const digest = job({ name: "digest", schema: schemaOf(), handler: () => {} })
const slow = job({ name: "slow", schema: schemaOf(), handler: () => {} })

async function kitJobs(args: readonly string[], { url, cwd }: { url: string; cwd?: string }) {
  await using folder = await appFolder({})
  const options = { cwd: cwd ?? folder.path, env: { DATABASE_URL: url } }
  const { code, output } = await runKit(["jobs", ...args], options)
  return { code, output, lines: output.split("\n").filter((line) => line !== "") }
}

/** Waits until a run has come this far. */
function milestone() {
  let reach = () => {}
  const reached = new Promise<void>((resolve) => {
    reach = resolve
  })
  return { reached, reach }
}

/** The id of a job that has failed with this error. */
async function failedJob(world: JobWorld, error: Error): Promise<string> {
  await using instance = world.instance()
  const handler = () => Promise.reject(error)
  const failing = job({ name: "failing", schema: schemaOf(), handler, options: { retryLimit: 0 } })
  const id = await instance.publish(failing, { article: 7 })
  await instance.work([failing])
  await vi.waitFor(async () => expect(await getJob(instance.database, id)).toMatchObject({ state: "failed" }), WAIT)
  return id
}

describe("kit jobs list", () => {
  test("shows each job on a line, the newest first", async () => {
    await using world = await jobWorld()
    const failed = await failedJob(world, new Error("The desk is closed.\nAsk tomorrow."))
    const instance = world.instance({ now: () => new Date("2030-01-02T03:04:05Z") })
    const waiting = await instance.publish(note, {})
    const scheduled = await instance.publish(digest, {}, { startAfter: new Date("2030-02-03T04:05:06Z") })

    const { code, lines } = await kitJobs(["list"], world.database)

    expect(code).toBe(0)
    expect(lines).toHaveLength(4)
    expect(lines[0]).toMatch(/^ {2}id +name +state +attempts +when +error$/)
    const newest = lines.slice(1, 3).join("\n")
    expect(newest).toMatch(new RegExp(`${waiting} +note +waiting +0/4 +2030-01-02T03:04:05.000Z$`, "m"))
    expect(newest).toMatch(new RegExp(`${scheduled} +digest +scheduled +0/4 +2030-02-03T04:05:06.000Z$`, "m"))
    expect(lines[3]).toMatch(new RegExp(`${failed} +failing +failed +1/1 +20\\S+Z +Error: The desk is closed.$`))
  })

  test("takes a state, a name and a limit, and says that there are more", async () => {
    await using world = await jobWorld()
    const instance = world.instance()
    const ids = [await instance.publish(note, 1), await instance.publish(note, 2)]
    await instance.publish(note, 3, { startAfter: 3600 })
    await instance.publish(digest, 4)

    const all = await kitJobs(["list", "--state", "waiting", "--name", "note"], world.database)
    const one = await kitJobs(["list", "--state", "waiting", "--name", "note", "--limit", "1"], world.database)

    expect(all.lines).toHaveLength(3)
    for (const id of ids) expect(all.output).toContain(id)
    expect(all.output).not.toContain("there are more")
    expect(one.lines).toHaveLength(3)
    expect(one.lines[2]).toContain("there are more than these 1: --limit shows up to 1000")
  })

  test("says that there is nothing", async () => {
    await using world = await jobWorld()

    const none = await kitJobs(["list"], world.database)
    const filtered = await kitJobs(["list", "--state", "failed", "--name", "note"], world.database)
    const json = await kitJobs(["list", "--json"], world.database)

    expect(none).toMatchObject({ code: 0, lines: ["  there are no jobs"] })
    expect(filtered).toMatchObject({ code: 0, lines: ['  there are no jobs in state failed with the name "note"'] })
    expect(json).toMatchObject({ code: 0, output: "" })
  })

  test("prints whole jobs as lines of JSON", async () => {
    await using world = await jobWorld()
    const failed = await failedJob(world, new Error("Line one.\nLine two."))
    const instance = world.instance()
    const waiting = await instance.publish(note, { text: "two\nlines" }, { singletonKey: "k", priority: 5 })

    const { lines } = await kitJobs(["list", "--json"], world.database)

    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { id: waiting, name: "note", state: "waiting", payload: { text: "two\nlines" }, singletonKey: "k", priority: 5 },
      { id: failed, state: "failed", error: expect.stringContaining("Line one.\nLine two.") },
    ])
  })

  test("what a job holds cannot steer the terminal", async () => {
    await using world = await jobWorld()
    const id = await failedJob(world, new Error("\u001b[2Jgone \u009b2J \u202eback"))

    const outputs = [
      await kitJobs(["list"], world.database),
      await kitJobs(["list", "--json"], world.database),
      await kitJobs(["show", id], world.database),
    ].map(({ output }) => output)

    for (const output of outputs) {
      expect(output).toContain("\\u001b[2Jgone \\u009b2J \\u202eback")
      for (const character of ["\u001b", "\u009b", "\u202e"]) expect(output).not.toContain(character)
    }
  })
})

test("kit jobs show tells everything about a job", async () => {
  await using world = await jobWorld()
  const id = await failedJob(world, new Error("First.\nSecond."))

  const { code, output } = await kitJobs(["show", id], world.database)
  const asJson = await kitJobs(["show", id, "--json"], world.database)

  expect(code).toBe(0)
  expect(JSON.parse(asJson.output)).toMatchObject({ id, name: "failing", state: "failed", payload: { article: 7 } })
  expect(output).toMatch(new RegExp(`^ {2}id +${id}$`, "m"))
  expect(output).toMatch(/^ {2}name +failing$/m)
  expect(output).toMatch(/^ {2}state +failed$/m)
  expect(output).toMatch(/^ {2}attempts +1 of 1$/m)
  expect(output).toMatch(/^ {2}published by +system code$/m)
  expect(output).toMatch(/^ {2}finished +20\S+Z$/m)
  expect(output).toMatch(/^ {2}payload +\{\n +"article": 7\n +\}$/m)
  expect(output).toMatch(/^ {2}error +Error: First\.\n +Second\.\n +at /m)
})

describe("kit jobs retry", () => {
  test("runs a failed job again, and tells the workers at once", async () => {
    await using world = await jobWorld()
    const id = await failedJob(world, new Error("Once."))
    const instance = world.instance()
    const notices: JobNotification[] = []
    const stopListening = instance.queue.subscribe((notice) => void notices.push(notice))
    await vi.waitFor(() => expect(notices).toContainEqual({ kind: "due" }), WAIT)

    const { code, output } = await kitJobs(["retry", id], world.database)
    await vi.waitFor(() => expect(notices).toContainEqual({ kind: "due", name: "failing" }), WAIT)
    stopListening()
    const retried = await getJob(instance.database, id)
    const seen: unknown[] = []
    const mended = job({ name: "failing", schema: schemaOf(), handler: ({ payload }) => void seen.push(payload) })
    await instance.work([mended])
    await vi.waitFor(async () => expect(await getJob(instance.database, id)).toBeUndefined(), WAIT)

    expect({ code, output }).toEqual({ code: 0, output: `  failing ${id} now waits for a worker, with one try\n` })
    expect(retried).toMatchObject({ state: "waiting", attempts: 0, finishedAt: null })
    expect(seen).toEqual([{ article: 7 }])
  })

  test("runs a scheduled job now, and leaves alone one that waits", async () => {
    await using world = await jobWorld()
    const instance = world.instance()
    const id = await instance.publish(note, {}, { startAfter: 3600 })

    const first = await kitJobs(["retry", id], world.database)
    const again = await kitJobs(["retry", id], world.database)

    expect(first).toMatchObject({ code: 0, output: `  note ${id} now waits for a worker, with 4 tries\n` })
    expect((await getJob(instance.database, id))?.runAt.getTime()).toBeLessThanOrEqual(Date.now())
    expect(again.code).toBe(1)
    expect(again.lines[0]).toBe(`Job ${id} waits for a worker already.`)
  })
})

test("a running job is not retried, and is rolled back when it is cancelled", async () => {
  await using world = await jobWorld()
  await world.database.query("create table payments (job uuid)")
  const [begun, ending] = [milestone(), milestone()]
  const instance = world.instance()
  let outcome: Promise<unknown> | undefined
  const pay = (run: JobRun) =>
    run.transaction(async (transaction) => {
      await transaction.query({ text: "insert into payments values ($1)", values: [run.id] })
      begun.reach()
      await ending.reached
    })
  await instance.work([slow], {
    run: (run) => {
      outcome = pay(run)
      return outcome
    },
  })
  const id = await instance.publish(slow, {})
  await begun.reached

  const retried = await kitJobs(["retry", id], world.database)
  const listed = await kitJobs(["list", "--state", "running"], world.database)
  const cancelled = await kitJobs(["cancel", id], world.database)
  ending.reach()

  expect(retried.code).toBe(1)
  expect(retried.lines[0]).toBe(
    `Job ${id} is running. Wait until it has ended; if it fails for good, it can be retried.`,
  )
  expect(listed.output).toMatch(new RegExp(`${id} +slow +running +1/4 +20\\S+Z$`, "m"))
  expect(cancelled).toMatchObject({ code: 0 })
  expect(cancelled.output).toContain(
    `removed slow ${id}; it was running, and what its transaction writes is rolled back`,
  )
  await expect(outcome).rejects.toThrow()
  expect(await world.database.query("select job from payments")).toEqual([])
  expect(await getJob(instance.database, id)).toBeUndefined()
})

test("kit jobs cancel removes a job that has not started", async () => {
  await using world = await jobWorld()
  const instance = world.instance()
  const [id, other] = [await instance.publish(note, 1), await instance.publish(note, 2)]

  const first = await kitJobs(["cancel", id], world.database)
  const again = await kitJobs(["cancel", id], world.database)

  expect(first).toMatchObject({ code: 0, output: `  removed note ${id}\n` })
  expect(again.code).toBe(1)
  expect(again.lines[0]).toBe(`There is no job "${id}": it has completed, was removed, or never existed.`)
  expect(await getJob(instance.database, other)).toMatchObject({ state: "waiting" })
})

test("a job that is not there is a failure in one line", async () => {
  await using world = await jobWorld()

  const shown = await kitJobs(["show", "seven"], world.database)
  const retried = await kitJobs(["retry", UNKNOWN_ID], world.database)

  expect([shown.code, retried.code]).toEqual([1, 1])
  expect(shown.lines).toEqual([expect.stringContaining('There is no job "seven"')])
  expect(retried.lines).toEqual([expect.stringContaining(`There is no job "${UNKNOWN_ID}"`)])
})

describe("without a table of jobs", () => {
  test("an empty database is explained", async () => {
    const database = await createTestDatabase()

    const listed = await kitJobs(["list"], database)
    const retried = await kitJobs(["retry", UNKNOWN_ID], database)

    const message = "The database has no table of jobs yet. Start the app once, or run kit migrate up.\n"
    expect(listed).toMatchObject({ code: 1, output: message })
    expect(retried).toMatchObject({ code: 1, output: message })
    await database.drop()
  })

  test("no database is made to look into it", async () => {
    const { code, output } = await kitJobs(["list"], { url: "" })

    expect({ code, output }).toEqual({ code: 1, output: "There is no database yet. Start the app once.\n" })
  })
})

test("works on the embedded database while the app runs, after it, and with a mistake in its files", async () => {
  await using folder = await appFolder({ "src/collections/posts.ts": POSTS })
  const at = { url: "", cwd: folder.path }
  const started = new KitProcess(["start", "--port", "0"], { cwd: folder.path, env: { DATABASE_URL: "" } })
  await started.printed(/ready in/)

  const whileRunning = await kitJobs(["list"], at)
  await started.stop()
  await folder.write("src/collections/posts.ts", "export default 5")
  const afterwards = await kitJobs(["list"], at)

  expect(whileRunning).toMatchObject({ code: 0, lines: ["  there are no jobs"] })
  expect(afterwards.code).toBe(0)
  expect(afterwards.output).toContain("there are no jobs")
})
