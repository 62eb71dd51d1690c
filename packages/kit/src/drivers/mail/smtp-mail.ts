import type { Transporter } from "nodemailer"
import type { Mail, MailTransport } from "../../ports/mail-transport.ts"
import { temporaryFailure } from "../temporary-failure.ts"

export interface SmtpOptions {
  readonly host: string
  readonly port: number
  /** Encrypted from the first byte, rather than by a command later on. */
  readonly isEncrypted: boolean
  /** Refuses to send anything before the connection is encrypted. */
  readonly requireTls: boolean
  readonly auth: { readonly user: string; readonly pass: string } | undefined
  /** How long the server may take for each answer. */
  readonly timeoutMs: number
  /** Told when some of the addresses of a mail were refused; the others have got it. */
  onRefused(message: string): void
}

const MAX_CONNECTIONS = 3

/** Hands mail to an SMTP server, over a few connections that stay open. The package is loaded at the first mail. */
export function smtpMail(options: SmtpOptions): MailTransport {
  let opening: Promise<Transporter> | undefined
  return {
    send: async (mail) => {
      opening ??= open(options)
      const transporter = await opening
      const { rejected = [] } = await transporter.sendMail(toMessage(mail)).catch(rethrow)
      if (rejected.length > 0) options.onRefused(`The mail server refused ${rejected.join(", ")}.`)
    },
    close: async () => (await opening)?.close(),
  }
}

async function open({ host, port, isEncrypted, requireTls, auth, timeoutMs }: SmtpOptions) {
  const { createTransport } = await import("nodemailer")
  return createTransport({
    pool: true,
    maxConnections: MAX_CONNECTIONS,
    host,
    port,
    secure: isEncrypted,
    requireTLS: requireTls,
    tls: { minVersion: "TLSv1.2" },
    ...(auth && { auth }),
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    // A mail is what it holds: nothing in it may be a path or an address to read from.
    disableFileAccess: true,
    disableUrlAccess: true,
  })
}

function toMessage({ from, to, replyTo, subject, html, text }: Mail) {
  return {
    from: { name: from.name ?? "", address: from.address },
    to: to.map((address) => ({ name: "", address })),
    ...(replyTo !== undefined && { replyTo: { name: "", address: replyTo } }),
    subject,
    html,
    text,
  }
}

const UNREACHABLE: readonly unknown[] = ["ECONNECTION", "ETIMEDOUT", "ESOCKET", "EDNS"]

// The server's own words say why; they hold addresses, never the password.
function rethrow(cause: unknown): never {
  // What the package throws has these; anything else has none of them.
  const { code, responseCode = 0, message } = cause as { code?: string; responseCode?: number; message?: string }
  if (UNREACHABLE.includes(code) && responseCode === 0) {
    throw temporaryFailure(`The mail server cannot be reached: ${message}`, cause)
  }
  if (responseCode >= 400 && responseCode < 500) {
    throw temporaryFailure(`The mail server takes no mail at the moment: ${message}`, cause)
  }
  throw new Error(`The mail server refused the mail: ${message}`, { cause })
}
