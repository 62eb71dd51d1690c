import { buildCollectionTopic, buildGlobalTopic } from "kit/client"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { openEvents } from "../support/oracles/live-events.ts"
import type { TestApp } from "../support/worlds/test-app.ts"
import { makeRecords, strictApp } from "./strict-app.ts"

const THINGS = { resourceType: "collection", resource: "things" }
const PAGE = { resourceType: "global", resource: "page" }
const DROPPED = { columns: { name: true }, groupBy: "name", search: "nothing", includeDeleted: true, stage: "nowhere" }

let app: TestApp

beforeAll(async () => {
  app = await strictApp()
  await makeRecords(app)
})
afterAll(() => app[Symbol.asyncDispose]())

describe("a topic with an unknown member gets an error, and the other topics live on", () => {
  test.each([
    [
      "a misspelt option",
      { ...THINGS, wher: { name: "second" } },
      'wher: A topic has no "wher". Did you mean "where"?',
    ],
    ["an option of read", { ...THINGS, page: 2 }, 'page: A topic has no "page".'],
    ["an option with null", { ...THINGS, wher: null }, "wher: "],
    ["a filter of a global", { ...PAGE, where: { note: "first" } }, 'where: A topic has no "where".'],
    [
      "a misspelt option of read",
      { ...THINGS, read: { colums: { name: true } } },
      'colums: There is no option "colums"',
    ],
    ["a misspelt option of a global's read", { ...PAGE, read: { colums: { note: true } } }, "colums: "],
    ["a misspelt option of a count", { ...THINGS, read: { operation: "count", serch: "x" } }, "serch: "],
    ["a misspelt option of an aggregate", { ...THINGS, read: { operation: "aggregate", cuont: true } }, "cuont: "],
    ["a misspelt operation", { ...THINGS, read: { opration: "count" } }, "opration: "],
  ])("%s", async (_name, topic, message) => {
    await using stream = await openEvents({
      url: app.url,
      topics: [
        { id: "bad", ...topic },
        { id: "good", ...THINGS },
      ],
    })

    const error = await stream.next("error")
    const snapshot = await stream.next("snapshot")

    expect(error).toMatchObject({ topicId: "bad", code: "VALIDATION_ERROR" })
    expect(error.message).toContain(message)
    expect(snapshot.topicId).toBe("good")
    await app.client().collections["things"].create({ name: "later" })
    expect((await stream.next("snapshot")).topicId).toBe("good")
    expect(stream.events.filter(({ name }) => name === "error")).toHaveLength(1)
  })

  test("a topic that is added later", async () => {
    await using stream = await openEvents({ url: app.url, topics: [{ id: "good", ...THINGS }] })
    const { sessionId, token } = await stream.next("session")
    const topics = [
      { id: "good", ...THINGS },
      { id: "bad", ...THINGS, limt: 1 },
    ]

    const { status } = await app.fetch("/realtime", {
      method: "POST",
      body: JSON.stringify({ sessionId, token, topics }),
    })

    expect(status).toBe(202)
    expect(await stream.next("error")).toMatchObject({ topicId: "bad", code: "VALIDATION_ERROR" })
  })
})

test("columns, groupBy, search, includeDeleted and stage have no effect outside of read", async () => {
  const topics = [
    { id: "with", ...THINGS, ...DROPPED },
    { id: "without", ...THINGS },
  ]
  await using stream = await openEvents({ url: app.url, topics })

  const snapshots = [await stream.next("snapshot"), await stream.next("snapshot")]

  expect(snapshots.map(({ topicId }) => topicId).sort()).toEqual(["with", "without"])
  expect(snapshots[0]?.data).toEqual(snapshots[1]?.data)
  expect(snapshots[0]?.data).toMatchObject({ docs: expect.arrayContaining([expect.objectContaining({ text: null })]) })
})

describe("a request with an unknown member is refused", () => {
  test.each([
    ["the request", { topcs: [], topics: [] }, "topcs", '"topics"'],
    ["a channel", { channels: [{ id: "1", channel: "room", parms: { id: "1" } }] }, "channels.0.parms", '"params"'],
    [
      "a document",
      { documents: [{ id: "1", ...THINGS, recordId: "1", feild: "text" }] },
      "documents.0.feild",
      '"field"',
    ],
    ["a session", { sessions: [{ id: "1", lastHsh: "1" }] }, "sessions.0.lastHsh", '"lastHash"'],
  ])("%s", async (_name, request, path, suggestion) => {
    const { status, body } = await app.fetch("/realtime", { method: "POST", body: JSON.stringify(request) })

    expect({ status, ...body.error }).toMatchObject({ status: 400, code: "VALIDATION_ERROR", fieldErrors: [{ path }] })
    expect(body.error.message).toContain(`Did you mean ${suggestion}?`)
  })
})

describe("topics that the client builds", () => {
  test("drop exactly columns, groupBy, search, includeDeleted and stage", () => {
    const carried = { where: { name: "second" }, with: {}, limit: 1, offset: 2, orderBy: { name: "asc" }, locale: "en" }

    expect(buildCollectionTopic("things", { ...carried, ...DROPPED, page: undefined })).toEqual({
      ...THINGS,
      ...carried,
    })
    expect(buildGlobalTopic("page", { with: {}, locale: "en", ...DROPPED })).toEqual({
      ...PAGE,
      with: {},
      locale: "en",
    })
  })

  test.each([
    ["wher", () => buildCollectionTopic("things", { wher: {} })],
    ["page", () => buildCollectionTopic("things", { page: 2 })],
    ["read", () => buildCollectionTopic("things", { read: { search: "x" } })],
    ["resource", () => buildCollectionTopic("things", { resource: "others" })],
    ["where", () => buildGlobalTopic("page", { where: {} })],
  ])("refuse %s", (path, build) => {
    expect(build).toThrow(
      expect.objectContaining({
        code: "VALIDATION_ERROR",
        status: 400,
        fieldErrors: [expect.objectContaining({ path })],
      }),
    )
  })
})
