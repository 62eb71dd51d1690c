import type { Answer } from "../../engine/read/answer.ts"
import type { IncomingCall } from "../../ports/http.ts"
import type { Logger } from "../../ports/logger.ts"
import { isLocalHost } from "./local-host.ts"

/** The name of the response header that describes a problem of a request that succeeded. */
export const WARNING_HEADER = "x-kit-warning"

const CALLER_WARNING =
  "Browsers drop the cookie of this response: it is Secure, and the request came over http. Use https."
const OPERATOR_WARNING =
  "Browsers drop the cookie of a sign-in, because it is Secure and the request came over http. Serve the app over https; a proxy in front of it has to send X-Forwarded-Proto. If the app is meant to be served over http, set app.url in kit.config.ts to its http:// address."

interface SignInCall {
  readonly incoming: IncomingCall
  readonly callerCtx: { readonly logger: Logger }
}

/**
 * Adds a warning to the response of a sign-in, and to the log, if browsers will drop its cookie. Without it, the sign-in
 * seems to succeed, and the next request is anonymous again.
 */
export function warnOfDroppedCookie<SignInAnswer extends Pick<Answer<unknown>, "headers">>(
  { incoming, callerCtx }: SignInCall,
  answer: SignInAnswer,
): SignInAnswer {
  if (!setsSecureCookie(answer) || keepsSecureCookies(incoming)) return answer
  callerCtx.logger.warn(OPERATOR_WARNING, { host: incoming.headers.get("host") })
  return { ...answer, headers: { ...answer.headers, [WARNING_HEADER]: CALLER_WARNING } }
}

// True if the response sets a Secure cookie. A cookie with an empty value is deleted, which works over http, too.
function setsSecureCookie({ headers }: Pick<Answer<unknown>, "headers">): boolean {
  return [headers?.["set-cookie"] ?? []].flat().some((cookie) => /^[^=]+=[^;].*; *secure *(?:;|$)/i.test(cookie))
}

// True if the caller's browser keeps Secure cookies: it reached the app over https or on this machine. Browsers send
// Sec-Fetch-Site in no other case. The headers may be forged, because they decide about nothing but a warning.
function keepsSecureCookies({ isEncrypted, headers }: IncomingCall): boolean {
  return (
    isEncrypted ||
    isLocalHost(headers.get("host")) ||
    headers.get("sec-fetch-site") !== null ||
    /^\s*https\b/i.test(headers.get("x-forwarded-proto") ?? "") ||
    /\bproto="?https\b/i.test(headers.get("forwarded") ?? "")
  )
}
