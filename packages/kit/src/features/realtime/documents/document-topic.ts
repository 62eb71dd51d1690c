import { evaluateDocumentRights } from "../../../engine/documents/document-rights.ts"
import type { DocumentSync } from "../../../engine/documents/live-documents.ts"
import { GLOBAL_ROW_ID } from "../../../schema/compile/resource.ts"
import type { CommittedChange } from "../../../sql/changes/read-changes.ts"
import type { ChannelMembers, Membership } from "../presence/channel-members.ts"
import { AuthorizedTopic } from "../topics/authorized-topic.ts"
import type { TopicStream } from "../topics/topic-stream.ts"
import type { AwarenessExchange } from "./awareness/awareness-exchange.ts"
import type { StateOwner } from "./awareness/awareness-states.ts"
import { encodeAwareness } from "./awareness/awareness-update.ts"
import { checkEpoch, type DocumentPermission, permissionFor, replacedDocument } from "./document-permission.ts"
import type { DocumentRequest } from "./document-request.ts"
import type { RoomSubscriber } from "./document-room.ts"
import type { DocumentRooms, RoomSeat } from "./document-rooms.ts"
import type { RecordWatcher, RecordWatchers } from "./record-watchers.ts"
import { SharedUpdate, toBase64 } from "./shared-update.ts"

interface DocumentTopicDependencies {
  readonly stream: TopicStream
  readonly rooms: DocumentRooms
  readonly watchers: RecordWatchers
  readonly awareness: AwarenessExchange
  readonly editors: ChannelMembers
}

const RETRY_MS = 1_000
const MAX_EVALUATIONS = 3
const MAX_CHANGES = 100
// More updates than this are not held for a client, but read when they can be sent.
const MAX_HELD = 500
const END = '"}\n\n'
const MAX_COPIED = 4096

/**
 * One client's subscription to a document, whose room passes updates to this topic. The topic itself reads what the
 * client lacks: at the beginning, after the client's rights were unknown, and after the client was slow. The topic's
 * position is the number of an update: the client has the updates up to it.
 */
