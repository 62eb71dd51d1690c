import { readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { expect, test, vi } from "vitest"
import { createTestDatabase } from "../test-database.ts"
import { NpmProcess, npmFolder } from "./npm-process.ts"

const TASKS = `
import { collection } from "kit"
export default collection("tasks")
  .fields(({ f }) => ({ text: f.text() }))
  .hooks({ afterChange: async ({ queue }) => void (await queue.long.publish({})) })
`
// A job that runs until the test lets it end.
const LONG = `
import { existsSync } from "node:fs"
import { appendFile } from "node:fs/promises"
import { setTimeout as delay } from "node:timers/promises"
import { job } from "kit"
const schema = { "~standard": { version: 1, vendor: "test", validate: (value) => ({ value }) } }
export default job({
  name: "long",
  schema,
  handler: async () => {
    await appendFile("job.log", "begun ")
    console.log("the job has begun")
    while (!existsSync("may-end")) await delay(10)
    await appendFile("job.log", "done")
  },
})
`
const SEED = `
import { seed } from "kit"
export default seed(async ({ collections }) => void (await collections.tasks.create({ text: "First" })))
`
const APP = { "src/collections/tasks.ts": TASKS, "src/jobs/long.ts": LONG, "src/seeds/first.ts": SEED }
const COMMANDS = [
  ["npm start", ["start"]],
  ["npm run dev", ["run", "dev"]],
  ["npx kit start", ["exec", "--", "kit", "start", "--port", "0", "--seed"]],
  ["npm run worker", ["run", "worker"]],
] as const

interface Npm {
  readonly shell: string
  /** Returns the path of the `npm-cli.js` to run; undefined for the installed npm. */
  cli(): Promise<string | undefined>
}

/** Tests that a signal to npm stops the kit that npm has started: it refuses requests, and ends its job first. */
export function testSignalsToNpm({ shell, cli }: Npm): void {
  test.each(COMMANDS)(`%s in ${shell} stops kit gracefully on SIGTERM`, async (_name, args) => {
    const database = await createTestDatabase()
    await using folder = await npmFolder(APP)
    const env = { DATABASE_URL: database.url, KIT_SECRET: "a secret of some length for these tests" }
    await using npm = new NpmProcess(args, { cwd: folder.path, env, cli: await cli(), shell })
    await npm.printed(/the job has begun/)
    const url = /on (http:\S+)/.exec(npm.output)?.[1]

    npm.signal("SIGTERM")
    if (url) await vi.waitFor(() => expect(fetch(url)).rejects.toThrow(), { timeout: 30_000, interval: 50 })
    await writeFile(join(folder.path, "may-end"), "")
    await npm.closed()

    expect(await readFile(join(folder.path, "job.log"), "utf8")).toBe("begun done")
    expect(npm.output).not.toContain("was killed")
    await database.drop()
  })
}
