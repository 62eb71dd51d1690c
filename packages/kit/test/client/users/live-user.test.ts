import { afterEach, describe, expect, test, vi } from "vitest"
import { createClient } from "../../../src/client.ts"
import { playedClock, turn } from "../live-clock.ts"
import { Arrivals, liveServer } from "../live-server.ts"

const WAIT = { timeout: 60_000 }

afterEach(() => {
  vi.restoreAllMocks()
})

function follow(server: { baseURL: string }, { isSessionWatched = false } = {}) {
  vi.spyOn(Math, "random").mockReturnValue(1)
  const client = createClient(server)
  const [snapshots, sessions, errors] = [new Arrivals<unknown>(), new Arrivals<unknown>(), new Arrivals<Error>()]
  const onError = (error: Error) => errors.push(error)
  client.collections["articles"]?.live({}, (snapshot) => snapshots.push(snapshot), { onError })
  if (isSessionWatched) client.auth.watch((session) => sessions.push(session), { onError })
  return { client, realtime: client.realtime, snapshots, sessions, errors }
}

const SIGNED_OUT = { topicId: "*", code: "UNAUTHORIZED", message: "Signed out." }

describe("a stream that belongs to another user than the one before", () => {
  test("is opened anew, without the hashes of what the former user has read", async () => {
    await using server = await liveServer()
    using clock = playedClock()
    server.users.push("eva", "adam", "adam")
    const { realtime, snapshots, errors } = follow(server)

    await clock.pass(0)
    const first = await server.stream()
    first.snapshot(first.id(), "of eva")
    await snapshots.next()
    first.end()
    await clock.started(1_000)
    await clock.advance(1_000)
    const second = await server.stream()
    await second.closed
    const third = await server.stream()
    third.snapshot(third.id(), "of adam")
    const shown = await snapshots.next()
    realtime.destroy()

    expect(second.topics).toMatchObject([{ lastHash: "h1" }])
    expect(third.topics).toEqual([{ id: first.id(), resourceType: "collection", resource: "articles" }])
    expect(shown).toBe("of adam")
    expect(errors.count).toBe(0)
  })

  test("shows nothing of the former user to a subscriber who comes later", async () => {
    await using server = await liveServer()
    using clock = playedClock()
    server.users.push("eva", "adam", "adam")
    const { client, realtime, snapshots } = follow(server)

    await clock.pass(0)
    const first = await server.stream()
    first.snapshot(first.id(), "of eva")
    await snapshots.next()
    first.end()
    await clock.started(1_000)
    await clock.advance(1_000)
    await server.stream()
    const third = await server.stream()
    const late = new Arrivals<unknown>()
    client.collections["articles"]?.live({}, (snapshot) => late.push(snapshot))
    await turn()
    third.snapshot(third.id(), "of adam")
    const shown = await late.next()
    realtime.destroy()

    expect(shown).toBe("of adam")
  })
})

describe("a stream whose session has ended", () => {
  test("is opened again for a client that watches the session, which hears of no error", async () => {
    await using server = await liveServer()
    using clock = playedClock()
    server.users.push("eva")
    const { realtime, snapshots, sessions, errors } = follow(server, { isSessionWatched: true })
    await vi.waitUntil(() => realtime.subscriberCount === 2, WAIT)

    await clock.pass(0)
    const first = await server.stream()
    first.snapshot(first.id(), "of eva")
    await snapshots.next()
    first.send("error", SIGNED_OUT)
    await clock.started(1_000)
    await clock.advance(1_000)
    await (await server.stream()).closed
    const stream = await server.stream()
    stream.snapshot(stream.id(), "of everyone")
    const { sessions: [asked] = [] } = stream.received.body
    stream.snapshot(asked?.id ?? "", null)
    const [shown, session] = [await snapshots.next(), await sessions.next()]
    realtime.destroy()

    expect([shown, session]).toEqual(["of everyone", null])
    expect(errors.count).toBe(0)
  })
})

test("The code of client.auth is loaded with the first call, and the object is no promise", async () => {
  await using server = await liveServer()
  const { auth } = createClient(server)

  expect(await auth).toBe(auth)
  expect(Object.keys(auth).sort()).toEqual(
    [
      ...["admin", "changePassword", "providers", "requestReset", "reset", "session", "setUp", "signIn", "signInWith"],
      ...["signOut", "signOutElsewhere", "signUp", "update", "watch"],
    ].sort(),
  )
  expect(server.requests).toEqual([])
})
