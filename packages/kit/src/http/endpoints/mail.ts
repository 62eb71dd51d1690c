import type { MailKeeper } from "../../ports/mail-transport.ts"
import { ApiError } from "../../wire/api-error.ts"
import type { Endpoint } from "../endpoint.ts"
import { mailListPage, mailPage } from "../mail-pages.ts"

const PATH = "/_kit/mail"

/** The mails that were kept, for the developer of the app: there is no sign-in, so only development serves them. */
export function mailEndpoints(keeper: MailKeeper, basePath: string): readonly Endpoint[] {
  const base = `${basePath}${PATH}`
  return [
    { method: "GET", path: PATH, run: async () => pageAnswer(mailListPage(await keeper.list(), base)) },
    {
      method: "GET",
      path: `${PATH}/:id`,
      run: async ({ params }) => {
        const mail = await keeper.find(params["id"] ?? "")
        if (mail === undefined) throw new ApiError("NOT_FOUND", { message: "There is no such mail, or not any more." })
        return pageAnswer(mailPage(mail, base))
      },
    },
  ]
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
