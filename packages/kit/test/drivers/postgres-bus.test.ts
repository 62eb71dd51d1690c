import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest"
import { openPostgresBus } from "../../src/drivers/postgres/bus.ts"
import { openPostgres } from "../../src/drivers/postgres/open-postgres.ts"
import type { MessageBus } from "../../src/ports/message-bus.ts"
import { gate, rowsOf, type ScratchPostgres, startScratchPostgres } from "./scratch-postgres.ts"

const WAIT = { timeout: 60_000, interval: 2 }
let postgres: ScratchPostgres

beforeAll(async () => {
  postgres = await startScratchPostgres()
})

afterAll(() => postgres.release())

function openBus(name = "listener"): { bus: MessageBus; errors: Error[] } {
  const errors: Error[] = []
  const url = `${postgres.url}${postgres.url.includes("?") ? "&" : "?"}application_name=${name}`
  const bus = openPostgresBus({ url, heartbeatMs: 200, onError: (error) => errors.push(error) })
  onTestFinished(() => bus.close())
  return { bus, errors }
}

async function listen(bus: MessageBus, channel: string) {
  const heard: string[] = []
  const first = gate()
  let times = 0
  const stop = bus.subscribe(channel, {
    onMessage: (text) => heard.push(text),
    onListening: () => {
      times++
      first.open()
    },
  })
  await first.opened
  return { heard, stop, times: () => times }
}

/** Ends the connections of this name, as a restart of the server would. */
async function cut(name: string): Promise<void> {
  const admin = openPostgres({ url: postgres.url, maxConnections: 1 })
  await rowsOf(admin, "select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1", name)
  await admin.close()
}

test("a message reaches every subscriber of its channel, in this process and in others", async () => {
  const { bus } = openBus()
  const { bus: other } = openBus()
  const here = await listen(bus, "news")
  const there = await listen(other, "news")
  const elsewhere = await listen(other, 'a "quoted" channel')

  bus.publish("news", "it's here")
  bus.publish('a "quoted" channel', "")
  await vi.waitFor(
    () => expect([here.heard, there.heard, elsewhere.heard]).toEqual([["it's here"], ["it's here"], [""]]),
    WAIT,
  )
})

test("equal messages that are sent close together arrive as one, and the last is never left out", async () => {
  const { bus } = openBus()
  const { heard } = await listen(bus, "counts")

  for (let round = 0; round < 1000; round++) bus.publish("counts", "again")
  bus.publish("counts", "the end")
  await vi.waitFor(() => expect(heard).toContain("the end"), WAIT)

  expect(heard.length).toBeLessThanOrEqual(4)
})

test("a lost connection is opened again, and subscribers are told that they may have missed something", async () => {
  const { bus, errors } = openBus()
  const { heard, times } = await listen(bus, "news")

  await cut("listener")
  await vi.waitFor(() => expect(times()).toBe(2), WAIT)
  bus.publish("news", "after")

  await vi.waitFor(() => expect(heard).toEqual(["after"]), WAIT)
  expect(errors).not.toEqual([])
})

test("what is published while there is no connection is sent when there is one again", async () => {
  const { heard } = await listen(openBus().bus, "news")
  const { bus, errors } = openBus("publisher")
  bus.publish("news", "first")
  await vi.waitFor(() => expect(heard).toEqual(["first"]), WAIT)

  await cut("publisher")
  await vi.waitFor(() => expect(errors).toHaveLength(1), WAIT)
  bus.publish("news", "second")

  await vi.waitFor(() => expect(heard).toEqual(["first", "second"]), WAIT)
})

test("what is written without a word after a message is looked for soon, not at the next calm sign of life", async () => {
  const calm = openPostgresBus({ url: postgres.url, heartbeatMs: 3_600_000 })
  onTestFinished(() => calm.close())
  const admin = openPostgres({ url: postgres.url, maxConnections: 1 })
  onTestFinished(() => admin.close())
  const [listening, silence] = [gate(), gate()]
  let hasWritten = false
  calm.subscribe("news", {
    onMessage: () => {},
    onListening: () => listening.open(),
    onUnannouncedWrite: () => hasWritten && silence.open(),
  })
  await listening.opened

  await rowsOf(admin, "select pg_notify($1, $2)", "news", "somebody is at work")
  hasWritten = true
  await rowsOf(admin, "select pg_current_xact_id()")

  await silence.opened
})

test("a subscription that has ended hears no more", async () => {
  const { bus } = openBus()
  const ended = await listen(bus, "news")
  const lasting = await listen(bus, "news")

  ended.stop()
  bus.publish("news", "late")
  await vi.waitFor(() => expect(lasting.heard).toEqual(["late"]), WAIT)

  expect(ended.heard).toEqual([])
})

test("what was published before the bus is closed is sent, and closing an unused bus is fine", async () => {
  const listening = await listen(openBus().bus, "news")
  const { bus } = openBus()
  await listen(bus, "other")

  for (const text of ["a", "b", "c"]) bus.publish("news", text)
  await bus.close()
  await openPostgresBus({ url: postgres.url }).close()

  await vi.waitFor(() => expect(listening.heard).toEqual(["a", "b", "c"]), WAIT)
})

test.each([
  ["a long text", "news", "x".repeat(8_000), /at most 7999 bytes/],
  ["a long channel", "x".repeat(64), "", /1 to 63 bytes/],
])("%s is refused at once", (_name, channel, text, message) => {
  const { bus } = openBus()

  expect(() => bus.publish(channel, text)).toThrow(message)
})

test("several channels at once cause no warning of the driver", async () => {
  const warnings: string[] = []
  const onWarning = ({ message }: Error) => warnings.push(message)
  process.on("warning", onWarning)
  onTestFinished(() => {
    process.off("warning", onWarning)
  })
  const { bus } = openBus()

  await Promise.all(["news", "sport", "city"].map((channel) => listen(bus, channel)))

  expect(warnings).toEqual([])
})
