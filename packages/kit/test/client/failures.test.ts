import { once } from "node:events"
import type { RequestListener } from "node:http"
import { createServer } from "node:net"
import { describe, expect, test } from "vitest"
import { createClient } from "../../src/client.ts"
import type { AppConfig } from "../types/newspaper/src/generated/index.ts"
import { errorOf } from "./error-of.ts"
import { fakeServer } from "./fake-server.ts"
import { serve } from "./serve.ts"

const PAGE_OF_A_PROXY = `<!doctype html>\n<html>\n<title>Sign in</title>${"<p>Hello</p>".repeat(50)}`

function findAt(baseURL: string) {
  return errorOf(createClient<AppConfig>({ baseURL, basePath: "api" }).collections.articles.find({ search: "secret" }))
}

describe("no answer", () => {
  test("a server that does not run is named, with why and what to look at", async () => {
    const closed = await fakeServer()
    await closed[Symbol.asyncDispose]()

    const thrown = await findAt(closed.baseURL)

    expect(thrown).toMatchObject({ status: 0, statusText: "", code: undefined })
    expect(thrown.url).toBe(`${closed.baseURL}/api/articles?search=secret`)
    expect(thrown.message).toMatch(`No answer from ${closed.baseURL}/api/articles: connect ECONNREFUSED`)
    expect(thrown.message).toContain("Is the server running, baseURL right, CORS set?")
    expect(thrown.message).not.toContain("secret")
    expect(thrown.cause).toBeInstanceOf(TypeError)
  })

  test.each([
    ["getaddrinfo ENOTFOUND kit.test", new Error("getaddrinfo ENOTFOUND kit.test")],
    ["self-signed certificate", new Error("self-signed certificate")],
    ["ECONNREFUSED", Object.assign(new AggregateError([]), { code: "ECONNREFUSED" })],
    ["fetch failed", "no error at all"],
  ])("%s is found where fetch keeps it", async (reason, cause) => {
    const fetch = () => Promise.reject(new TypeError("fetch failed", { cause }))

    const thrown = await errorOf(createClient({ baseURL: "http://kit.test", fetch }).collections["a"]?.find())

    expect(thrown.message).toContain(`No answer from http://kit.test/a: ${reason}. `)
  })

  test("a server without TLS is no server with TLS", async () => {
    await using server = await fakeServer()

    const thrown = await findAt(server.baseURL.replace("http:", "https:"))

    expect(thrown.status).toBe(0)
    expect(thrown.message).toMatch(/^No answer from https:.*(SSL|TLS|EPROTO)/i)
  })

  test("a server that hangs up before it answers", async () => {
    await using server = await serve((request) => request.socket.destroy())

    const thrown = await findAt(server.baseURL)

    expect(thrown.status).toBe(0)
    expect(thrown.message).toContain("No answer from")
  })

  test("a server that speaks something else", async () => {
    const server = createServer((socket) => socket.end("SSH-2.0-x\r\n")).listen(0, "127.0.0.1")
    await once(server, "listening")
    const address = server.address()
    const port = typeof address === "object" ? address?.port : undefined

    const thrown = await findAt(`http://127.0.0.1:${port}`)
    server.close()

    expect(thrown.status).toBe(0)
  })
})

describe("an answer that breaks off", () => {
  test.each<[string, RequestListener]>([
    [
      "with a length",
      (_request, response) => {
        response.writeHead(200, { "content-type": "application/json", "content-length": "100" })
        response.write('{"docs":[', () => response.destroy())
      },
    ],
    [
      "in chunks",
      (_request, response) => {
        response.writeHead(200, { "content-type": "application/json" })
        response.write('{"docs":[', () => response.destroy())
      },
    ],
  ])("%s says that a write may have been done", async (_how, listener) => {
    await using server = await serve(listener)

    const thrown = await findAt(server.baseURL)

    expect(thrown).toMatchObject({ status: 0, code: undefined })
    expect(thrown.message).toMatch(`The answer of ${server.baseURL}/api/articles broke off: `)
    expect(thrown.message).toContain("A write may still have been done.")
  })

  test("without a length it is JSON that ends too soon", async () => {
    await using server = await serve((request) => {
      request.socket.end('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\n\r\n{"docs":[')
    })

    const thrown = await findAt(server.baseURL)

    expect(thrown.status).toBe(200)
    expect(thrown.message).toContain('answered 200, not as the API does: application/json "{"docs":["')
    expect(thrown.cause).toBeInstanceOf(SyntaxError)
  })
})

