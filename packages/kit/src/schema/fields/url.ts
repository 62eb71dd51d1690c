export const URL_MAX_CHARACTERS = 2048

// Matches only http and https URLs. Other schemes, such as javascript:, can run code if a page shows the URL as a link.
const WEB_ADDRESS = /^https?:\/\/[^\s\p{Cc}]+$/iu

export function findUrlProblem(text: string): string | undefined {
  return WEB_ADDRESS.test(text) && URL.canParse(text) ? undefined : "Expected an address such as https://example.com."
}
