/** The paths of the packages that the thread loads. */
export interface ThreadPackages {
  readonly embeddings: string
  readonly model: string
}

/** An answer of the thread: the vectors of a call, one after the other, or why there are none. */
export type ThreadAnswer =
  | { readonly id: number; readonly vectors: Float32Array }
  | { readonly id: number; readonly error: string }

/**
 * The program of the thread. It is text, so that it runs without a file of its own, which would be TypeScript in the
 * source tree and in another place in the built package. It receives `{ id, texts }` and answers each in turn.
 */
export const THREAD_PROGRAM = `
const { parentPort, workerData } = require("node:worker_threads")
const { initModel } = require(workerData.embeddings)
const { modelSource } = require(workerData.model)
const model = initModel(modelSource)

let last = Promise.resolve()
parentPort.on("message", (call) => {
  last = last.then(() => answer(call))
})

async function answer({ id, texts }) {
  try {
    // The model cannot read a batch without any token.
    const lists = await (await model).embed(texts.map((text) => text.trim() || " "))
    const vectors = Float32Array.from(lists.flat())
    parentPort.postMessage({ id, vectors }, [vectors.buffer])
  } catch (error) {
    parentPort.postMessage({ id, error: String(error) })
  }
}
`
