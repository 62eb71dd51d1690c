import { newId } from "../../engine/context/ids.ts"
import type { DueClock } from "../../engine/database/due-clock.ts"
import type { Connection, Transaction } from "../../ports/database.ts"
import type { MessageBus } from "../../ports/message-bus.ts"
import type { JobDefinition } from "../../schema/builders/job.ts"
import type { PublishOptions } from "../../schema/context/job-publisher.ts"
import { invalid } from "../../wire/errors/api-error.ts"
import { serializePayload } from "./job-payload.ts"
import { insertJob, type JobStart } from "./job-rows.ts"

/** A job to be published, with its payload and the user who publishes it. */
interface Publication {
  readonly job: JobDefinition
  readonly payload: unknown
  readonly options?: PublishOptions
  readonly publishedBy?: string | null
}

/**
 * A notification to workers. "due" means that jobs with this name, or with any name if none is given, can run now.
 * "later" means that a scheduled job may have been added.
 */
export interface JobNotification {
  readonly kind: "due" | "later"
  readonly name?: string
}

type JobNotificationCallback = (notice: JobNotification) => void

interface JobQueueDependencies {
  readonly bus: MessageBus
  readonly now: () => Date
  readonly dueNow: DueClock
}

const CHANNEL = "kit_jobs"
const MAX_KEY_CHARACTERS = 200
const MAX_DELAY_MS = 100 * 365 * 86_400_000

/** Stores jobs and notifies the workers of all processes. */
export class JobQueue {
  readonly #setup: JobQueueDependencies
  readonly #callbacks = new Set<JobNotificationCallback>()
  /**
   * Marks the messages that this process publishes on the message bus, so that it can ignore them when they come back.
   */
  readonly #origin = crypto.randomUUID()

  constructor(setup: JobQueueDependencies) {
    this.#setup = setup
  }

  /** Stores a job on this connection, as part of its transaction if there is one. Returns the job's id. */
  async publish(connection: Connection, publication: Publication): Promise<string> {
    const { job, payload, options = {}, publishedBy = null } = publication
    const now = this.#setup.now()
    const { id, isDue } = await insertJob(connection, {
      id: newId(now),
      name: job.name,
      priority: readPriority(options.priority) ?? job.priority,
      singletonKey: readKey(options.singletonKey),
      payload: await serializePayload(job, payload),
      maxAttempts: job.retryLimit + 1,
      publishedBy,
      start: readStart(options.startAfter, now),
      now: this.#setup.dueNow(),
    })
    this.#notifyAfterCommit(connection, { kind: isDue ? "due" : "later", name: job.name })
    return id
  }

  /** Notifies all workers, in this process and in other processes. */
  notify(notice: JobNotification): void {
    for (const listener of this.#callbacks) listener(notice)
    this.#setup.bus.publish(CHANNEL, `${this.#origin} ${notice.kind} ${notice.name ?? ""}`)
  }

  /**
   * Calls the callback for each notification: directly for jobs that this process publishes, and through the message
   * bus for jobs of other processes. Returns a function that ends the subscription.
   */
  subscribe(listener: JobNotificationCallback): () => void {
    this.#callbacks.add(listener)
    const unsubscribe = this.#setup.bus.subscribe(CHANNEL, {
      onMessage: (text) => this.#receive(text, listener),
      // Notifications may have been missed while the message bus was not connected.
      onListening: () => {
        listener({ kind: "later" })
        listener({ kind: "due" })
      },
    })
    return () => {
      this.#callbacks.delete(listener)
      unsubscribe()
    }
  }

  #notifyAfterCommit(connection: Connection, notice: JobNotification): void {
    if (isTransaction(connection)) connection.afterCommit(() => this.notify(notice))
    else this.notify(notice)
  }

  #receive(text: string, listener: JobNotificationCallback): void {
    const [origin, kind, name] = text.split(" ", 3)
    if (origin === this.#origin) return
    listener({ kind: kind === "later" ? "later" : "due", ...(name && { name }) })
  }
}

function isTransaction(connection: Connection): connection is Transaction {
  return "afterCommit" in connection
}

function readStart(startAfter: unknown, now: Date): JobStart {
  if (startAfter === undefined) return { delayMs: 0 }
  const delayMs = startAfter instanceof Date ? startAfter.getTime() - now.getTime() : secondsToMs(startAfter)
  if (delayMs <= MAX_DELAY_MS) return startAfter instanceof Date ? { at: startAfter } : { delayMs }
  throw invalid("startAfter", "Must be a date or a number of seconds from 0, within the next 100 years.")
}

function secondsToMs(seconds: unknown): number {
  return typeof seconds === "number" && seconds >= 0 ? seconds * 1000 : Number.NaN
}

function readPriority(priority: unknown): number | undefined {
  if (priority === undefined) return undefined
  if (Number.isInteger(priority) && Math.abs(Number(priority)) <= 1_000_000) return Number(priority)
  throw invalid("priority", "Must be a whole number from -1000000 to 1000000.")
}

function readKey(key: unknown): string | null {
  if (key === undefined) return null
  const isText = typeof key === "string" && key.length > 0 && key.length <= MAX_KEY_CHARACTERS
  if (isText && !key.includes("\0") && key.isWellFormed()) return key
  throw invalid("singletonKey", `Must be a text of 1 to ${MAX_KEY_CHARACTERS} characters.`)
}
