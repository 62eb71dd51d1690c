import type { IdentityLink } from "../../../ports/identity.ts"
import type { NewMail } from "../../../schema/context/mailer.ts"
import { toOneLine } from "../../../schema/fields/one-line.ts"
import { escapeHtml } from "../../../wire/codecs/escape-html.ts"

/** Returns the mail to a user who requested a new password. */
export function resetMail(link: IdentityLink, appName: string): NewMail {
  const opening = "Someone requested a new password for your account."
  const instruction = hasCallback(link.url)
    ? linkInstruction("Set a new password", link.url)
    : codeInstruction(link.token)
  return mail(link, { subject: `${appName}: set a new password`, opening, instruction })
}

/** Returns the mail that asks a user to confirm their email address. */
export function verificationMail(link: IdentityLink, appName: string): NewMail {
  const opening = "Please confirm that this is your email address."
  return mail(link, {
    subject: `${appName}: confirm your email address`,
    opening,
    instruction: linkInstruction("Confirm the address", withoutDefaultCallback(link.url)),
  })
}

/** Returns the mail to the owner of an account after a stranger tried to sign up with the owner's email address. */
export function existingMail(user: Pick<IdentityLink, "email" | "name">, appName: string): NewMail {
  return mail(user, {
    subject: `${appName}: you have an account already`,
    opening: "Someone tried to sign up with your email address.",
    instruction: textInstruction("You have an account already: sign in with its password, or ask for a new one."),
  })
}

interface Instruction {
  readonly text: string
  readonly html: string
}

interface Content {
  readonly subject: string
  readonly opening: string
  readonly instruction: Instruction
}

const MAX_GREETED_CHARACTERS = 60
const CLOSING = "If this was not you, you can ignore this mail."

function mail(
  { email, name }: Pick<IdentityLink, "email" | "name">,
  { subject, opening, instruction }: Content,
): NewMail {
  const greeting = greetingOf(toOneLine(name))
  const html = [escapeHtml(greeting), escapeHtml(opening), instruction.html, escapeHtml(CLOSING)].map(
    (part) => `<p>${part}</p>`,
  )
  return {
    to: email,
    // A mail header must be a single line.
    subject: toOneLine(subject),
    text: `${[greeting, opening, instruction.text, CLOSING].join("\n\n")}\n`,
    html: html.join("\n"),
  }
}

// Returns the greeting of a mail. Leaves out a name that is long or looks like a link, because a stranger can sign up
// with another person's address and any name, and mail programs turn such a name into a link.
function greetingOf(name: string): string {
  const isName = name !== "" && name.length <= MAX_GREETED_CHARACTERS && !/[/@]|\.\p{L}/u.test(name)
  return isName ? `Hello ${name},` : "Hello,"
}

function linkInstruction(label: string, url: string): Instruction {
  return { text: `${label}: ${url}`, html: `<a href="${escapeHtml(url)}">${escapeHtml(label)}</a>` }
}

function textInstruction(sentence: string): Instruction {
  return { text: sentence, html: escapeHtml(sentence) }
}

// Returns the instruction for a password reset that names no callback page: the mail contains a code, which the user
// types in.
function codeInstruction(token: string): Instruction {
  return { text: `Your code: ${token}`, html: `Your code: <code>${escapeHtml(token)}</code>` }
}

function hasCallback(url: string): boolean {
  return (new URL(url).searchParams.get("callbackURL") ?? "") !== ""
}

// Removes the default callback page "/" from the link, so that the link does not redirect to a page: it responds with
// the result itself.
function withoutDefaultCallback(url: string): string {
  const link = new URL(url)
  if (link.searchParams.get("callbackURL") === "/") link.searchParams.delete("callbackURL")
  return link.href
}
