import { type ResourceLimits, Worker } from "node:worker_threads"
import { temporaryFailure } from "../../temporary-failure.ts"
import type { CodecCall, ThreadMessage } from "./thread-message.ts"
import { type ThreadProgram, threadProgram } from "./thread-program.ts"

const TICK_MS = 50

interface CodecThreadOptions {
  /** The time that one call may take in the thread. */
  readonly timeLimitMs: number
  readonly resourceLimits: ResourceLimits
}

/** How a call ended: with a result, with an error that the thread has caught, or because the thread had to be ended. */
export type CallOutcome =
  | { readonly kind: "result"; readonly result: unknown }
  | { readonly kind: "failure"; readonly message: string }
  | { readonly kind: "exceeded"; readonly limit: "time" | "memory" }

interface WaitingCall {
  readonly call: CodecCall
  settle(outcome: CallOutcome): void
  reject(error: Error): void
}

/**
 * A thread that runs calls of the codec one after the other. It starts at the first call, and an idle thread does not
 * keep the process alive. A call that takes too long or too much memory ends the thread and fails; the calls that wait
 * are then run by another thread.
 */
export class CodecThread {
  readonly #options: CodecThreadOptions
  #waiting: WaitingCall[] = []
  #current: WaitingCall | undefined
  #stopStopwatch: () => void = () => undefined
  #worker: Worker | undefined
  #isReady = false

  constructor(options: CodecThreadOptions) {
    this.#options = options
  }

  run(call: CodecCall): Promise<CallOutcome> {
    return new Promise((settle, reject) => {
      this.#waiting.push({ call, settle, reject })
      this.#advance()
    })
  }

  /** Ends the thread. The calls that wait for it fail; a later call starts another thread. */
  async close(): Promise<void> {
    const worker = this.#worker
    this.#rejectAll(temporaryFailure("The codec of collaborative documents was closed.", undefined))
    await worker?.terminate()
  }

  #advance(): void {
    if (this.#current !== undefined) return
    const next = this.#waiting[0]
    if (next === undefined) this.#worker?.unref()
    else if (this.#worker === undefined) this.#start()
    else if (this.#isReady) this.#send(next, this.#worker)
  }

  #send(next: WaitingCall, worker: Worker): void {
    this.#waiting.shift()
    this.#current = next
    worker.ref()
    this.#stopStopwatch = startStopwatch(this.#options.timeLimitMs, () => this.#replace("time"))
    const { call, transfer } = copyBytes(next.call)
    try {
      worker.postMessage(call, transfer)
    } catch (error) {
      this.#settle({ kind: "failure", message: `The value cannot be sent to the thread: ${String(error)}` })
    }
  }

  #start(): void {
    const isNeeded = () => this.#worker === undefined && this.#waiting.length > 0
    const open = (program: ThreadProgram) => {
      if (isNeeded()) this.#worker = this.#open(program)
    }
    threadProgram().then(open, (cause: unknown) => this.#rejectAll(startFailure(cause)))
  }

  #open(program: ThreadProgram): Worker {
    const { resourceLimits } = this.#options
    // The thread inherits no flags of the process, such as the loader of a test runner.
    const options = { execArgv: [], resourceLimits }
    const worker =
      "file" in program ? new Worker(program.file, options) : new Worker(program.text, { ...options, eval: true })
    worker.on("message", (message: ThreadMessage) => {
      if (this.#worker === worker) this.#receive(message)
    })
    const onEnd = (cause: unknown) => {
      if (this.#worker === worker) this.#onEnd(cause)
    }
    worker.on("error", onEnd)
    worker.on("exit", onEnd)
    return worker
  }

  #receive(message: ThreadMessage): void {
    if (message.kind !== "ready") {
      this.#settle(message)
      return
    }
    this.#isReady = true
    this.#advance()
  }

  #settle(outcome: CallOutcome): void {
    this.#takeCurrent()?.settle(outcome)
    this.#advance()
  }

  #onEnd(cause: unknown): void {
    if (!this.#isReady) this.#rejectAll(startFailure(cause))
    else if (isOutOfMemory(cause)) this.#replace("memory")
    else this.#onCrash(cause)
  }

  #onCrash(cause: unknown): void {
    this.#forgetWorker()
    this.#takeCurrent()?.reject(temporaryFailure("The codec's thread has ended during the call.", cause))
    this.#advance()
  }

  // Ends the thread, because its present call exceeds a limit. The next call starts another thread.
  #replace(limit: "time" | "memory"): void {
    const worker = this.#worker
    this.#forgetWorker()
    this.#settle({ kind: "exceeded", limit })
    worker?.terminate().catch(() => undefined)
  }

  #rejectAll(error: Error): void {
    this.#forgetWorker()
    const current = this.#takeCurrent()
    const waiting = this.#waiting
    this.#waiting = []
    current?.reject(error)
    for (const { reject } of waiting) reject(error)
  }

  #forgetWorker(): void {
    this.#worker = undefined
    this.#isReady = false
  }

  #takeCurrent(): WaitingCall | undefined {
    this.#stopStopwatch()
    const current = this.#current
    this.#current = undefined
    return current
  }
}

// Copies the bytes of a call, so that the copies can be handed over: the caller keeps its own, and a small slice of a
// large buffer is not sent with the whole buffer.
function copyBytes(call: CodecCall): { readonly call: CodecCall; readonly transfer: ArrayBuffer[] } {
  const transfer: ArrayBuffer[] = []
  const copy = (bytes: Uint8Array) => {
    const copied = new Uint8Array(bytes)
    transfer.push(copied.buffer)
    return copied
  }
  if (call.kind === "create") return { call, transfer }
  const withUpdates = { ...call, updates: call.updates.map(copy) }
  if (withUpdates.kind !== "differenceFrom" || withUpdates.stateVector === undefined) {
    return { call: withUpdates, transfer }
  }
  return { call: { ...withUpdates, stateVector: copy(withUpdates.stateVector) }, transfer }
}

function isOutOfMemory(cause: unknown): boolean {
  return cause instanceof Error && "code" in cause && cause.code === "ERR_WORKER_OUT_OF_MEMORY"
}

function startFailure(cause: unknown): Error {
  return temporaryFailure("The thread of the codec of collaborative documents did not start.", cause)
}

// Calls `onLimit` once after this time, and returns a function that prevents it. Time in which the whole process stands
// still, such as the sleep of a computer, counts as one tick only.
function startStopwatch(limitMs: number, onLimit: () => void): () => void {
  let ticksLeft = Math.ceil(limitMs / TICK_MS)
  const interval = setInterval(() => {
    ticksLeft--
    if (ticksLeft > 0) return
    clearInterval(interval)
    onLimit()
  }, TICK_MS)
  return () => clearInterval(interval)
}
