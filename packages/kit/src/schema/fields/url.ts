export const URL_MAX_CHARACTERS = 2048

// Other schemes can run code where a page shows the address as a link.
const WEB_ADDRESS = /^https?:\/\/[^\s\p{Cc}]+$/iu

export function findUrlProblem(text: string): string | undefined {
  return WEB_ADDRESS.test(text) && URL.canParse(text) ? undefined : "Expected an address such as https://example.com."
}
