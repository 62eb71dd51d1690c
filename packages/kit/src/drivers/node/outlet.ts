import type { ServerResponse } from "node:http"
import type { OpenBody, OutgoingAnswer, Outlet } from "../../ports/http.ts"

/** Emitted on the response of a request that is under way when its server is about to stop. */
export const CLOSING = "closing"

export function isOpenBody(body: OutgoingAnswer["body"]): body is OpenBody {
  return typeof body === "object" && "discard" in body
}

/** Opens a body on the response, whose head is written. */
export function openBody(response: ServerResponse, body: OpenBody): void {
  response.flushHeaders()
  const listener = body.open(outletOf(response))
  response.on("drain", () => listener.drained())
  response.once("close", () => listener.closed())
  response.once(CLOSING, () => listener.closing())
}

function outletOf(response: ServerResponse): Outlet {
  return {
    write: (...parts) => {
      // Nobody hears it any more, which `closed` tells.
      if (response.destroyed || response.writableEnded) return true
      // What many subscribers are sent is one part, which needs no cork.
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
