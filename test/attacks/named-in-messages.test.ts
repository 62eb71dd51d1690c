// @module-tag not-about-connections

import { channel, collection, global, route, type Session } from "kit"
import { afterAll, beforeAll, expect, test } from "vitest"
import { z } from "zod"
import { openEvents } from "../support/oracles/live-events.ts"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"

const admin: Session = { user: { id: "admin", role: "admin" } }
const bob: Session = { user: { id: "bob" } }
const isAdmin = ({ session }: { session: Session | null }) => session?.user["role"] === "admin"
const open = { read: true, create: true, update: true, delete: true } as const
const NO_ID = "01890000-0000-7000-8000-00000000000a"

/** Texts that no answer may contain for callers other than admins, unless the request itself contains them. */
const SECRETS = [
  ...["vaults", "ledgers", "keyring", "vaultdoor", "vaultroom", "unlocked", "sealed"],
  ...["pin", "ownerCode", "escrow", "postRef", "target", "combination", "amount"],
]

const posts = collection("posts")
  .fields(({ f }) => ({
    title: f.text(),
    pin: f.text().unique().hidden(),
    ownerCode: f.text().default("x").access({ read: false, create: false, update: false }),
    escrow: f.text().access({ read: isAdmin }),
    box: f.relation("vaults"),
    lines: f.relation("ledgers").hasMany({ via: "postRef" }),
    remarks: f.relation("comments").hasMany({ via: "postRef" }),
    marks: f.relation("vaults").manyToMany(),
  }))
  .indexes([{ fields: ["title", "ownerCode"], unique: true }])
  .hooks({
    beforeChange: ({ data }) => (data["title"] === "pinned" ? { ...data, pin: "1", title: null } : data),
  })
  .access(open)

const comments = collection("comments")
  .fields(({ f }) => ({
    text: f.text(),
    postRef: f.relation("posts").access({ read: false, create: true, update: false }),
  }))
  .access(open)

const vaults = collection("vaults")
  .fields(({ f }) => ({ combination: f.text().unique(), target: f.relation("posts") }))
  .options({
    workflow: { stages: { draft: { to: ["sealed"] }, sealed: { to: ["draft"] } }, public: "sealed" },
    softDelete: true,
  })

const ledgers = collection("ledgers")
  .fields(({ f }) => ({ amount: f.text().unique(), postRef: f.relation("posts") }))
  .access({ read: isAdmin, create: isAdmin, update: isAdmin, delete: isAdmin })

const keyring = global("keyring")
  .fields(({ f }) => ({ name: f.text() }))
  .access({ read: isAdmin })

const vaultroom = channel("vaultroom-[room]")
  .events({ unlocked: z.object({}) })
  .access({ subscribe: isAdmin, publish: isAdmin })
const lobby = channel("lobby")
  .events({ said: z.object({}) })
  .access({ subscribe: true, publish: true })

let app: TestApp

beforeAll(async () => {
  app = await testApp({
    resources: [posts, comments, vaults, ledgers, keyring],
    routes: {
      vaultdoor: route()
        .access(isAdmin)
        .handler(() => 1),
      frontdoor: route().handler(() => 1),
    },
    channels: { vaultroom, lobby },
  })
})
afterAll(() => app[Symbol.asyncDispose]())

const system = () => app.app.system.collections as Record<string, any>

interface Sent {
  readonly method?: string
  readonly body?: unknown
  readonly session?: Session
}

async function said(path: string, { method, body, session }: Sent = {}) {
  const answer = await app.fetch(path, {
    method: method ?? (body === undefined ? "GET" : "POST"),
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(session && { session }),
  })
  const { ["x-request-id"]: _id, ...headers } = Object.fromEntries(answer.headers)
  const text = JSON.stringify([answer.body, headers])
  const request = `${path} ${JSON.stringify(body)}`
  const told = SECRETS.filter((name) => new RegExp(`\\b${name}`).test(text) && !request.includes(name))
  return { status: answer.status, error: answer.body?.error, told }
}

