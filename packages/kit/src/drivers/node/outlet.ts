import type { ServerResponse } from "node:http"
import type { OpenBody, OutgoingAnswer, Outlet } from "../../ports/http.ts"

/** The event that is emitted on the response of each active request when the server begins to stop. */
export const CLOSING = "closing"

export function isOpenBody(body: OutgoingAnswer["body"]): body is OpenBody {
  return typeof body === "object" && "discard" in body
}

/** Starts a response body that stays open, such as an event stream. The response headers must already be written. */
export function openBody(response: ServerResponse, body: OpenBody): void {
  response.flushHeaders()
  const listener = body.open(outletOf(response))
  response.on("drain", () => listener.onDrained())
  response.once("close", () => listener.onClosed())
  response.once(CLOSING, () => listener.onClosing())
}

function outletOf(response: ServerResponse): Outlet {
  return {
    write: (...parts) => {
      // The client has disconnected, or the response has ended. The body's owner learns that from `onClosed`.
      if (response.destroyed || response.writableEnded) return true
      // A single part, such as an event for many subscribers, needs no cork and uncork, which combine several parts
      // into one write.
      if (parts.length === 1) return response.write(parts[0])
      response.cork()
      for (const part of parts) response.write(part)
      response.uncork()
      return !response.writableNeedDrain
    },
    end: () => void response.end(),
    destroy: () => void response.destroy(),
  }
}
