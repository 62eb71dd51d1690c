import { once } from "node:events"
import { Agent, type IncomingMessage, request } from "node:http"
import { expect, test } from "vitest"
import type { Served } from "./conformance.ts"

export function describeConnections(served: () => Served): void {
  test("sends the first part of a stream before there is another", async () => {
    const { world, url } = served()
    const answer = await fetch(`${url}/stream`)
    const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader()

    const first = await reader?.read()
    const disposed = once(world.events, "disposed")
    world.events.emit("release")
    const last = await reader?.read()

    expect([first?.value, last?.value]).toEqual(["first", "last"])
    await disposed
  })

  test("lets go of what a stream holds when the caller goes away", async () => {
    const { world, url } = served()
    const ended = Promise.all([once(world.events, "cancelled"), once(world.events, "disposed")])
    // On a new connection: in place of a broken one, `fetch` opens another that is never used.
    const asked = request(`${url}/stream`, { agent: false }).end()
    // The first argument of the event is the answer.
    const [answer] = (await once(asked, "response")) as [IncomingMessage]
    await once(answer, "data")

    answer.destroy()

    await ended
    world.events.emit("release")
  })

  test("lets go of a stream that HEAD asked for", async () => {
    const { world, url } = served()
    const disposed = once(world.events, "disposed")

    const answer = await fetch(`${url}/stream`, { method: "HEAD" })

    expect(answer.status).toBe(200)
    await disposed
    world.events.emit("release")
  })

  test("keeps a connection after errors", async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const ports: unknown[] = []
    const statuses: unknown[] = []
    for (const [method, path, body] of REQUESTS) {
      const { status, port } = await ask(agent, { method, url: `${served().url}${path}`, body })
      statuses.push(status)
      ports.push(port)
    }

    expect(statuses).toEqual([404, 405, 400, 415, 200])
    expect(new Set(ports).size).toBe(1)
    agent.destroy()
  })
}

const REQUESTS = [
  ["GET", "/no/such/path", ""],
  ["PUT", "/notes", "{}"],
  ["GET", "/notes?where[x]=1", ""],
  ["POST", "/notes/query", "not json"],
  ["GET", "/notes/count", ""],
] as const

async function ask(agent: Agent, { method, url, body }: { method: string; url: string; body: string }) {
  const sent = request(url, { agent, method, headers: { "content-type": "text/plain" } }).end(body)
  // The first argument of the event is the answer.
  const [answer] = (await once(sent, "response")) as [IncomingMessage]
  const { localPort: port } = answer.socket
  answer.resume()
  await once(answer, "end")
  return { status: answer.statusCode, port }
}
