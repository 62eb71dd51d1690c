import { parseSender } from "../../features/email/addresses.ts"
import type { MailTransport } from "../../ports/mail-transport.ts"
import { hasFunctions, isObject, type SettingGroup, type SettingType } from "./settings/setting.ts"
import { COUNT, FLAG, NON_EMPTY_TEXT } from "./settings/setting-types.ts"

const MAX_PORT = 65_535

export interface MailConfig {
  /** The sender of every mail: `"news@example.com"` or `"Newsroom <news@example.com>"`. Required for delivery. */
  readonly from?: string
  /** Delivers mail through an SMTP server. Without this or `transport`, mail is only stored in the database. */
  readonly smtp?: SmtpConfig
  /** Delivers mail through the author's own transport instead of SMTP. */
  readonly transport?: MailTransport
}

export interface SmtpConfig {
  /**
   * The server as one URL, in place of the settings below: `smtp://user:password@host:port`, or `smtps://…` to encrypt
   * from the first byte.
   */
  readonly url?: string
  readonly host?: string
  /** The SMTP server's port; 587 unless set. With 465 the connection is encrypted from the first byte. */
  readonly port?: number
  readonly user?: string
  readonly pass?: string
  /** True if mail is never sent unencrypted; unless set, true for every server that is not on this machine. */
  readonly requireTls?: boolean
  /** How long the SMTP server may take for each reply; 20,000 unless set. */
  readonly timeoutMs?: number
}

const SENDER: SettingType = {
  type: "address",
  check: (value) =>
    typeof value === "string" && parseSender(value) !== undefined
      ? undefined
      : 'an address such as "news@example.com" or "Newsroom <news@example.com>"',
}

const SMTP_URL: SettingType = {
  type: "address",
  check: (value) => (isSmtpUrl(value) ? undefined : 'an address such as "smtps://user:password@mail.example.com"'),
}

const PORT: SettingType = {
  type: "number from 1 to 65535",
  check: (value) =>
    Number.isInteger(value) && Number(value) >= 1 && Number(value) <= MAX_PORT
      ? undefined
      : `a number from 1 to ${MAX_PORT}`,
}

const TRANSPORT: SettingType = {
  type: "object with `send(mail)`",
  check: (value) => (hasFunctions(value, ["send"]) ? undefined : "an object with a function send"),
}

/** True if mail is stored in the database instead of being delivered. */
export function isMailKept({ smtp, transport }: MailConfig = {}): boolean {
  return smtp === undefined && transport === undefined
}

export const MAIL_SETTINGS: SettingGroup = {
  from: {
    ...SENDER,
    default: "none",
    purpose: "the sender of every mail; needed to [deliver mail](guide.md#email): `Newsroom <news@example.com>`",
  },
  smtp: {
    url: {
      ...SMTP_URL,
      default: "none",
      purpose: "the SMTP server as one address, in place of the settings below; without any, mail is only stored",
    },
    host: { ...NON_EMPTY_TEXT, default: "none", purpose: "the name of the SMTP server" },
    port: { ...PORT, default: "587", purpose: "its port; with 465 the connection is encrypted from the first byte" },
    user: { ...NON_EMPTY_TEXT, default: "none", purpose: "the user name for the server" },
    pass: { ...NON_EMPTY_TEXT, default: "none", purpose: "the password for the server" },
    requireTls: {
      ...FLAG,
      default: "`true`, except for a server on this machine",
      purpose: "mail is never sent unencrypted",
    },
    timeoutMs: { ...COUNT, default: "20 000", purpose: "how long the server may take for each reply" },
  },
  transport: { ...TRANSPORT, default: "none", purpose: "delivers mail in your own way, in place of SMTP" },
}

function isSmtpUrl(value: unknown): boolean {
  if (typeof value !== "string" || !/^smtps?:\/\/[^/]/.test(value) || !URL.canParse(value)) return false
  const { hostname, search } = new URL(value)
  return hostname !== "" && search === ""
}

/** Returns a mistake for each mail setting that is missing or that cannot be combined with another setting. */
export function findMailMistakes(config: MailConfig | undefined): string[] {
  if (!isObject(config) || !isObject(config.smtp)) return []
  const { url, host, user, pass } = config.smtp
  return [
    ...(config.transport
      ? ['the settings "email.smtp" and "email.transport" are two transports. Remove one of them.']
      : []),
    ...(url || host ? [] : ['the setting "email.smtp" needs a "url", or a "host".']),
    ...(url && host
      ? ['the settings "email.smtp.url" and "email.smtp.host" name two servers. Remove one of them.']
      : []),
    ...((user === undefined) === (pass === undefined)
      ? []
      : ['the settings "email.smtp.user" and "email.smtp.pass" go together. Set both or none.']),
    ...(config.from ? [] : ['the setting "email.from" is missing: mail that is delivered needs a sender.']),
  ]
}
