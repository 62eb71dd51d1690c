import type { ServerResponse } from "node:http"
import type { OpenBody, OutgoingAnswer, Outlet } from "../../ports/http.ts"

/** The event emitted on the response of each active request when the server begins to stop. */
export const CLOSING = "closing"

export function isOpenBody(body: OutgoingAnswer["body"]): body is OpenBody {
  return typeof body === "object" && "discard" in body
}

/** Opens a body on a response whose headers are written. */
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
      // The client has disconnected; `closed` reports that.
      if (response.destroyed || response.writableEnded) return true
      // An event for many subscribers is a single part, which needs no cork.
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
