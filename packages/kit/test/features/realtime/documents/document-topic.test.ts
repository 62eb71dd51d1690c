import { afterEach, beforeEach, describe, expect, test, vi } from "vitest"
import type { DocumentAddress } from "../../../../src/engine/documents/document-address.ts"
import type { DocumentRights } from "../../../../src/engine/documents/document-rights.ts"
import type { LiveDocuments } from "../../../../src/engine/documents/live-documents.ts"
import { AwarenessExchange } from "../../../../src/features/realtime/documents/awareness/awareness-exchange.ts"
import { DocumentRooms } from "../../../../src/features/realtime/documents/document-rooms.ts"
import { DocumentTopic } from "../../../../src/features/realtime/documents/document-topic.ts"
import { RecordWatchers } from "../../../../src/features/realtime/documents/record-watchers.ts"
import { SharedUpdate } from "../../../../src/features/realtime/documents/shared-update.ts"
import { ChannelMembers } from "../../../../src/features/realtime/presence/channel-members.ts"
import type { MessageBus } from "../../../../src/ports/message-bus.ts"
import type { CommittedChange } from "../../../../src/sql/changes/read-changes.ts"
import { ApiError } from "../../../../src/wire/errors/api-error.ts"
import { fakeLiveEngine } from "../fake-live-engine.ts"
import { fakeStream } from "../fake-stream.ts"

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const ID = "d1"
const ADDRESS = {
  resource: { kind: "collection", name: "pages" },
  field: { name: "body" },
  recordId: "r1",
} as DocumentAddress
const bytesOf = (seq: number) => Buffer.from(`u${seq}`)
const announced = (seq: number): CommittedChange => ({
  resourceKind: "document",
  resource: ID,
  record: String(seq),
  kind: "edit",
  before: null,
  after: null,
})

/** Follows a document with this number of updates, and collects everything that the client receives. */
async function follow(options: { seq?: number; epoch?: string } = {}) {
  const told: string[] = []
  const state = {
    seq: options.seq ?? 0,
    problem: null as string | null,
    isSlow: false,
    isCompacted: false,
    isDeleted: false,
    canEdit: true,
    isDenied: false,
    isAffected: false,
    evaluations: 0,
    reads: 0,
  }
  const documents: LiveDocuments = {
    open: () => Promise.resolve({ id: ID, seq: state.seq, problem: state.problem }),
    sync: () => {
      const { seq, problem } = state
      const whole = { id: ID, seq, problem, update: Buffer.from(`all ${seq}`), stateVector: Buffer.from("v") }
      return Promise.resolve(state.isDeleted ? undefined : whole)
    },
    updatesSince: (_id, from) => {
      state.reads++
      const updates = Array.from({ length: state.seq - from }, (_, index) => bytesOf(from + 1 + index))
      const page = { id: ID, seq: state.seq, problem: state.problem, updates }
      return Promise.resolve(state.isCompacted || state.isDeleted ? undefined : page)
    },
    append: () => Promise.reject(new Error("not here")),
    onRecordChanged: () => told.push("record"),
  }
  const bus = { publish: () => {}, subscribe: () => () => {} } as Partial<MessageBus> as MessageBus
  const engine = fakeLiveEngine({ bus })
  const evaluate = (): Promise<DocumentRights> => {
    state.evaluations++
    if (state.isDenied) return Promise.reject(new ApiError("NOT_FOUND"))
    return Promise.resolve({
      address: ADDRESS,
      canEdit: state.canEdit,
      ruleDependencies: new Set(["collection grants"]),
      hasRuleFunction: true,
      isAffectedBy: () => state.isAffected,
    })
  }
  const decode = (text: unknown) => Buffer.from(String(text), "base64").toString()
  const stream = fakeStream({
    engine,
    evaluate,
    onEvent: (name, data) => {
      const { update, canEdit, message } = data
      const shown = name === "problem" ? String(message) : `${decode(update)}${canEdit === false ? " read-only" : ""}`
      told.push(`${name}: ${shown}`)
    },
    onFailure: (error) => told.push(`failed: ${error instanceof ApiError ? error.code : String(error)}`),
    hasRoom: () => !state.isSlow,
    requestSnapshot: () => topic.sendPostponed(),
  })
  const watchers = new RecordWatchers()
  const awareness = new AwarenessExchange(engine)
  const rooms = new DocumentRooms(engine, { documents, watchers, awareness, maxConcurrentReads: 2 })
  const topic: DocumentTopic = new DocumentTopic(
    {
      id: "it",
      kind: "document",
      resourceType: "collection",
      resource: "pages",
      recordId: "r1",
      field: "body",
      locale: undefined,
      epoch: options.epoch,
      stateVector: undefined,
    },
    {
      stream,
      rooms,
      watchers,
      awareness,
      editors: new ChannelMembers(engine, { maxConnections: 9, message: "Full." }),
    },
  )
  const settle = () => vi.advanceTimersByTimeAsync(0)
  void topic.plan()
  await settle()
  return {
    topic,
    stream,
    told,
    state,
    rooms,
    watchers,
    settle,
    /** Stores an update in another process, whose change the feed announces. */
    store: () => rooms.onChanges([announced(++state.seq)]),
    /** Stores an update in this process. */
    append: () => rooms.find(ID)?.deliver(new SharedUpdate(++state.seq, bytesOf(state.seq))),
    announce: (seq: number) => rooms.onChanges([announced(seq)]),
    drain: () => {
      state.isSlow = false
      stream.events.drained()
      topic.onDrained()
    },
    changeRecord: () =>
      watchers.onChanges([{ ...announced(0), resourceKind: "collection", resource: "pages", record: "r1" }]),
  }
}

