import { domainToASCII } from "node:url"
import type { MailSender } from "../../ports/mail-transport.ts"
import { EMAIL_MAX_CHARACTERS } from "../../schema/fields/email.ts"

const MAX_LOCAL_CHARACTERS = 64
const MAX_NAME_CHARACTERS = 100

// The part of an email address before the "@". Quoted local parts are rejected, because mail programs disagree on where
// an address with quotes begins.
const LOCAL = /^[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*$/
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/
// Characters that a domain must not contain. They are rejected first, because `domainToASCII` silently drops some of
// them.
const NOT_IN_ADDRESS = /[\s\p{C}%@]/u

/** Returns the email address with its domain in ASCII, or undefined if the string is not exactly one email address. */
export function parseAddress(text: string): string | undefined {
  const at = text.lastIndexOf("@")
  const local = text.slice(0, Math.max(at, 0))
  if (text.length > EMAIL_MAX_CHARACTERS || local.length > MAX_LOCAL_CHARACTERS || !LOCAL.test(local)) return undefined
  const domain = parseDomain(text.slice(at + 1))
  return domain && `${local}@${domain}`
}

function parseDomain(text: string): string | undefined {
  if (NOT_IN_ADDRESS.test(text)) return undefined
  const domain = domainToASCII(text)
  const labels = domain.split(".")
  const isDomain = labels.length > 1 && labels.every((label) => LABEL.test(label)) && /[a-z]/.test(labels.at(-1) ?? "")
  return isDomain ? domain : undefined
}

/** Parses a mail sender: `ann@example.com` or `Ann <ann@example.com>`. Returns undefined for any other format. */
export function parseSender(text: string): MailSender | undefined {
  const start = text.indexOf("<")
  if (start < 0) return senderOf(undefined, text)
  const name = text.slice(0, start).trim()
  const isName = name !== "" && name.length <= MAX_NAME_CHARACTERS && !/["<>\p{C}]/u.test(name)
  return isName && text.endsWith(">") ? senderOf(name, text.slice(start + 1, -1)) : undefined
}

function senderOf(name: string | undefined, text: string): MailSender | undefined {
  const address = parseAddress(text)
  return address === undefined ? undefined : { name, address }
}