describe("an answer that is not one of the API", () => {
  test("a page with 200 is shown by its start", async () => {
    await using server = await fakeServer({ headers: { "content-type": "text/html" }, text: PAGE_OF_A_PROXY })

    const thrown = await findAt(server.baseURL)

    expect(thrown).toMatchObject({ status: 200, statusText: "OK", code: undefined })
    expect(thrown.message).toContain(`${server.baseURL}/api/articles answered 200, not as the API does: text/html`)
    expect(thrown.message).toContain('"<!doctype html> <html> <title>Sign in</title>')
    expect(thrown.message).toContain("Check baseURL, basePath and any proxy.")
    expect(thrown.message.length).toBeLessThan(300)
    expect(thrown.message).not.toContain("secret")
  })

  test.each([502, 503, 504])("a page with %i is a proxy that does not reach the server", async (status) => {
    const headers = { "content-type": "text/html", "x-request-id": "r-2" }
    await using server = await fakeServer({ status, headers, text: "<h1>Bad gateway</h1>" })

    const thrown = await findAt(server.baseURL)

    expect(thrown).toMatchObject({ status, requestId: "r-2", code: undefined })
    expect(thrown.message).toContain("A proxy did not reach it: is the server running?")
    expect(thrown.getFieldErrorsMap()).toEqual({})
  })

  test.each<[{ status?: number; body?: unknown; text?: string }, string]>([
    [{ status: 204 }, 'answered 204, not as the API does: application/json ""'],
    [{ text: "" }, 'answered 200, not as the API does: application/json ""'],
    [{ text: " \n" }, 'application/json " "'],
    [{ body: 5 }, 'application/json "5"'],
    [{ text: "null" }, 'application/json "null"'],
    [{ body: [] }, 'application/json "[]"'],
    [{ body: { hello: "world" } }, 'application/json "{"hello":"world"}"'],
    [{ status: 500, body: { error: "no" } }, 'answered 500, not as the API does: application/json "{"error":"no"}"'],
    [{ status: 500, body: { error: null } }, "answered 500"],
    [{ status: 500, body: "no" }, "answered 500"],
    [{ status: 500, body: { error: { message: "no", fieldErrors: { a: "b" } } } }, "answered 500"],
    [{ status: 401, body: { message: "no" } }, 'application/json "{"message":"no"}"'],
  ])("%j is an error that shows it", async (answer, shown) => {
    await using server = await fakeServer(answer)

    const thrown = await findAt(server.baseURL)

    expect(thrown).toMatchObject({ status: answer.status ?? 200, code: undefined })
    expect(thrown.message).toContain(shown)
  })

  test.each([
    ["without an envelope", []],
    ["with an unknown type", { json: { a: 1 }, meta: { values: { a: "Regexp" } } }],
    ["with a Date that is none", { json: { docs: [{ at: "soon" }] }, meta: { values: { "docs.*.at": "Date" } } }],
    ["with a BigInt that is none", { json: { docs: [{ n: "x" }] }, meta: { values: { "docs.*.n": "BigInt" } } }],
    ["with a Map that is none", { json: { docs: 5 }, meta: { values: { docs: "Map" } } }],
  ])("extended JSON %s is none", async (_how, body) => {
    await using server = await fakeServer({ headers: { "x-extendedjson": "1" }, body })

    const thrown = await findAt(server.baseURL)

    expect(thrown.status).toBe(200)
    expect(thrown.message).toContain("answered 200, not as the API does: application/json")
    expect(thrown.cause).toBeInstanceOf(Error)
  })

  test("each operation knows its own answers", async () => {
    await using server = await fakeServer({ body: { hello: "world" } })
    const { articles } = createClient<AppConfig>(server).collections

    const counting = await errorOf(articles.count())
    const finding = await errorOf(articles.findOne())

    expect(counting.message).toContain(`${server.baseURL}/articles/count answered 200, not as the API does`)
    expect(finding.message).toContain(`${server.baseURL}/articles answered 200, not as the API does`)
  })

  test("a global may be null, and nothing else that is no object", async () => {
    await using nothing = await fakeServer({ text: "null" })
    await using five = await fakeServer({ text: "5" })

    expect(await createClient<AppConfig>(nothing).globals.settings.get()).toBeNull()
    expect((await errorOf(createClient<AppConfig>(five).globals.settings.get())).status).toBe(200)
  })
})

describe("redirects", () => {
  test.each(["find", "create"] as const)("%s does not follow one, and says where it leads", async (operation) => {
    const urls: string[] = []
    await using server = await serve((request, response) => {
      urls.push(request.url ?? "")
      response.writeHead(302, { location: "https://login.kit.test/sign-in?next=secret" }).end()
    })
    const anything = createClient(server).collections["anything"]

    const thrown = await errorOf(operation === "find" ? anything?.find() : anything?.create({}))

    expect(thrown).toMatchObject({ status: 302, statusText: "Found" })
    expect(thrown.message).toContain("a redirect to https://login.kit.test/sign-in. Set baseURL to where the API is.")
    expect(urls).toEqual(["/anything"])
  })

  test("where a browser does not tell, it is still one", async () => {
    const response = Object.defineProperties(new Response(null), {
      type: { value: "opaqueredirect" },
      status: { value: 0 },
      ok: { value: false },
    })
    const fetch = () => Promise.resolve(response)

    const thrown = await errorOf(createClient({ baseURL: "http://kit.test", fetch }).collections["a"]?.find())

    expect(thrown.message).toContain("a redirect to elsewhere.")
  })

  test("a route may redirect, as it may answer with anything", async () => {
    await using server = await serve((request, response) => {
      if (request.url === "/new") response.writeHead(200, { "content-type": "application/json" }).end("5")
      else response.writeHead(303, { location: "/new" }).end()
    })

    expect(await createClient(server).routes["old"]?.()).toBe(5)
  })
})
