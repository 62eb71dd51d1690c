import type { Lifetime } from "../engine/context/lifetime.ts"
import type { OutgoingAnswer } from "../ports/http.ts"
import { type ReplyOptions, WIRE_VERSION } from "./respond.ts"

const MIN_STATUS = 200

/**
 * Returns the `Response` that an author's route returned, with the headers that every response has. If both set the
 * same header, the author's value is kept.
 */
export function answerResponse(response: Response, reply: ReplyOptions): OutgoingAnswer {
  if (response.bodyUsed) throw new Error("A route returned a Response whose body has already been read.")
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

/** The lifetime of a request, and the callback for a response stream that fails after the headers were sent. */
interface RequestEnd {
  readonly lifetime: Lifetime
  onBroken(error: unknown): void
}

/**
 * Ends the request's lifetime: for a stream, when its last chunk has been read; for any other response, immediately.
 * Returns the response synchronously if nothing has to be disposed of (see `whenReady`).
 */
export function endWith<Ended extends OutgoingAnswer>(end: RequestEnd, answer: Ended): Ended | Promise<Ended> {
  if (answer.body instanceof ReadableStream) return { ...answer, body: endAfterStream(end, answer.body) }
  return end.lifetime.end()?.then(() => answer) ?? answer
}

function endAfterStream(
  { lifetime, onBroken }: RequestEnd,
  body: ReadableStream<Uint8Array>,
): ReadableStream<Uint8Array> {
  const reader = body.getReader()
  let isCancelled = false
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const part = await reader.read()
        if (!part.done) return isCancelled ? undefined : controller.enqueue(part.value)
      } catch (error) {
        onBroken(error)
        await lifetime.end()
        return controller.error(error)
      }
      await lifetime.end()
      if (!isCancelled) controller.close()
    },
    async cancel(reason) {
      isCancelled = true
      try {
        await reader.cancel(reason)
      } finally {
        await lifetime.end()
      }
    },
  })
}
