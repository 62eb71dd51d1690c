import type { Transporter } from "nodemailer"
import type { Mail, MailTransport } from "../../ports/mail-transport.ts"
import { temporaryFailure } from "../temporary-failure.ts"

export interface SmtpOptions {
  readonly host: string
  readonly port: number
  /** True for TLS from the first byte (SMTPS), false for STARTTLS. */
  readonly isEncrypted: boolean
  /** True if a connection without TLS must not be used. */
  readonly requireTls: boolean
  readonly auth: { readonly user: string; readonly pass: string } | undefined
  /** The timeout for each response of the server. */
  readonly timeoutMs: number
  /** Called when the server refused some recipients of a mail. The others have received it. */
  onRefused(message: string): void
}

const MAX_CONNECTIONS = 3

/** Sends mail to an SMTP server over a few persistent connections. The first mail loads the package. */
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
    // The content of a mail must not refer to files or URLs that the package would read.
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

// Includes the message of the server. It may contain mail addresses, but never the password.
function rethrow(cause: unknown): never {
  // Errors of the package have these properties; other errors have none of them.
  const { code, responseCode = 0, message } = cause as { code?: string; responseCode?: number; message?: string }
  if (UNREACHABLE.includes(code) && responseCode === 0) {
    throw temporaryFailure(`The mail server cannot be reached: ${message}`, cause)
  }
  if (responseCode >= 400 && responseCode < 500) {
    throw temporaryFailure(`The mail server does not accept mail at the moment: ${message}`, cause)
  }
  throw new Error(`The mail server refused the mail: ${message}`, { cause })
}
