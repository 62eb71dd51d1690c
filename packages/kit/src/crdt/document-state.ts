import { callSafely } from "../client/live/call-safely.ts"
import type { DocumentStatus } from "./collaborative-document.ts"
import { SyncWaiters } from "./sync-waiters.ts"
import type { Uplink } from "./uplink.ts"

/** Why a document or its edits are refused. */
export interface Denial {
  readonly error: Error
  /** True if the same edits would be refused again. Otherwise the next answer of the server ends the denial. */
  readonly isFinal: boolean
  /** A sentence for the user about what the refused edits would have deleted. */
  readonly problem?: string | undefined
}

/** The members of a document that its user sees. After a change of them, `changed` is called. */
export class DocumentState {
  /** How far the connection has come; "none" if none is wanted. */
  connection: "none" | "connecting" | "synced" | "offline" = "none"
  /** True if the server lets the user edit. */
  mayEdit = false
  /** Why the record refuses the document's value. */
  recordProblem: string | null = null
  /** Why the editor cannot hold the document. */
  editorProblem: string | undefined
  denial: Denial | undefined
  connectionError: Error | null = null
  storeError: Error | null = null
  observerError: Error | null = null
  readonly #uplink: () => Pick<Uplink, "pending" | "failure">
  readonly #listeners = new Set<() => void>()
  readonly #waiters = new SyncWaiters()
  #shown = ""

  constructor(uplink: () => Pick<Uplink, "pending" | "failure">) {
    this.#uplink = uplink
  }

  get status(): DocumentStatus {
    if (this.denial || this.#hasUnsendableEdits) return "denied"
    if (this.connection === "none" || (this.connection === "synced" && this.#uplink().failure)) return "offline"
    return this.connection
  }

  get canEdit(): boolean {
    return this.mayEdit && this.editorProblem === undefined && this.denial?.problem === undefined
  }

  get problem(): string | null {
    return this.editorProblem ?? this.denial?.problem ?? this.recordProblem
  }

  get error(): Error | null {
    if (this.denial) return this.denial.error
    if (this.#hasUnsendableEdits) return new Error("The document is read-only for you. Your edits are not sent.")
    return this.connectionError ?? this.#uplink().failure ?? this.storeError ?? this.observerError
  }

  subscribe(listener: () => void): () => void {
    // A function of its own, so that a listener which subscribes twice is called twice.
    const own = () => listener()
    this.#listeners.add(own)
    return () => void this.#listeners.delete(own)
  }

  whenSynced(): Promise<void> {
    const synced = this.#waiters.add()
    this.#settleWaiters()
    return synced
  }

  /** Calls the listeners if anything that they can see has changed. */
  changed(): void {
    this.#settleWaiters()
    const { status, canEdit, problem, error } = this
    const shown = JSON.stringify([status, this.#uplink().pending, canEdit, problem, error?.message])
    if (shown === this.#shown) return
    this.#shown = shown
    for (const listener of [...this.#listeners]) callSafely(listener)
  }

  /** Rejects the promises of those who wait, because nothing more happens. */
  end(error: Error): void {
    this.#waiters.reject(error)
  }

  // Edits in a document that is read-only for the user.
  get #hasUnsendableEdits(): boolean {
    return this.connection === "synced" && !this.canEdit && this.#uplink().pending > 0
  }

  #settleWaiters(): void {
    const { status, error } = this
    if (status === "synced") this.#waiters.resolve()
    else if (status === "denied" && error) this.#waiters.reject(error)
  }
}
