import type { QuestpieClientConfig } from "../transport/client-config.ts"

/**
 * Returns the language in the headers of a client. It is not an option of a topic: it may be a list, or not a locale of
 * the app at all, and the server chooses the best match.
 */
export function headerLanguage({ headers = {} }: QuestpieClientConfig): string | undefined {
  const entries = headers instanceof Headers ? [...headers] : Object.entries(headers)
  return entries.findLast(([name]) => name.toLowerCase() === "accept-language")?.[1]
}
