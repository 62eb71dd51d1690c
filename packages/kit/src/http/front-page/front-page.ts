import { createHash, randomUUID } from "node:crypto"
import { plainAnswer } from "../../engine/read/answer.ts"
import type { IncomingCall } from "../../ports/http.ts"
import { ApiError } from "../../wire/errors/api-error.ts"
import type { Endpoint, EndpointCall } from "../endpoint.ts"
import { isLocalHost, requireLocalHost } from "../protection/local-host.ts"
import { collectFacts, type DescribedApp, GUIDE_PATH } from "./page-facts.ts"
import { renderPage } from "./page-markup.ts"
import { PAGE_SCRIPT } from "./page-script.ts"
import { PAGE_STYLE } from "./page-style.ts"

const STATUS_PATH = "/_kit/dev"

/** The page that a developer sees at `/`, and the endpoints below the base path that it uses. */
export interface FrontPage {
  /** Answers `GET /`, which is outside of the base path. */
  readonly page: Endpoint
  readonly endpoints: readonly Endpoint[]
}

/** Returns the page that shows the app to its developer. Like the mail pages, it exists only in development. */
export function createFrontPage(app: DescribedApp): FrontPage {
  // An open page compares this id to find out that the app has restarted.
  const startId = randomUUID()
  return {
    page: {
      method: "GET",
      path: "/",
      run: async (call) => pageAnswer(renderPage(await collectFacts(app, call), startId)),
    },
    endpoints: [
      {
        method: "GET",
        path: STATUS_PATH,
        isProbe: true,
        run: (call) => {
          requireLocalHost(call.incoming, { what: "The status of development", path: "/" })
          return { ...plainAnswer({ startId, mistake: app.status.mistake ?? null }), headers: NOT_STORED }
        },
      },
      { method: "GET", path: `${GUIDE_PATH}/:file`, run: (call) => guideAnswer(app, call) },
    ],
  }
}

/**
 * True if a browser on this machine opens the address `/`. Every other call of that path gets the answer that it gets in
 * production.
 */
export function isFrontPageCall({ method, path, headers }: IncomingCall): boolean {
  if (path !== "/" || (method !== "GET" && method !== "HEAD")) return false
  return /\btext\/html\b/.test(headers.get("accept") ?? "") && isLocalHost(headers.get("host"))
}

async function guideAnswer({ guide }: DescribedApp, call: EndpointCall): Promise<{ readonly response: Response }> {
  requireLocalHost(call.incoming, { what: "The documentation", path: "/" })
  const text = await guide.read(call.params["file"] ?? "")
  if (text === undefined) throw new ApiError("NOT_FOUND", { message: "There is no such page of the documentation." })
  const headers = { "content-type": "text/plain; charset=utf-8", ...NOT_STORED }
  return { response: new Response(text, { headers }) }
}

const NOT_STORED = { "cache-control": "no-store" }

// The page contains one script and one style sheet, and both are constant. The browser runs only text with these hashes.
const POLICY = [
  "default-src 'none'",
  `style-src ${hashSource(PAGE_STYLE)}`,
  `script-src ${hashSource(PAGE_SCRIPT)}`,
  "connect-src 'self'",
  "img-src data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ")

function hashSource(text: string): string {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`
}

function pageAnswer(page: string): { readonly response: Response } {
  const headers = {
    "content-type": "text/html; charset=utf-8",
    ...NOT_STORED,
    "content-security-policy": POLICY,
    "referrer-policy": "no-referrer",
  }
  return { response: new Response(page, { headers }) }
}
