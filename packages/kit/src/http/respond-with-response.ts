import type { Lifetime } from "../engine/lifetime.ts"
import type { OutgoingAnswer } from "../ports/http.ts"
import { type Reply, WIRE_VERSION } from "./respond.ts"

const MIN_STATUS = 200

/** An author's response as it is, with the headers that every answer has unless the author has set them. */
export function answerResponse(response: Response, reply: Reply): OutgoingAnswer {
  if (response.bodyUsed) throw new Error("A route returned a Response whose body was read already.")
  if (response.status < MIN_STATUS) throw new Error(`A route returned a Response with the status ${response.status}.`)
  const headers: Record<string, string | string[]> = {
    "x-content-type-options": "nosniff",
    "x-request-id": reply.requestId,
    "x-kit-version": WIRE_VERSION,
  }
  for (const [name, value] of response.headers) headers[name] = value
  const cookies = response.headers.getSetCookie()
  if (cookies.length > 0) headers["set-cookie"] = cookies
  return { status: response.status, headers, body: response.body ?? "" }
}

/** Ends the lifetime of the request when its answer is over: at once, or when the last part of a stream is read. */
export function endWith(lifetime: Lifetime, answer: OutgoingAnswer): OutgoingAnswer | Promise<OutgoingAnswer> {
  if (answer.body instanceof ReadableStream) return { ...answer, body: endingWith(lifetime, answer.body) }
  return lifetime.end()?.then(() => answer) ?? answer
}

function endingWith(lifetime: Lifetime, body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  const reader = body.getReader()
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const part = await reader.read()
        if (!part.done) return controller.enqueue(part.value)
        await lifetime.end()
        controller.close()
      } catch (error) {
        await lifetime.end()
        controller.error(error)
      }
    },
    async cancel(reason) {
      try {
        await reader.cancel(reason)
      } finally {
        await lifetime.end()
      }
    },
  })
}
