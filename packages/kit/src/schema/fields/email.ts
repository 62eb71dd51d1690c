import type { CheckedFormat } from "./text.ts"

/** The maximum length of an email address that SMTP allows. */
export const EMAIL_MAX_CHARACTERS = 254

// Rejects only strings that cannot be an email address. Only sending a mail can prove that an address exists.
const PATTERN = '[^\\s@<>"\\p{C}]+@[^\\s@<>".\\p{C}]+(?:\\.[^\\s@<>".\\p{C}]+)+'
const EMAIL = new RegExp(`^${PATTERN}$`, "u")

export const EMAIL_FORMAT: CheckedFormat = Object.freeze({ pattern: PATTERN, findProblem: findEmailProblem })

function findEmailProblem(text: string): string | undefined {
  return EMAIL.test(text) ? undefined : "Expected an email address such as ann@example.com."
}
