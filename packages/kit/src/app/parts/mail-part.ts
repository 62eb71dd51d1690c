import { previewMail } from "../../drivers/mail/preview-mail.ts"
import { type SmtpOptions, smtpMail } from "../../drivers/mail/smtp-mail.ts"
import { parseSender } from "../../features/email/addresses.ts"
import type { CompiledEmails } from "../../features/email/compile-emails.ts"
import { createMailers, type Mailers } from "../../features/email/mailers.ts"
import type { Database } from "../../ports/database.ts"
import type { Logger } from "../../ports/logger.ts"
import type { MailArchive, MailSender, MailTransport } from "../../ports/mail-transport.ts"
import type { AppInputs } from "../app-inputs.ts"
import type { KitConfig } from "../config/config.ts"
import type { SmtpConfig } from "../config/mail-config.ts"
import type { Part } from "../part-list.ts"

interface MailDependencies extends Pick<AppInputs, "config" | "mode" | "now"> {
  readonly emails: CompiledEmails
  readonly logger: Logger
  readonly database: Database
}

export interface OpenMail {
  readonly mailers: Mailers
  /**
   * The mail that was stored instead of delivered, for the page that shows it in development; undefined in other modes.
   */
  readonly keeper: MailArchive | undefined
  close(): Promise<void>
}

const DEFAULT_PORT = 587
const ENCRYPTED_PORT = 465
const DEFAULT_TIMEOUT_MS = 20_000

/** The app's mailers. Without a configured transport, mail is stored in the database. */
export const mailPart: Part<MailDependencies, { readonly mail: OpenMail }> = {
  open: (dependencies) => ({ mail: openMail(dependencies) }),
  close: ({ mail }) => mail.close(),
}

function openMail({ config, mode, emails, database, logger, now }: MailDependencies): OpenMail {
  const kept = previewMail({ connection: database, logger, now })
  const transport = chooseTransport(config, logger)
  if (transport === undefined && mode === "production") {
    logger.warn('Mail is kept in the database and not delivered: "email.smtp" in kit.config.ts is not set.')
  }
  const way = transport ?? kept
  const mailers = createMailers({ transport: way, from: chooseSender(config), emails, logger })
  return {
    mailers,
    keeper: mode === "development" ? kept : undefined,
    close: async () => {
      await mailers.drain()
      await way.close?.()
    },
  }
}

function chooseTransport({ email = {} }: KitConfig, logger: Logger): MailTransport | undefined {
  if (email.smtp === undefined) return email.transport
  return smtpMail({ ...smtpOptionsOf(email.smtp), onRefused: (message) => logger.warn(message) })
}

// Without `email.from`, returns an invented sender address, which suffices for stored mail and for the author's own
// transport.
function chooseSender({ email, app }: KitConfig): MailSender {
  const given = email?.from === undefined ? undefined : parseSender(email.from)
  return (
    given ?? {
      name: app?.name,
      address: `no-reply@${app?.url === undefined ? "localhost" : new URL(app.url).hostname}`,
    }
  )
}

function smtpOptionsOf(config: SmtpConfig): Omit<SmtpOptions, "onRefused"> {
  const { host, port, isEncrypted, user, pass } = config.url === undefined ? settingsOf(config) : urlOf(config.url)
  return {
    host,
    port,
    isEncrypted,
    auth: user === undefined || pass === undefined ? undefined : { user, pass },
    requireTls: config.requireTls ?? !isThisMachine(host),
    timeoutMs: config.timeoutMs ?? DEFAULT_TIMEOUT_MS,
  }
}

function settingsOf({ host = "localhost", port = DEFAULT_PORT, user, pass }: SmtpConfig) {
  return { host, port, isEncrypted: port === ENCRYPTED_PORT, user, pass }
}

function urlOf(text: string) {
  const { protocol, hostname, port, username, password } = new URL(text)
  const isEncrypted = protocol === "smtps:" || port === String(ENCRYPTED_PORT)
  return {
    host: hostname.replace(/^\[|\]$/g, ""),
    port: port === "" ? (isEncrypted ? ENCRYPTED_PORT : DEFAULT_PORT) : Number(port),
    isEncrypted,
    user: username === "" ? undefined : decodeURIComponent(username),
    pass: username === "" ? undefined : decodeURIComponent(password),
  }
}

function isThisMachine(host: string): boolean {
  return host === "localhost" || host.endsWith(".localhost") || host === "::1" || /^127\.[\d.]+$/.test(host)
}
