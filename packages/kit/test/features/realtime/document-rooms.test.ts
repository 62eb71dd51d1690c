import { expect, test, vi } from "vitest"
import type { DocumentAddress } from "../../../src/engine/documents/document-address.ts"
import type { LiveDocuments, UpdatesPage } from "../../../src/engine/documents/live-documents.ts"
import { AwarenessExchange } from "../../../src/features/realtime/documents/awareness/awareness-exchange.ts"
import { DocumentRooms } from "../../../src/features/realtime/documents/document-rooms.ts"
import { RecordWatchers } from "../../../src/features/realtime/documents/record-watchers.ts"
import { SharedUpdate } from "../../../src/features/realtime/documents/shared-update.ts"
import { fakeLiveEngine } from "./fake-live-engine.ts"

const WAIT = { timeout: 60_000 }

function openRooms(own: Partial<LiveDocuments>) {
  const bus = { publish: () => {}, subscribe: () => () => {} }
  const engine = fakeLiveEngine({ bus: bus as never })
  const documents = { onRecordChanged: () => {}, ...own } as LiveDocuments
  const rooms = new DocumentRooms(engine, {
    documents,
    watchers: new RecordWatchers(),
    awareness: new AwarenessExchange(engine),
    maxConcurrentReads: 1,
  })
  const address = { resource: { kind: "collection", name: "pages" }, recordId: "1" } as DocumentAddress
  const subscriber = {
    owner: { stream: "s", userId: null },
    receive: vi.fn(),
    fallBehind: vi.fn(),
    showProblem: vi.fn(),
    showAwareness: vi.fn(),
  }
  const seat = rooms.join({ documentId: "doc", address }, subscriber)
  return { rooms, room: seat.room, subscriber, address }
}

const change = (seq: number) => ({ resourceKind: "document", resource: "doc", record: String(seq) }) as never

test("a problem is shown although its update was announced before it was passed on", async () => {
  const pages: ((page: UpdatesPage) => void)[] = []
  const { rooms, room, subscriber } = openRooms({
    updatesSince: () => new Promise<UpdatesPage>((resolve) => pages.push(resolve)),
  })
  room.start({ seq: 0, problem: null })
  const update = new Uint8Array([1])

  rooms.onChanges([change(1)])
  await vi.waitFor(() => expect(pages).toHaveLength(1), WAIT)
  room.deliver(new SharedUpdate(1, update))
  pages[0]?.({ id: "doc", seq: 1, problem: null, updates: [update] })
  await vi.waitFor(() => expect(subscriber.receive).toHaveBeenCalledTimes(1), WAIT)
  rooms.onChanges([change(1)])
  await vi.waitFor(() => expect(pages).toHaveLength(2), WAIT)
  pages[1]?.({ id: "doc", seq: 1, problem: "too long", updates: [] })

  await vi.waitFor(() => expect(subscriber.showProblem).toHaveBeenCalledWith("too long"), WAIT)
})

test("after a gap in the change feed, documents follow their records", () => {
  const onRecordChanged = vi.fn()
  const { rooms, address } = openRooms({ onRecordChanged })

  rooms.refreshAll()

  expect(onRecordChanged).toHaveBeenCalledWith(address)
})
