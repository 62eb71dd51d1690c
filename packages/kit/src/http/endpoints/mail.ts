import type { MailArchive } from "../../ports/mail-transport.ts"
import { ApiError } from "../../wire/errors/api-error.ts"
import type { Endpoint } from "../endpoint.ts"
import { mailListPage, mailPage } from "../mail-pages.ts"
import { requireLocalHost } from "../protection/local-host.ts"

const PATH = "/_kit/mail"
const WHAT = "The mail of development"

/**
 * Returns the pages that show the kept mails to the app's developer. The pages need no sign-in, so they exist only in
 * development, and only for requests whose `Host` header names this machine.
 */
export function mailEndpoints(keeper: MailArchive, basePath: string): readonly Endpoint[] {
  const base = `${basePath}${PATH}`
  return [
    {
      method: "GET",
      path: PATH,
      run: async (call) => {
        requireLocalHost(call.incoming, { what: WHAT, path: base })
        return pageAnswer(mailListPage(await keeper.list(), base))
      },
    },
    {
      method: "GET",
      path: `${PATH}/:id`,
      run: async (call) => {
        requireLocalHost(call.incoming, { what: WHAT, path: base })
        const mail = await keeper.find(call.params["id"] ?? "")
        if (mail === undefined)
          throw new ApiError("NOT_FOUND", { message: "There is no such mail, or it was removed." })
        return pageAnswer(mailPage(mail, base))
      },
    },
  ]
}

// The content security policy of a mail page. The frame that shows the mail inherits this policy, so the mail can load
// only images.
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
