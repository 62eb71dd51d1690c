import { Worker } from "node:worker_threads"
import { temporaryFailure } from "../temporary-failure.ts"
import type { ThreadAnswer } from "./offline-thread.ts"

interface EmbeddingThreadOptions {
  /** The source text of the thread's program. */
  readonly program: string
  readonly workerData: unknown
  readonly dimensions: number
  /** The maximum number of calls that wait for the thread. */
  readonly maxWaiting: number
}

interface WaitingCall {
  resolve(vectors: readonly Float32Array[]): void
  reject(error: Error): void
}

/**
 * Turns texts into vectors in a thread of its own, which starts at the first call. If the thread crashes, the calls that
 * wait for it fail, and the next call starts another one. An idle thread does not keep the process alive.
 */
export class EmbeddingThread {
  readonly #options: EmbeddingThreadOptions
  readonly #waiting = new Map<number, WaitingCall>()
  #worker: Worker | undefined
  #lastId = 0

  constructor(options: EmbeddingThreadOptions) {
    this.#options = options
  }

  embed(texts: readonly string[], signal?: AbortSignal): Promise<readonly Float32Array[]> {
    if (signal?.aborted) return Promise.reject(signal.reason)
    if (this.#waiting.size >= this.#options.maxWaiting) {
      return Promise.reject(temporaryFailure("Too many texts wait for the offline embedder.", undefined))
    }
    return new Promise((resolve, reject) => {
      this.#lastId++
      const id = this.#lastId
      const giveUp = () => this.#takeWaiting(id)?.reject(signal?.reason)
      signal?.addEventListener("abort", giveUp, { once: true })
      const forget = () => signal?.removeEventListener("abort", giveUp)
      this.#waiting.set(id, {
        resolve: (vectors) => {
          forget()
          resolve(vectors)
        },
        reject: (error) => {
          forget()
          reject(error)
        },
      })
      this.#send({ id, texts })
    })
  }

  /** Ends the thread. The calls that wait for it fail; a later call starts another thread. */
  async close(): Promise<void> {
    const worker = this.#worker
    this.#fail(temporaryFailure("The offline embedder was closed.", undefined))
    await worker?.terminate()
  }

  #send(call: { readonly id: number; readonly texts: readonly string[] }): void {
    this.#worker ??= this.#start()
    this.#worker.ref()
    this.#worker.postMessage(call)
  }

  #start(): Worker {
    const { program, workerData } = this.#options
    // The thread inherits no flags of the process, such as the loader of a test runner.
    const worker = new Worker(program, { eval: true, workerData, execArgv: [] })
    worker.on("message", (answer: ThreadAnswer) => this.#settle(answer))
    const onEnd = (cause: unknown) => {
      if (this.#worker === worker) this.#fail(temporaryFailure("The thread of the offline embedder has ended.", cause))
    }
    worker.on("error", onEnd)
    worker.on("exit", onEnd)
    return worker
  }

  #settle(answer: ThreadAnswer): void {
    const call = this.#takeWaiting(answer.id)
    if (this.#waiting.size === 0) this.#worker?.unref()
    if ("error" in answer) call?.reject(new Error(`The offline embedder failed: ${answer.error}`))
    else call?.resolve(this.#split(answer.vectors))
  }

  #split(vectors: Float32Array): Float32Array[] {
    const { dimensions } = this.#options
    const count = vectors.length / dimensions
    return Array.from({ length: count }, (_, place) => vectors.subarray(place * dimensions, (place + 1) * dimensions))
  }

  #takeWaiting(id: number): WaitingCall | undefined {
    const call = this.#waiting.get(id)
    this.#waiting.delete(id)
    return call
  }

  #fail(error: Error): void {
    this.#worker = undefined
    const calls = [...this.#waiting.values()]
    this.#waiting.clear()
    for (const call of calls) call.reject(error)
  }
}