const REQUESTS: readonly (readonly [path: string, sent?: Sent])[] = [
  ...["/valts", "/valts/count", `/valts/${NO_ID}`, `/valts/${NO_ID}/versions`, "/ledgrs", "/vault"].map(
    (path) => [path] as const,
  ),
  ...["/globals/keyrng", "/globals/keyring2", "/vaultdor", "/vaultdoors", "/vaultdor/x"].map((path) => [path] as const),
  ...["PUT", "DELETE", "PATCH", "OPTIONS"].map((method) => ["/valts", { method }] as const),
  ...["PUT", "DELETE", "OPTIONS"].map((method) => ["/vaultdor", { method }] as const),
  ...["PUT", "OPTIONS"].map((method) => ["/vaults", { method }] as const),
  ["/valts", { body: {} }],
  ["/valts/query", { body: {} }],
  ["/valts/upload", { body: {} }],
  ["/valts/delete-many", { body: { all: true } }],
  ["/channels/publish", { body: { channel: "vaultrom", params: {}, event: "x", data: {} } }],
  ["/channels/publish", { body: { channel: "vaultroom", params: { room: "1" }, event: "unlockd", data: {} } }],
  ["/channels/publish", { body: { channel: "nothing", params: {}, event: "x", data: {} } }],
  ...[
    "/_kit/channels/vaultrom/events",
    "/_kit/channels/vaultroom/events?params[room]=1",
    "/_kit/channels/nothing/events",
  ].map((path) => [path] as const),
  ...["/vaults?stage=nope", "/vaults/count?stage=nope", `/vaults/${NO_ID}?stage=nope`].map((path) => [path] as const),
  ["/vaults?stage=nope", { body: {} }],
  [`/vaults/${NO_ID}?stage=nope`, { method: "PATCH", body: {} }],
  [`/vaults/${NO_ID}/transition`, { body: { stage: "nope" } }],
  ...[
    ...[
      "where[boxx]=1",
      "where[ownrCode]=1",
      "where[escow]=1",
      "where[pn]=1",
      "where[box][is][combinatin]=1",
      "where[box][is][zz]=1",
    ],
    ...[
      "where[lines][some][amout]=1",
      "where[lins][some][zz]=1",
      "where[marks][some][zz]=1",
      "where[marks][none][x]=1",
    ],
    ...[
      "orderBy[ownrCode]=asc",
      "orderBy[box][combinatin]=asc",
      "orderBy[escow]=asc",
      "groupBy=ownrCode",
      "groupBy[field]=pn",
    ],
    ...["columns[ownrCode]=true", "columns[pn]=true", "columns[escow]=false", "columns[zz]=true"],
    ...[
      "with[lins]=true",
      "with[lines]=true",
      "with[marks]=true",
      "with[zz]=true",
      "with[box][columns][combinatin]=true",
    ],
    ...[
      "with[box]=true",
      "with[box][with][x]=true",
      "with[remarks][where][postRf]=1",
      "with[remarks][columns][zz]=true",
    ],
    ...["where[remarks][some][postRf]=1", "where[remarks][some][zz]=1", "search[x]=1", "stage=nope"],
  ].map((query) => [`/posts?${query}`] as const),
  ...[
    ...[
      { ownrCode: 1 },
      { pn: 1 },
      { escow: 1 },
      { zz: 1 },
      { box: NO_ID },
      { box: 7 },
      { box: { connect: { id: NO_ID } } },
    ],
    ...[{ box: { create: {} } }, { box: { create: { amoun: 1 } } }, { box: { zz: 1 } }],
    ...[{ box: { connectOrCreate: { where: { combinatio: 1 }, create: {} } } }],
    ...[{ box: { connectOrCreate: { where: { combination: "x" }, create: { combination: "x" } } } }],
    ...[
      { lines: { create: [{}] } },
      { lines: { create: [{ amoun: 1 }] } },
      { lines: { connect: [NO_ID] } },
      { lines: [NO_ID] },
    ],
    ...[{ lines: { connectOrCreate: [{ where: { amoun: 1 }, create: {} }] } }, { lines: { zz: 1 } }],
    ...[{ marks: { connect: [NO_ID] } }, { marks: { create: [{}] } }, { marks: { set: [NO_ID] } }, { marks: "x" }],
    ...[{ remarks: { create: [{ zz: 1 }] } }, { remarks: { connect: [NO_ID] } }],
  ].map((body) => ["/posts", { body }] as const),
]

test.each([undefined, bob])("no message names what its reader may not know (%j)", async (session) => {
  const found: unknown[] = []
  for (const [path, sent] of REQUESTS) {
    const { status, told, error } = await said(path, { ...sent, ...(session && { session }) })
    if (told.length > 0 || status >= 500) found.push({ path, ...sent, status, told, error })
  }

  expect(found).toEqual([])
})

test("writes of a record that is there name nothing either", async () => {
  const found: unknown[] = []
  const { id } = await system()["posts"].create({ title: "there" })
  const { id: comment } = await system()["comments"].create({ text: "c", postRef: id })
  const { id: loose } = await system()["comments"].create({ text: "loose" })
  const line = (await system()["ledgers"].create({ amount: "l", postRef: id })).id
  const changes = [
    ...[
      { box: NO_ID },
      { box: { create: {} } },
      { lines: { create: [{}] } },
      { lines: { set: [] } },
      { lines: { delete: [line] } },
    ],
    ...[
      { lines: { update: [{ id: line, data: { amoun: 1 } }] } },
      { lines: { disconnect: [line] } },
      { marks: { create: [{}] } },
    ],
    ...[
      { remarks: { disconnect: [comment] } },
      { remarks: { set: [] } },
      { remarks: { connect: [loose] } },
      { remarks: [loose] },
    ],
    ...[{ remarks: { update: [{ id: comment, data: { zz: 1 } }] } }],
  ]
  for (const body of changes) {
    const { status, told, error } = await said(`/posts/${id}`, { method: "PATCH", body })
    const bulk = await said("/posts", { method: "PATCH", body: { where: { id }, data: body } })
    if (told.length + bulk.told.length > 0 || status >= 500) found.push({ body, status, told, error, bulk })
  }

  expect(found).toEqual([])
  expect(await said(`/posts/${id}`, { method: "PATCH", body: { remarks: { connect: [loose] } } })).toMatchObject({
    status: 403,
    error: { fieldErrors: [{ path: "remarks.connect" }] },
  })
})

