import type { Transporter } from "nodemailer"
import type { Mail, MailTransport } from "../../ports/mail-transport.ts"
import { temporaryFailure } from "../temporary-failure.ts"

export interface SmtpOptions {
  readonly host: string
  readonly port: number
  /** True for TLS from the first byte (SMTPS), false for a connection that starts without TLS (STARTTLS). */
  readonly isEncrypted: boolean
  /** True if mail must not be sent over a connection without TLS. */
  readonly requireTls: boolean
  readonly auth: { readonly user: string; readonly pass: string } | undefined
  /** The timeout for connecting and for each response from the mail server. */
  readonly timeoutMs: number
  /** Called when the mail server refused some recipients of a mail. The other recipients have received the mail. */
  onRefused(message: string): void
}

const MAX_CONNECTIONS = 3

/** Sends mail to an SMTP server over at most three persistent connections. The first mail loads nodemailer. */
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
    // Keeps nodemailer from reading files or URLs to which the content of a mail refers.
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

// Throws an error that includes the mail server's message. That message may contain mail addresses, but never the
// password.
function rethrow(cause: unknown): never {
  // The cast is safe: nodemailer's errors have these properties, and for other errors each property is optional.
  const { code, responseCode = 0, message } = cause as { code?: string; responseCode?: number; message?: string }
  if (UNREACHABLE.includes(code) && responseCode === 0) {
    throw temporaryFailure(`The mail server cannot be reached: ${message}`, cause)
  }
  if (responseCode >= 400 && responseCode < 500) {
    throw temporaryFailure(`The mail server does not accept mail at the moment: ${message}`, cause)
  }
  throw new Error(`The mail server refused the mail: ${message}`, { cause })
}
