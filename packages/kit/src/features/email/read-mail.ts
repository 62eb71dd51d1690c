import type { Mail, MailSender } from "../../ports/mail-transport.ts"
import type { NewMail } from "../../schema/context/mailer.ts"
import { type ApiError, invalid } from "../../wire/errors/api-error.ts"
import { parseAddress } from "./addresses.ts"
import { htmlToText } from "./html-to-text.ts"

const MAX_RECIPIENTS = 50
const MAX_SUBJECT_CHARACTERS = 500
const MAX_BODY_CHARACTERS = 1024 * 1024

/**
 * Checks a mail and returns it. Throws if an address is invalid, the subject is not a single line or a body is too
 * long.
 */
export function readMail({ to, replyTo, subject, html, text }: NewMail, from: MailSender): Mail {
  return {
    from,
    to: readRecipients(to),
    replyTo: replyTo === undefined ? undefined : readAddress("replyTo", replyTo),
    subject: readSubject(subject),
    html: readBody("html", html),
    text: text === undefined ? htmlToText(html) : readBody("text", text),
  }
}

function readRecipients(to: unknown): readonly string[] {
  if (!Array.isArray(to)) return [readAddress("to", to)]
  if (to.length === 0) throw invalid("to", "Expected at least one address.")
  if (to.length > MAX_RECIPIENTS) throw invalid("to", `Must not hold more than ${MAX_RECIPIENTS} addresses.`)
  return to.map((address, index) => readAddress(`to.${index}`, address))
}

function readAddress(path: string, given: unknown): string {
  const address = typeof given === "string" ? parseAddress(given) : undefined
  if (address === undefined) throw invalid(path, "Expected one email address such as ann@example.com.")
  return address
}

function readSubject(subject: unknown): string {
  if (typeof subject !== "string" || subject.trim() === "")
    throw invalid("subject", "Expected a text that is not empty.")
  // U+2028 and U+2029 are not control characters, but some mail programs break lines at them.
  if (/[\p{Cc}\u2028\u2029]/u.test(subject)) {
    throw invalid("subject", "Must be one line, without control characters.")
  }
  if (subject.length > MAX_SUBJECT_CHARACTERS) throw tooLong("subject", MAX_SUBJECT_CHARACTERS)
  return subject
}

function readBody(path: "html" | "text", body: unknown): string {
  if (typeof body !== "string") throw invalid(path, "Expected a text.")
  if (body.includes("\0")) throw invalid(path, "Must not contain the character NUL.")
  if (body.length > MAX_BODY_CHARACTERS) throw tooLong(path, MAX_BODY_CHARACTERS)
  return body
}

function tooLong(path: string, max: number): ApiError {
  return invalid(path, `Must not be longer than ${max} characters.`)
}
