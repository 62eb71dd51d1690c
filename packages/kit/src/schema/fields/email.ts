/** The longest address that mail can be sent to. */
export const EMAIL_MAX_CHARACTERS = 254

// Whether an address exists only a message to it can tell; this finds what cannot be one.
const EMAIL = /^[^\s@<>"\p{C}]+@[^\s@<>".\p{C}]+(\.[^\s@<>".\p{C}]+)+$/u

export function findEmailProblem(text: string): string | undefined {
  return EMAIL.test(text) ? undefined : "Expected an email address such as ann@example.com."
}
