import { describe, expect, test } from "vitest"
import { bytesPerVector, VectorIndex } from "../../../src/features/search/vectors/vector-index.ts"

function randomVectors(count: number, dimensions: number): { key: string; vector: Float32Array }[] {
  let state = 42
  const next = () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    return state / 2 ** 30 - 1
  }
  return Array.from({ length: count }, (_, place) => ({
    key: `key-${place}`,
    vector: Float32Array.from({ length: dimensions }, next),
  }))
}

function cosine(left: Float32Array, right: Float32Array): number {
  const dot = (a: Float32Array, b: Float32Array) => a.reduce((sum, value, at) => sum + value * Number(b[at]), 0)
  return dot(left, right) / Math.sqrt(dot(left, left) * dot(right, right))
}

describe("the index of vectors in memory", () => {
  test("finds exactly the most similar texts", async () => {
    const vectors = randomVectors(3000, 16)
    const index = new VectorIndex(16)
    index.add(vectors)
    const query = Float32Array.from({ length: 16 }, (_, at) => Math.sin(at))

    const { keys, similarities, isAll } = (await index.compare(query)).best(50, -1)

    const expected = vectors
      .map(({ key, vector }) => ({ key, score: cosine(query, vector) }))
      .sort((a, b) => b.score - a.score)
    const bound = Math.min(...similarities)
    expect(keys.length).toBeGreaterThanOrEqual(50)
    expect(new Set(keys)).toEqual(new Set(expected.slice(0, keys.length).map(({ key }) => key)))
    expect(expected[keys.length]?.score).toBeLessThan(bound)
    expect(isAll).toBe(false)
    for (const [at, key] of keys.entries()) {
      expect(similarities[at]).toBeCloseTo(expected.find((each) => each.key === key)?.score ?? 0, 5)
    }
  })

  test("returns nothing below the minimum, and says when nothing else reaches it", async () => {
    const index = new VectorIndex(2)
    index.add([
      { key: "same", vector: Float32Array.of(2, 0) },
      { key: "near", vector: Float32Array.of(3, 4) },
      { key: "far", vector: Float32Array.of(0, 3) },
      { key: "opposite", vector: Float32Array.of(-1, 0) },
      { key: "none", vector: Float32Array.of(0, 0) },
    ])

    const similarities = await index.compare(Float32Array.of(5, 0))

    expect(similarities.best(10, 0.5)).toEqual({ keys: ["same", "near"], similarities: [1, 0.6], isAll: true })
    expect(similarities.best(1, 0.5)).toEqual({ keys: ["same"], similarities: [1], isAll: false })
    expect(similarities.best(10, 0).keys).toEqual(["same", "near", "far", "none"])
    expect(similarities.best(10, -1).keys).toHaveLength(5)
  })

  test("adds a key once, and no vector of another length", async () => {
    const index = new VectorIndex(2)

    index.add([
      { key: "a", vector: Float32Array.of(1, 0) },
      { key: "long", vector: Float32Array.of(1, 0, 0) },
    ])
    index.add([{ key: "a", vector: Float32Array.of(0, 1) }])

    expect(index.size).toBe(1)
    expect(index.has("a")).toBe(true)
    expect((await index.compare(Float32Array.of(1, 0))).best(1, 0).similarities).toEqual([1])
  })

  test("finds nothing while it is empty", async () => {
    const similarities = await new VectorIndex(2).compare(Float32Array.of(1, 0))

    expect(similarities.best(1000, 0)).toEqual({ keys: [], similarities: [], isAll: true })
  })

  test("lets other work go on while it compares many vectors", async () => {
    const index = new VectorIndex(512)
    const vector = new Float32Array(512).fill(1)
    index.add(Array.from({ length: 30_000 }, (_, place) => ({ key: String(place), vector })))

    // The turns of the event loop for every 20 ms of the processor's time: on a busy machine the clock runs on. The best of
    // some tries counts, because the machine may stand still.
    const turnsPerPart: number[] = []
    for (let tries = 0; tries < 5; tries++) {
      let turns = 0
      const timer = setInterval(() => turns++, 0)
      const before = process.cpuUsage()
      await index.compare(vector)
      turnsPerPart.push(turns / (process.cpuUsage(before).user / 20_000))
      clearInterval(timer)
    }

    expect(Math.max(...turnsPerPart)).toBeGreaterThanOrEqual(1)
  })

  test("states the memory that a vector takes", () => {
    expect(bytesPerVector(512)).toBe(2208)
  })
})
