// @module-tag not-about-connections

import { buildCollectionTopic, buildGlobalTopic } from "kit/client"
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect } from "vitest"
import { type InterfaceWorld, interfaceWorld, type LooseClient } from "./interface-world.ts"
import { prove } from "./prove.ts"

let world: InterfaceWorld
let client: LooseClient
let user: { headers: Readonly<Record<string, string>> }

beforeAll(async () => {
  world = await interfaceWorld()
  user = await world.app.signIn({ role: "editor", name: "Eva" })
})

afterAll(() => world[Symbol.asyncDispose]())

// Each test has a connection of its own.
beforeEach(() => {
  client = world.connect({ headers: { ...user.headers } })
})

afterEach(() => client.realtime.destroy())

/** Collects what a subscription delivers, and resolves with the first value that fits. */
function collector<Value = any>() {
  const values: Value[] = []
  let notify = () => {}
  return {
    values,
    add: (value: Value) => {
      values.push(value)
      notify()
    },
    until: async (fits: (value: Value) => boolean) => {
      for (;;) {
        const found = values.find(fits)
        if (found !== undefined) return found
        await new Promise<void>((resolve) => {
          notify = resolve
        })
      }
    },
  }
}

describe("live queries", () => {
  prove("1.4", async () => {
    const response = await world.app.fetch("/realtime", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ topics: [{ id: "t", resourceType: "collection", resource: "tags" }] }),
    })
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
    let text = ""
    while (!text.includes("event: snapshot")) text += (await reader?.read())?.value ?? ""
    await reader?.cancel()

    expect(response.headers.get("content-type")).toMatch(/^text\/event-stream/)
  })

  prove("21.22", async () => {
    const response = await world.app.fetch("/realtime", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ topics: [{ id: "t", resourceType: "global", resource: "settings" }] }),
    })
    await response.body?.cancel()

    expect(response.status).toBe(200)
  })

  prove("23.8", async () => {
    const seen = collector()
    const stop = client.collections["tags"].live({}, seen.add)
    await seen.until(() => true)
    stop()
    const iterator = client.collections["tags"].liveIter({ limit: 1 })

    expect((await iterator.next()).value).toMatchObject({ docs: [], limit: 1 })
    await iterator.return()
    expect(client.realtime.subscriberCount).toBe(0)
  })

  prove("23.9", async () => {
    const seen = collector()
    client.globals["home"].live({}, seen.add)
    await client.globals["home"].update({ title: "One" })
    await client.globals["home"].update({ title: "Two" })
    const [, first] = await client.globals["home"].findVersions({ limit: 2 })
    await client.globals["home"].revertToVersion({ versionId: first.versionId })
    await client.globals["home"].transitionStage({ stage: "published" })
    const iterator = client.globals["home"].liveIter()

    expect(await client.globals["home"].get()).toMatchObject({ title: "One", stage: "published" })
    expect(await seen.until((value) => value?.stage === "published")).toMatchObject({ title: "One" })
    expect((await iterator.next()).value).toMatchObject({ title: "One" })
    await iterator.return()
  })

  prove("25.5", async () => {
    const { id } = await client.collections["articles"].create({ title: "Secret", isSecret: true })
    const [everyone, editor] = [collector(), collector()]
    const anonymous = world.connect()
    anonymous.collections["articles"].live({ where: { id } }, everyone.add)
    client.collections["articles"].live({ where: { id } }, editor.add)

    expect((await everyone.until(() => true)).docs).toEqual([])
    expect((await editor.until(() => true)).docs).toHaveLength(1)
    anonymous.realtime.destroy()
  })

  prove("26.1", async () => {
    let streams = 0
    const counting = world.connect({
      fetch: (url: string, init: RequestInit) => {
        const body = JSON.parse(String(init.body))
        if (url.endsWith("/realtime") && body.sessionId === undefined) streams += 1
        return fetch(url, init)
      },
    } as object)
    const [tags, settings] = [collector(), collector()]
    counting.collections["tags"].live({}, tags.add)
    counting.globals["settings"].live({}, settings.add)
    await tags.until(() => true)
    await settings.until(() => true)

    expect(streams).toBe(1)
    counting.realtime.destroy()
  })

  prove("26.2", async () => {
    const seen = collector()
    client.collections["tags"].live({ where: { name: { startsWith: "live" } } }, seen.add)
    await seen.until((page) => page.totalDocs === 0)
    await client.collections["tags"].create({ name: "live one" })
    const pushed = await seen.until((page) => page.totalDocs === 1)

    expect(pushed).toEqual(await client.collections["tags"].find({ where: { name: { startsWith: "live" } } }))
  })

  prove("26.3", () => {
    const carried = { where: { rating: 1 }, with: { author: true }, limit: 1, offset: 0, orderBy: { rating: "asc" } }
    const dropped = { columns: { title: true }, groupBy: "status", search: "x", includeDeleted: true, stage: "draft" }
    // The types refuse the dropped options, but a caller without types may pass them.
    const topic = buildCollectionTopic("articles", { ...carried, locale: "sk", ...dropped } as object)
    const ofGlobal = buildGlobalTopic("settings", { with: { featured: true }, locale: "sk", stage: "x" } as object)

    expect(topic).toEqual({ resourceType: "collection", resource: "articles", ...carried, locale: "sk" })
    expect(ofGlobal).toEqual({
      resourceType: "global",
      resource: "settings",
      with: { featured: true },
      locale: "sk",
    })
  })

  prove("26.4", async () => {
    const { id } = await client.collections["articles"].create({ title: "Bread" }, { locale: "en" })
    await client.collections["articles"].updateById({ id, data: { title: "Chlieb" } }, { locale: "sk" })
    const seen = collector()
    client.setLocale?.("sk")
    client.collections["articles"].live({ where: { id } }, seen.add)
    await seen.until(() => true)
    client.setLocale?.("en")
    await client.collections["articles"].updateById({ id, data: { rating: 5 } })
    const later = await seen.until((page) => page.docs[0]?.rating === 5)

    expect(later.docs[0].title).toBe("Chlieb")
  })

  prove("26.5", async () => {
    const controller = new AbortController()
    const seen = collector()
    const failed = collector<Error>()
    client.collections["tags"].live({}, seen.add, { signal: controller.signal })
    client.collections["tags"].live({ where: { nothing: 1 } }, seen.add, { onError: failed.add })
    await seen.until(() => true)
    const failure = await failed.until(() => true)
    const iterator = client.collections["tags"].liveIter({}, { signal: controller.signal })
    await iterator.next()
    controller.abort()

    expect(failure.message).toMatch(/nothing/)
    expect((await iterator.next()).done).toBe(true)
  })

  prove("26.6", async () => {
    const { realtime } = client
    expect([realtime.topicCount, realtime.subscriberCount]).toEqual([0, 0])
    const seen = collector()
    const stop = realtime.subscribe(buildCollectionTopic("tags"), seen.add)
    await seen.until(() => true)
    const counts = [realtime.topicCount, realtime.subscriberCount]
    const stream = realtime.stream(buildGlobalTopic("settings"))
    await stream.next()
    await stream.return(undefined)
    stop()
    realtime.destroy()

    expect(counts).toEqual([1, 1])
    expect([realtime.topicCount, realtime.subscriberCount]).toEqual([0, 0])
  })

  prove("26.7", async () => {
    let isDown = true
    const flaky = world.connect({
      fetch: (url: string, init: RequestInit) =>
        isDown ? Promise.reject(new TypeError("connection refused")) : fetch(url, init),
    } as object)
    const [seen, failed] = [collector(), collector<Error>()]
    flaky.collections["tags"].live({}, seen.add, { onError: failed.add })
    await failed.until(() => true)
    isDown = false

    expect(await seen.until(() => true)).toHaveProperty("docs")
    flaky.realtime.destroy()
  })

  prove("26.9", async () => {
    const { room } = client.channels
    const [events, members] = [collector(), collector<readonly any[]>()]
    room.subscribe({ room: "1" }, events.add)
    room.presence({ room: "1" }, members.add)
    await members.until((list) => list.length > 0)
    const { eventId } = await room.publish({ params: { room: "1" }, event: "message", data: { text: "Hi" } })

    expect(await events.until(() => true)).toMatchObject({ event: "message", data: { text: "Hi" }, eventId })
    expect(members.values.at(-1)?.[0].data).toEqual({ name: "Eva" })
  })
})

describe("access", () => {
  prove("25.3", async () => {
    const reader = await world.app.signIn({ role: "reader" })
    const asReader = world.connect({ headers: { ...reader.headers } })

    expect(await client.routes.editors()).toBe("for editors")
    await expect(asReader.routes.editors()).rejects.toMatchObject({ status: 403 })
  })

  prove("25.4", async () => {
    await client.collections["articles"].create({ title: "Hidden from hosts", isSecret: true })
    const response = await world.app.app.handler(
      new Request(`${world.app.url}/articles?where[title]=Hidden from hosts`),
    )

    expect(((await response.json()) as any).totalDocs).toBe(0)
  })
})
