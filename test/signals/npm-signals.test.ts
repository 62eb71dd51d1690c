// @module-tag not-about-engine
// @module-tag experiment

import { spawn } from "node:child_process"
import { once } from "node:events"
import { createInterface } from "node:readline"
import { expect, test, vi } from "vitest"
import { freePort } from "../support/processes/free-port.ts"
import { npmFolder, withoutNpm } from "../support/processes/npm-process.ts"
import { testSignalsToNpm } from "../support/processes/npm-signals.ts"
import { createTestDatabase } from "../support/test-database.ts"

const WAIT = { timeout: 60_000, interval: 50 }

// The installed npm. `npm run test:long` has npm 10 and npm 11.
for (const shell of ["/bin/sh", "/bin/bash"]) testSignalsToNpm({ shell, cli: async () => undefined })

const TASKS = `
import { collection } from "kit"
export default collection("tasks").fields(({ f }) => ({ text: f.text() })).access({ read: true })
`

test("of the kits that a shell leaves behind, those that npm has started end, and others go on", async () => {
  const database = await createTestDatabase()
  const ports = [await freePort(), await freePort(), await freePort()]
  await using folder = await npmFolder({ "src/collections/tasks.ts": TASKS })
  const variables = ["npm_command=exec", "npm_lifecycle_event=start", "HOME=$HOME"]
  const background = variables.map(
    (set, index) => `nohup env ${set} node_modules/.bin/kit start --port ${ports[index]} > /dev/null 2>&1 & echo $!`,
  )
  const env = { ...withoutNpm(process.env), DATABASE_URL: database.url, KIT_DRAIN_MS: "0" }
  const shell = spawn("/bin/sh", ["-c", `${background.join("\n")}\nread line`], { cwd: folder.path, env })
  const pids: number[] = []
  createInterface(shell.stdout).on("line", (line) => pids.push(Number(line)))
  const read = (index: number) => fetch(`http://localhost:${ports[index]}/api/tasks/count`)
  for (const index of ports.keys()) await vi.waitFor(() => read(index), WAIT)

  shell.stdin.end("\n")
  await once(shell, "close")
  const [byNpx = 0, byNpm = 0, byHand = 0] = pids
  for (const pid of [byNpx, byNpm]) await vi.waitFor(() => expect(isRunning(pid)).toBe(false), WAIT)

  // All three lost their parent at the same moment.
  expect([isRunning(byHand), (await read(2)).status]).toEqual([true, 200])
  process.kill(byHand, "SIGTERM")
  await vi.waitFor(() => expect(isRunning(byHand)).toBe(false), WAIT)
  await database.drop()
})

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