describe("a document topic", () => {
  test("sends the document, then what is stored in this process or in another one, each update once", async () => {
    const { told, settle, store, append, announce, state } = await follow({ seq: 3 })

    append()
    store()
    await settle()
    append()
    announce(4)
    announce(6)
    await settle()

    expect(told).toEqual(["document: all 3", "edit: u4", "edit: u5", "edit: u6"])
    expect(state.reads).toBe(1)
  })

  test("has the updates before an own one read that another process has stored", async () => {
    const { told, settle, append, state } = await follow()

    state.seq++
    append()
    await settle()

    expect(told).toEqual(["document: all 0", "edit: u1", "edit: u2"])
  })

  test("sends nothing to a slow client until it reads again", async () => {
    const { told, settle, append, drain, state } = await follow()

    state.isSlow = true
    append()
    append()
    append()
    await settle()
    const whileSlow = [...told]
    drain()
    await settle()

    expect(whileSlow).toEqual(["document: all 0", "edit: u1"])
    expect(told).toEqual(["document: all 0", "edit: u1", "edit: u2", "edit: u3"])
  })

  test("sends the document again if the updates that a slow client lacks were compacted", async () => {
    const { told, settle, append, drain, state } = await follow()

    state.isSlow = true
    append()
    append()
    state.isCompacted = true
    drain()
    await settle()
    state.isCompacted = false
    append()
    await settle()

    expect(told).toEqual(["document: all 0", "edit: u1", "document: all 2", "edit: u3"])
  })

  test("ends if the document was deleted, or is another one than the client knows", async () => {
    const { told, settle, store, state, rooms } = await follow()
    const other = await follow({ epoch: "another" })

    state.isDeleted = true
    store()
    await settle()

    expect(told).toEqual(["document: all 0", "failed: CONFLICT"])
    expect(other.told).toEqual(["failed: CONFLICT"])
    expect([rooms.find(ID), other.rooms.find(ID)]).toEqual([undefined, undefined])
  })

  test("shows each problem of the value once", async () => {
    const { told, settle, announce, state } = await follow()

    state.problem = "Too long."
    announce(0)
    await settle()
    announce(0)
    await settle()
    state.problem = null
    announce(0)
    await settle()

    expect(told).toEqual(["document: all 0", "problem: Too long.", "problem: null"])
  })

  test("shows a problem to editors only, also if it came up while their rights were unknown", async () => {
    const editor = await follow()
    const reader = await follow()
    reader.state.canEdit = false
    await reader.topic.reevaluateRules()
    await reader.settle()

    editor.topic.pause()
    for (const { state, announce, settle } of [editor, reader]) {
      state.problem = "Too long."
      announce(0)
      await settle()
    }
    await editor.topic.plan()
    await editor.settle()

    expect(editor.told).toEqual(["document: all 0", "problem: Too long."])
    expect(reader.told).toEqual(["document: all 0", "document: all 0 read-only"])
  })

  test("tells the client that it may no longer edit, and ends when it may no longer read", async () => {
    const { topic, told, settle, append, state } = await follow()

    state.canEdit = false
    topic.onResourcesChanged(new Set(["collection grants"]))
    append()
    await settle()
    append()
    state.isDenied = true
    topic.onResourcesChanged(new Set(["collection grants"]))
    append()
    await settle()
    append()

    expect(told).toEqual(["document: all 0", "document: all 1 read-only", "edit: u2", "failed: NOT_FOUND"])
  })

  test("evaluates the rules again when the record changes in a way that matters", async () => {
    const { told, settle, changeRecord, state } = await follow()

    changeRecord()
    await settle()
    const unaffected = state.evaluations
    state.isAffected = true
    state.isDenied = true
    changeRecord()
    await settle()
    changeRecord()

    expect(unaffected).toBe(1)
    expect(told).toEqual(["document: all 0", "record", "record", "failed: NOT_FOUND"])
  })

  test("sends no update on rights that are too old", async () => {
    const { told, settle, append, state } = await follow()

    await vi.advanceTimersByTimeAsync(4_001)
    state.isDenied = true
    append()
    const before = [...told]
    await settle()

    expect(before).toEqual(["document: all 0"])
    expect(told).toEqual(["document: all 0", "failed: NOT_FOUND"])
  })

  test("holds what comes while the rules are evaluated, and reads nothing", async () => {
    const { told, settle, append, state } = await follow()

    await vi.advanceTimersByTimeAsync(4_001)
    append()
    append()
    const before = [...told]
    await settle()
    append()

    expect(before).toEqual(["document: all 0"])
    expect(told).toEqual(["document: all 0", "edit: u1", "edit: u2", "edit: u3"])
    expect(state.reads).toBe(0)
  })

  test("holds what comes during a read, and reads once", async () => {
    const { topic, told, settle, append, state } = await follow()

    topic.fallBehind()
    append()
    append()
    await settle()

    expect(told).toEqual(["document: all 0", "edit: u1", "edit: u2"])
    expect(state.reads).toBe(1)
  })

  test("reads what is too much to hold", async () => {
    const { told, settle, append, state } = await follow()

    await vi.advanceTimersByTimeAsync(4_001)
    for (let count = 0; count < 501; count++) append()
    await settle()

    expect(told).toHaveLength(502)
    expect(told.at(-1)).toBe("edit: u501")
    expect(state.reads).toBe(1)
  })

  test("has the rules of a busy document evaluated in the background, before their result is too old", async () => {
    const { told, settle, append, state } = await follow()

    await vi.advanceTimersByTimeAsync(2_500)
    append()
    const immediately = [...told]
    await settle()
    await vi.advanceTimersByTimeAsync(2_500)
    append()

    expect(immediately).toEqual(["document: all 0", "edit: u1"])
    expect(told.at(-1)).toBe("edit: u2")
    expect(state.evaluations).toBe(3)
  })
})
