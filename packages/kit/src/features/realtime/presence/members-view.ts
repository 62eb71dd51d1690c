import type { CommittedChange } from "../../../sql/changes/read-changes.ts"
import { channelMembers, MEMBERS_CHANGE, membersJson } from "../../../sql/internal/channel-members.ts"
import type { LiveEngine } from "../live-engine.ts"

/** The member list of a room as JSON text, in plain JSON and in extended JSON. */
export interface MemberListText {
  readonly plain: string
  readonly extended: string
}

/** A topic that receives a room's member list. */
export interface MembersWatcher {
  showMembers(members: MemberListText): void
}

// The minimum time between two reads of a room's member list, so that several joins and leaves are sent together. The
// actual time grows with the amount of data to send.
const REST_MS = 250
const MAX_REST_MS = 5_000
const ENTRIES_PER_MS = 200
const RETRY_MS = 1_000

/** The member lists that have watchers in this process, one for each room. */
export class MembersViews {
  readonly #engine: LiveEngine
  readonly #views = new Map<string, MembersView>()

  constructor(engine: LiveEngine) {
    this.#engine = engine
  }

  watch(roomKey: string, watcher: MembersWatcher): () => void {
    const view = this.#views.get(roomKey) ?? new MembersView(roomKey, this.#engine)
    this.#views.set(roomKey, view)
    view.add(watcher)
    return () => {
      view.remove(watcher)
      if (view.isEmpty && this.#views.get(roomKey) === view) this.#views.delete(roomKey)
    }
  }

  onChanges(changes: readonly CommittedChange[]): void {
    if (this.#views.size === 0) return
    const moved = changes.filter(({ resourceKind }) => resourceKind === MEMBERS_CHANGE)
    for (const roomKey of new Set(moved.map(({ resource }) => resource))) this.#views.get(roomKey)?.refresh()
  }

  refreshAll(): void {
    for (const view of this.#views.values()) view.refresh()
  }
}

class MembersView {
  readonly #roomKey: string
  readonly #engine: LiveEngine
  readonly #watchers = new Set<MembersWatcher>()
  /**
   * The watchers added after the last read began. Another process may have sent them a newer list than this read
   * returns.
   */
  readonly #latecomers = new Set<MembersWatcher>()
  #shown: MemberListText | undefined
  #isStale = true
  #isReading = false
  #timer: NodeJS.Timeout | undefined
  #readAt = Number.NEGATIVE_INFINITY
  #restMs = REST_MS

  constructor(roomKey: string, engine: LiveEngine) {
    this.#roomKey = roomKey
    this.#engine = engine
  }

  get isEmpty(): boolean {
    return this.#watchers.size === 0
  }

  add(watcher: MembersWatcher): void {
    this.#watchers.add(watcher)
    if (this.#shown && !this.#isStale && !this.#isReading) {
      watcher.showMembers(this.#shown)
      return
    }
    this.#latecomers.add(watcher)
    this.#readSoon()
  }

  remove(watcher: MembersWatcher): void {
    this.#watchers.delete(watcher)
    this.#latecomers.delete(watcher)
    if (this.isEmpty) clearTimeout(this.#timer)
  }

  refresh(): void {
    this.#isStale = true
    this.#readSoon()
  }

  #readSoon(): void {
    if (this.#timer || this.#isReading || this.isEmpty) return
    const delayMs = Math.max(0, this.#readAt + this.#restMs - performance.now())
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      void this.#read()
    }, delayMs).unref()
  }

  async #read(): Promise<void> {
    this.#isReading = true
    this.#isStale = false
    this.#latecomers.clear()
    this.#readAt = performance.now()
    try {
      const { rows } = await this.#engine.connection.query(channelMembers(this.#roomKey))
      this.#restMs = Math.min(MAX_REST_MS, REST_MS + (rows.length * this.#watchers.size) / ENTRIES_PER_MS)
      this.#show({ plain: membersJson(rows, false), extended: membersJson(rows, true) })
    } catch (error) {
      this.#isStale = true
      this.#readAt = performance.now() + RETRY_MS
      this.#engine.onError(error)
    }
    this.#isReading = false
    if (this.#isStale) this.#readSoon()
  }

  #show(shown: MemberListText): void {
    this.#shown = shown
    for (const watcher of [...this.#watchers]) {
      // If a member has joined or left since the read began, this list may be older than the list that a late watcher
      // already has. The next read returns the newer list.
      const isLate = this.#isStale && this.#latecomers.has(watcher)
      if (this.#watchers.has(watcher) && !isLate) watcher.showMembers(shown)
    }
  }
}
