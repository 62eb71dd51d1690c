import type { QuestpieClientConfig } from "../transport/client-config.ts"

/**
 * Returns the `accept-language` header that the client is configured with. It is not sent as a topic's locale, because
 * it may list several languages or name none of the app's locales. The server chooses the best match.
 */
export function headerLanguage({ headers = {} }: QuestpieClientConfig): string | undefined {
  const entries = headers instanceof Headers ? [...headers] : Object.entries(headers)
  return entries.findLast(([name]) => name.toLowerCase() === "accept-language")?.[1]
}