export class DocumentTopic
  extends AuthorizedTopic<DocumentRequest, DocumentPermission>
  implements RoomSubscriber, RecordWatcher
{
  readonly #dependencies: DocumentTopicDependencies
  readonly #rooms: DocumentRooms
  /** The stream of the topic, and the user who has opened it. A stream ends with the session of its user. */
  readonly owner: StateOwner
  /** The first changes of the record since the last evaluation of the rules began. */
  #changedMeanwhile: CommittedChange[] = []
  /** The id of the record whose changes are reported to this topic. */
  #watched: string
  #stopWatching: () => void
  #documentId: string | undefined
  #seat: RoomSeat | undefined
  /** The last permission. It may be out of date. */
  #known: DocumentPermission | undefined
  /** The permission under which updates are sent; undefined while the client's rights are unknown. */
  #joined: DocumentPermission | undefined
  #position: number | undefined
  /** The state vector of what the client has, at least. */
  #stateVector: Uint8Array | undefined
  /** The right to edit of which the client knows. */
  #shownCanEdit: boolean | undefined
  #shownProblem: string | null = null
  /** True if there may be updates that the room did not pass to this topic. */
  #isBehind = false
  /** The updates that came while the topic read earlier ones, or had its rules evaluated again. */
  #held: SharedUpdate[] = []
  #isReading = false
  /** True while the topic waits for its turn to send the document. */
  #isPostponed = false
  /** True if there may be states of other clients that this topic did not send. */
  #lacksAwareness = true
  /** The client's place among the editors of the document, while it may edit. */
  #editing: Membership | undefined
  #retry: NodeJS.Timeout | undefined
  #hasEnded = false

  constructor(request: DocumentRequest, dependencies: DocumentTopicDependencies) {
    const { stream, rooms } = dependencies
    super(request, stream)
    this.#dependencies = dependencies
    this.#rooms = rooms
    this.owner = { stream: stream.id, userId: stream.client.session?.user.id ?? null }
    const { recordId = GLOBAL_ROW_ID, stateVector } = request
    this.#stateVector = stateVector === undefined ? undefined : Buffer.from(stateVector, "base64")
    this.#watched = recordId
    this.#stopWatching = this.#watch(recordId)
  }

  receive(updates: readonly SharedUpdate[]): void {
    if (!this.#joined) return
    const isCurrent = !this.#joined.hasRuleFunction || this.isCurrent()
    if (this.#isBehind || this.#isReading || !isCurrent) this.#hold(updates)
    else this.#sendNew(updates)
  }

  fallBehind(): void {
    this.#isBehind = true
    void this.#catchUp()
  }

  showProblem(message: string | null): void {
    // Only editors can do something about it.
    if (!this.#joined?.canEdit || this.#position === undefined || message === this.#shownProblem) return
    this.#shownProblem = message
    const data = JSON.stringify({ documentId: this.request.id, message })
    this.stream.events.sendLatest(this.request.id, `event: problem\ndata: ${data}\n\n`)
  }

  showAwareness(update: string): void {
    if (!this.#joined || this.#position === undefined) return
    const isCurrent = !this.#joined.hasRuleFunction || this.isCurrent()
    if (isCurrent && !this.#lacksAwareness && !this.stream.events.isBlocked) return void this.#sendAwareness(update)
    this.#lacksAwareness = true
    void this.#catchUp()
  }

  /** Evaluates the rules again if the change of the document's record may alter the client's rights. */
  onRecordChanged(change: CommittedChange): void {
    if (this.#changedMeanwhile.length < MAX_CHANGES) this.#changedMeanwhile.push(change)
    if (this.#known?.isAffectedBy(change)) void this.reevaluateRules()
  }

  override onDrained(): void {
    void this.#catchUp()
  }

  override sendPostponed(): void {
    this.#isPostponed = false
    void this.#catchUp()
  }

  override end(): void {
    this.#hasEnded = true
    clearTimeout(this.#retry)
    this.#stopWatching()
    this.#editing?.leave()
    if (this.#documentId !== undefined) this.#dependencies.awareness.removeStream(this.#documentId, this.owner)
    this.#seat?.leave()
    super.end()
  }

  // Evaluates the rules again if the record changes meanwhile in a way that may alter the client's rights. This ends
  // after some tries even if the record changes all the time.
  protected override async planNow(): Promise<DocumentPermission> {
    for (let tries = 1; ; tries++) {
      const changes: CommittedChange[] = []
      this.#changedMeanwhile = changes
      const permission = await this.#evaluateRules()
      this.#known = permission
      if (!changes.some((change) => permission.isAffectedBy(change)) || tries === MAX_EVALUATIONS) return permission
    }
  }

  // The topic stays in its room while its rules are evaluated again, but sends nothing meanwhile.
  protected override join(read: DocumentPermission): () => void {
    this.#seat ??= this.#rooms.join(read, this)
    this.#joined = read
    this.#lacksAwareness = true
    this.#joinEditors(read)
    this.fallBehind()
    return () => {
      this.#joined = undefined
      // They are read again when the client's rights are known.
      this.#held = []
    }
  }

  #joinEditors({ canEdit, documentId: room }: DocumentPermission): void {
    if (!canEdit) {
      this.#editing?.leave()
      this.#editing = undefined
      return
    }
    const { stream, userId } = this.owner
    const place = { room: `document ${room}`, member: userId ?? stream, data: "null", extended: undefined }
    this.#editing ??= this.#dependencies.editors.enter({ ...place, onRefused: (error) => this.fail(error) })
  }

  async #evaluateRules(): Promise<DocumentPermission> {
    const rights = await this.stream.evaluateRules((ctx) => evaluateDocumentRights(ctx, this.request))
    this.#watchStoredId(rights.address.recordId)
    this.#documentId ??= (await this.#rooms.open(rights.address)).id
    checkEpoch(this.#documentId, this.request.epoch)
    return permissionFor(rights, this.#documentId)
  }

  // Changes have the id of their record as the database stores it, which the client may spell otherwise.
  #watchStoredId(recordId: string): void {
    if (this.#watched === recordId || this.#hasEnded) return
    this.#stopWatching()
    this.#watched = recordId
    this.#stopWatching = this.#watch(recordId)
  }

  #watch(recordId: string): () => void {
    const { resourceType, resource } = this.request
    return this.#dependencies.watchers.watch(`${resourceType} ${resource}`, recordId, this)
  }

  async #catchUp(): Promise<void> {
    if (this.#isReading) return
    this.#isReading = true
    try {
      while (this.#mayRead) await this.#sendMissed()
    } catch (error) {
      this.#readLater(error)
    } finally {
      this.#isReading = false
      if (!this.#isPostponed && !this.#hasEnded) this.stream.events.settle(this.request.id)
    }
  }

  async #sendMissed(): Promise<void> {
    if (this.#known?.hasRuleFunction) await this.renew()
    if (this.#joined && this.#isBehind) await this.#readOn(this.#joined)
    if (this.#joined && !this.#isBehind && !this.stream.events.isBlocked) this.#sendHeld()
  }

  get #mayRead(): boolean {
    const lacksAnything = this.#isBehind || this.#held.length > 0 || this.#lacksAwareness
    return this.#joined !== undefined && lacksAnything && !this.#isPostponed && !this.stream.events.isBlocked
  }

  async #readOn(joined: DocumentPermission): Promise<void> {
    this.#isBehind = false
    const isShown = this.#shownCanEdit === joined.canEdit
    if (this.#position === undefined || !isShown) return this.#sendDocument(joined)
    const position = this.#position
    const page = await this.#rooms.updatesSince(joined.documentId, position)
    // Drops the result if the client's rights have become unknown during the read. Once they are known, the topic reads
    // what it missed anyway.
    if (this.#joined !== joined) return
    if (page === undefined) return this.#sendDocument(joined)
    this.showProblem(page.problem)
    this.#sendNew(page.updates.map((bytes, index) => new SharedUpdate(position + 1 + index, bytes)))
  }

  // Sends what the client lacks as one update. It may be large, so it is sent when the client has read everything else.
  async #sendDocument(joined: DocumentPermission): Promise<void> {
    const { events } = this.stream
    if (!events.isReadyFor(this.request.id)) return void this.#postpone()
    const sync = await this.#rooms.sync(joined.documentId, this.#stateVector)
    if (this.#joined !== joined) return
    if (sync === undefined) return void this.fail(replacedDocument())
    if (!events.isReadyFor(this.request.id)) return void this.#postpone()
    this.#position = sync.seq
    this.#stateVector = sync.stateVector
    this.#shownCanEdit = joined.canEdit
    this.#shownProblem = joined.canEdit ? sync.problem : null
    this.#writeDocument(joined, sync)
    this.#seat?.room.start(sync)
  }

  #writeDocument(joined: DocumentPermission, { update, stateVector }: DocumentSync): void {
    const { documentId: epoch, address, canEdit } = joined
    const place = { epoch, field: address.field.name, locale: address.locale ?? null }
    const vector = toBase64(stateVector).toString("latin1")
    const facts = JSON.stringify({ ...place, stateVector: vector, canEdit, problem: this.#shownProblem })
    const head = `event: document\ndata: {${this.#idMember},${facts.slice(1, -1)},"update":"`
    const data = toBase64(update)
    this.stream.events.sendSnapshot({ topicId: this.request.id, parts: [head, data, END], data })
  }

  #postpone(): void {
    this.#isBehind = true
    this.#isPostponed = true
    this.stream.events.postpone(this.request.id)
  }

  // Without this, a topic that is behind a busy document would read again and again, and never catch up.
  #hold(updates: readonly SharedUpdate[]): void {
    if (this.#held.length + updates.length <= MAX_HELD) this.#held.push(...updates)
    else {
      this.#held = []
      this.#isBehind = true
    }
    void this.#catchUp()
  }

  #sendHeld(): void {
    const held = this.#held
    this.#held = []
    this.#sendNew(held)
    if (this.#lacksAwareness && !this.#isBehind) this.#sendAllAwareness()
  }

  // Sends the updates that the client does not have yet. If the client is slow, the remaining updates are read again
  // later.
  #sendNew(updates: readonly SharedUpdate[]): void {
    for (const update of updates) {
      const position = this.#position ?? 0
      if (update.seq <= position) continue
      if (this.stream.events.isBlocked || update.seq > position + 1) return void this.fallBehind()
      this.#position = update.seq
      this.#sendShared("edit", update.text)
    }
  }

  #sendAllAwareness(): void {
    this.#lacksAwareness = false
    const states = this.#seat?.room.states.statesExcept(this.owner.stream) ?? []
    if (states.length > 0) this.#sendAwareness(toBase64(encodeAwareness(states)).toString("latin1"))
  }

  #sendAwareness(update: string): void {
    this.#sendShared("awareness", update)
  }

  // All subscribers share the text of an update; only the beginning differs between them. A small one is copied for each,
  // because a write of several parts takes longer than that.
  #sendShared(event: "edit" | "awareness", update: string): void {
    const head = `event: ${event}\ndata: {${this.#idMember},"update":"`
    if (update.length > MAX_COPIED) this.stream.events.sendText(head, update, END)
    else this.stream.events.sendText(head + update + END)
  }

  get #idMember(): string {
    return `"documentId":${JSON.stringify(this.request.id)}`
  }

  #readLater(error: unknown): void {
    if (this.#hasEnded) return
    clearTimeout(this.#retry)
    if (this.stream.engine.isTemporary(error)) this.#retry = setTimeout(() => this.fallBehind(), RETRY_MS).unref()
    else this.fail(error)
  }
}
