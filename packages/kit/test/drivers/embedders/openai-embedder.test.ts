import { describe, expect, test } from "vitest"
import { type OpenAiEmbedderOptions, openAiEmbedder } from "../../../src/drivers/embedders/openai-embedder.ts"
import { retryDelayMs } from "../../../src/drivers/embedders/retry-delay.ts"
import { EmbeddingServer, vectorsFor } from "./embedding-server.ts"

const KEY = "sk-very-secret"

function embedderOn({ url }: EmbeddingServer, options: Partial<OpenAiEmbedderOptions> = {}) {
  return openAiEmbedder({ url, model: "small", dimensions: 3, apiKey: KEY, ...options })
}

describe("an embedder behind an HTTP endpoint", () => {
  test("sends the texts with the model and the key, and returns their vectors", async () => {
    await using server = await EmbeddingServer.start()

    const vectors = await embedderOn(server, { headers: { "x-team": "news" }, body: { dimensions: 3 } }).embed([
      "a",
      "bb",
    ])

    expect(vectors).toEqual([Float32Array.of(1, 0, 1), Float32Array.of(2, 1, 1)])
    expect(server.requests).toHaveLength(1)
    expect(server.requests[0]).toMatchObject({
      path: "/v1/embeddings",
      headers: { authorization: `Bearer ${KEY}`, "x-team": "news", "content-type": "application/json" },
      body: { model: "small", input: ["a", "bb"], encoding_format: "float", dimensions: 3 },
    })
  })

  test("keeps the query of the address, and does not append the path twice", async () => {
    await using server = await EmbeddingServer.start()

    await openAiEmbedder({ url: `${server.url}/embeddings/?api-version=1`, model: "m", dimensions: 3 }).embed(["a"])

    expect(server.requests[0]?.path).toBe("/v1/embeddings?api-version=1")
    expect(server.requests[0]?.headers.authorization).toBeUndefined()
  })

  test("orders the vectors by their index", async () => {
    const { data } = vectorsFor(["a", "bb", "ccc"])
    await using server = await EmbeddingServer.start({ body: { data: data.reverse() } })

    const vectors = await embedderOn(server).embed(["a", "bb", "ccc"])

    expect(vectors.map(([length]) => length)).toEqual([1, 2, 3])
  })

  test("asks again if the endpoint is busy, fails or closes the connection", async () => {
    await using server = await EmbeddingServer.start(
      { status: 429, headers: { "retry-after": "0" } },
      { status: 503, headers: { "retry-after": "0" }, body: "<html>" },
      { hangsUp: true },
    )

    expect(await embedderOn(server).embed(["a"])).toEqual([Float32Array.of(1, 0, 1)])
    expect(server.requests).toHaveLength(4)
  })

  test("gives up after four tries, with a failure that is temporary", async () => {
    const busy = { status: 500, headers: { "retry-after": "0" }, body: { error: { message: "Overloaded" } } }
    await using server = await EmbeddingServer.start(busy, busy, busy, busy)

    const failure = embedderOn(server).embed(["a"])

    await expect(failure).rejects.toMatchObject({
      isTemporary: true,
      message: expect.stringContaining("500: Overloaded"),
    })
    expect(server.requests).toHaveLength(4)
  })

  test("does not wait for long if the endpoint asks for a long pause", async () => {
    await using server = await EmbeddingServer.start({ status: 429, headers: { "retry-after": "3600" } })

    await expect(embedderOn(server).embed(["a"])).rejects.toMatchObject({ isTemporary: true })
    expect(server.requests).toHaveLength(1)
  })

  test("does not repeat a request that was refused, and never shows the key", async () => {
    await using server = await EmbeddingServer.start({
      status: 401,
      body: { error: { message: `Incorrect API key provided: ${KEY}.` } },
    })

    const failure = await embedderOn(server, { url: `${server.url}?token=pass` })
      .embed(["a"])
      .catch(String)

    expect(failure).toContain("/v1/embeddings answered with status 401: Incorrect API key provided: ….")
    expect(failure).not.toContain(KEY)
    expect(failure).not.toContain("pass")
    expect(server.requests).toHaveLength(1)
  })

  test("ends a request without a response after the timeout", async () => {
    await using server = await EmbeddingServer.start(...Array.from({ length: 4 }, () => ({ isSilent: true })))

    await expect(embedderOn(server, { timeoutMs: 20 }).embed(["a"])).rejects.toMatchObject({
      isTemporary: true,
      message: expect.stringContaining("no response in time"),
    })
  })

  test("ends at once if the caller gives up", async () => {
    await using server = await EmbeddingServer.start({ isSilent: true })
    const caller = new AbortController()

    const failure = embedderOn(server).embed(["a"], caller.signal)
    await expect.poll(() => server.requests.length).toBe(1)
    caller.abort(new Error("left"))

    await expect(failure).rejects.toThrow("left")
  })

  test.each([
    ["no list", { data: "x" }, 'without the list "data"'],
    ["no JSON", "ok", 'without the list "data"'],
    ["an item without a vector", { data: [{ index: 0 }] }, 'without the list "embedding"'],
    ["too few vectors", { data: [] }, "exactly one vector"],
    ["too many vectors", vectorsFor(["a", "b"]), "exactly one vector"],
    ["an index twice", { data: [{ index: 1, embedding: [1, 2, 3] }] }, "exactly one vector"],
    [
      "a vector of another length",
      { data: [{ index: 0, embedding: [1, 2] }] },
      'a vector of 2 numbers, but its "dimensions" are 3',
    ],
    ["a text in a vector", { data: [{ index: 0, embedding: [1, 2, "3"] }] }, "not a list of finite numbers"],
    ["null in a vector", { data: [{ index: 0, embedding: [1, 2, null] }] }, "not a list of finite numbers"],
    ["a number beyond 32 bits", { data: [{ index: 0, embedding: [1, 2, 1e300] }] }, "not a list of finite numbers"],
  ])("refuses a response with %s", async (_, body, message) => {
    await using server = await EmbeddingServer.start({ body })

    await expect(embedderOn(server).embed(["a"])).rejects.toThrow(message)
  })

  test("refuses an address that is none", () => {
    expect(() => openAiEmbedder({ url: "api.openai.com", model: "m", dimensions: 3 })).toThrow("http or https address")
    expect(() => openAiEmbedder({ url: "file:///etc", model: "m", dimensions: 3 })).toThrow("http or https address")
    expect(() => openAiEmbedder({ url: "https://me:pass@a.test", model: "m", dimensions: 3 })).toThrow(
      "contains a user",
    )
  })
})

describe("the delay before the next request", () => {
  test("follows the header retry-after", () => {
    expect(retryDelayMs("2", 1)).toBe(2000)
    expect(retryDelayMs("21", 1)).toBeUndefined()
    expect(retryDelayMs("Thu, 01 Jan 1970 00:00:00 GMT", 1)).toBe(0)
    expect(retryDelayMs("soon", 2)).toBe(500)
    expect([1, 2, 3].map((tries) => retryDelayMs(null, tries))).toEqual([250, 500, 1000])
  })
})