test("a topic or a channel that does not exist is not answered with the name of one that is closed", async () => {
  const topics = [
    { id: "1", resourceType: "collection", resource: "valts" },
    { id: "2", resourceType: "global", resource: "keyrng" },
    { id: "3", resourceType: "collection", resource: "nothing" },
    { id: "4", resourceType: "collection", resource: "pots" },
    { id: "5", resourceType: "collection", resource: "posts", where: { ownrCode: 1 } },
  ]
  const channels = [
    { id: "6", channel: "vaultrom", params: { room: "1" } },
    { id: "7", channel: "lobbi", params: {} },
  ]
  await using stream = await openEvents({ url: app.url, topics, channels })
  const messages: Record<string, string> = {}
  for (const { id } of [...topics, ...channels]) {
    const error = (await stream.next("error", (data: any) => (data.topicId ?? data.channelId) === id)) as any
    messages[id] = error.message
  }

  const text = JSON.stringify(messages)
  expect(SECRETS.filter((name) => text.includes(name))).toEqual([])
  expect(messages["4"]).toContain('Did you mean "posts"?')
  expect(messages["7"]).toContain('Did you mean "lobby"?')
})

test("those who may know a name are offered it", async () => {
  const hint = async (path: string, sent?: Sent) => (await said(path, { session: admin, ...sent })).error.message

  expect(await hint("/ledgrs")).toBe('There is no such collection. Did you mean "ledgers"?')
  expect(await hint("/globals/keyrng")).toBe('There is no such global. Did you mean "keyring"?')
  expect(await hint("/vaultdor", { method: "PUT" })).toBe('There is no such path. Did you mean "/vaultdoor"?')
  expect(await hint("/valts")).not.toContain("vaults")
  expect(await hint("/frontdor", { method: "PUT" })).toBe('There is no such path. Did you mean "/frontdoor"?')
  expect((await said("/psots")).error.message).toBe('There is no such collection. Did you mean "posts"?')
})

test("a path that is offered leads somewhere", async () => {
  for (const [path, method] of [
    ["/search/rebuild/posts", "POST"],
    ["/helth/reindex/posts", "POST"],
    ["/psots/publish", "POST"],
    ["/psots/x/y/z", "GET"],
  ] as const) {
    expect((await said(path, { method })).error.message).toBe("There is no such path.")
  }
  expect((await said(`/psots/${NO_ID}/transition`, { method: "PUT" })).error.message).toBe(
    `There is no such path. Did you mean "/posts/${NO_ID}/transition"?`,
  )
})

test("a delete that records hold back names them to those who may read them", async () => {
  const refusal = async (data: object, referrer: string, then: (id: string) => Promise<unknown> = async () => {}) => {
    const { id } = await system()["posts"].create({})
    const { id: other } = await system()[referrer].create({
      [referrer === "vaults" ? "target" : "postRef"]: id,
      ...data,
    })
    await then(other)
    const [byBob, byAdmin, bulk] = [
      await said(`/posts/${id}`, { method: "DELETE", session: bob }),
      await said(`/posts/${id}`, { method: "DELETE", session: admin }),
      await said("/posts/delete-many", { body: { where: { id } } }),
    ]
    expect([byBob.status, byAdmin.status, bulk.status]).toEqual([409, 409, 409])
    expect([byBob.told, bulk.told]).toEqual([[], []])
    expect(byBob.error).toMatchObject({ code: "CONFLICT", message: "Other records still point to this one." })
    expect(byBob.error).not.toHaveProperty("context")
    return byAdmin.error
  }
  const moveAndDelete = async (id: string) => {
    await system()["vaults"].transitionStage({ id, stage: "sealed" })
    await system()["vaults"].updateById({ id, data: { target: null } })
    await system()["vaults"].deleteById({ id })
  }

  expect((await refusal({}, "ledgers")).context).toEqual({ relation: { collection: "ledgers", field: "postRef" } })
  expect(await refusal({}, "vaults")).not.toHaveProperty("context")
  // The field is hidden from every reader of the collection.
  expect(await refusal({}, "comments")).not.toHaveProperty("context")
  expect(await refusal({}, "vaults", (id) => system()["vaults"].deleteById({ id }))).not.toHaveProperty("context")
  expect(await refusal({}, "vaults", moveAndDelete)).not.toHaveProperty("context")
})

test("a value that is taken is told by the fields that the caller writes", async () => {
  const taken = async (title: string) => {
    await said("/posts", { body: { title } })
    return said("/posts", { body: { title } })
  }

  expect(await taken("same")).toMatchObject({ status: 409, told: [], error: { fieldErrors: [{ path: "title" }] } })
  const byHook = await taken("pinned")
  expect(byHook).toMatchObject({ status: 409, told: [] })
  expect(byHook.error.message).toBe("Another record has this value already.")
})
