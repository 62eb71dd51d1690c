import type { MailArchive } from "../../ports/mail-transport.ts"
import { ApiError } from "../../wire/errors/api-error.ts"
import type { Endpoint, EndpointCall } from "../endpoint.ts"
import { mailListPage, mailPage } from "../mail-pages.ts"
import { isLocalHost } from "../protection/local-host.ts"

const PATH = "/_kit/mail"

/**
 * The mails that were kept, for the developer of the app: there is no sign-in, so only development serves them, and only
 * to callers who name this machine as the host.
 */
export function mailEndpoints(keeper: MailArchive, basePath: string): readonly Endpoint[] {
  const base = `${basePath}${PATH}`
  return [
    {
      method: "GET",
      path: PATH,
      run: async (call) => {
        refuseOtherHosts(call, base)
        return pageAnswer(mailListPage(await keeper.list(), base))
      },
    },
    {
      method: "GET",
      path: `${PATH}/:id`,
      run: async (call) => {
        refuseOtherHosts(call, base)
        const mail = await keeper.find(call.params["id"] ?? "")
        if (mail === undefined) throw new ApiError("NOT_FOUND", { message: "There is no such mail, or not any more." })
        return pageAnswer(mailPage(mail, base))
      },
    },
  ]
}

// Any page can have its own name resolve to this machine, and then read what is answered under that name.
function refuseOtherHosts(call: EndpointCall, base: string): void {
  const host = call.header("host")
  if (isLocalHost(host)) return
  const message = `The mail of development is shown on this machine only, not under the host ${JSON.stringify(host)}. Open http://localhost:<port>${base}.`
  throw new ApiError("FORBIDDEN", { message })
}

// Pictures are all that a mail may load; the frame that shows it is under the same policy.
const POLICY = [
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  "img-src data: http: https:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ")

function pageAnswer(page: string): { readonly response: Response } {
  const headers = {
    "content-type": "text/html; charset=utf-8",
    "cache-control": "no-store",
    "content-security-policy": POLICY,
    "referrer-policy": "no-referrer",
  }
  return { response: new Response(page, { headers }) }
}
