import { mkdtempSync, rmdirSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, expect, test } from "vitest"
import { RestartBackoff } from "../../src/drivers/embedded-postgres/supervisor/restart-backoff.ts"
import { type ServerState, StateReport } from "../../src/drivers/embedded-postgres/supervisor/server-state.ts"
import { stopReason } from "../../src/drivers/embedded-postgres/supervisor/stop-reason.ts"

const home = mkdtempSync(join(tmpdir(), "kit-test-"))
afterAll(() => rmdirSync(home))

const EXITED = { signal: null, description: "its process exited with code 1" }
const KILLED = { signal: "SIGKILL", description: "its process was ended by SIGKILL" } as const

const line = (text: string) => `2026-01-02 03:04:05.678 UTC [123] ${text}`

const CASES = [
  ["nothing was written", [], EXITED, "its process exited with code 1"],
  ["its last words", [line("FATAL:  first"), line("FATAL:  last"), line("LOG:  later")], EXITED, "last"],
  [
    "a panic counts more than what follows from it",
    [line('PANIC:  could not write to file "x": No space left on device'), line("FATAL:  could not recover")],
    EXITED,
    'could not write to file "x": No space left on device',
  ],
  [
    "what its clients were told is not why it ended",
    [
      line("FATAL:  the reason"),
      line("FATAL:  terminating connection due to administrator command"),
      line('FATAL:  database "other" does not exist'),
      line("FATAL:  the database system is shutting down"),
    ],
    EXITED,
    "the reason",
  ],
  ["a signal needs no words", [line("FATAL:  something of long ago")], KILLED, "its process was ended by SIGKILL"],
] as const

test.each(CASES)("the reason: %s", (_name, lines, end, reason) => {
  expect(stopReason({ home, end, lines: lines.join("\n") })).toBe(reason)
})

test("pauses double up to their limit, and begin again after a reset", () => {
  const pauses = new RestartBackoff(1000)

  const row = Array.from({ length: 6 }, () => pauses.next())
  pauses.reset()

  expect(row).toEqual([0, 200, 400, 800, 1000, 1000])
  expect(pauses.next()).toBe(0)
})

test("a reason that differs in process numbers alone is reported once", () => {
  const report = new StateReport()
  const states: ServerState[] = []
  report.down('could not write "xlogtemp.17"')

  report.listen((state) => states.push(state))
  report.down('could not write "xlogtemp.18"')
  report.down("the disk is gone")
  report.up()
  report.up()

  expect(states).toEqual([
    { kind: "down", reason: 'could not write "xlogtemp.17"' },
    { kind: "down", reason: "the disk is gone" },
    { kind: "up", downMs: expect.any(Number) },
  ])
})

test("a lost supervisor is reported once, however many successors end before they are ready", () => {
  const states: ServerState[] = []
  const report = new StateReport()
  report.listen((state) => states.push(state))

  report.unsupervised()
  report.unsupervised()
  report.up()
  report.unsupervised()

  expect(states).toEqual([{ kind: "unsupervised" }, { kind: "unsupervised" }])
})
