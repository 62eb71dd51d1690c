import type { QuestpieClientConfig } from "../transport/client-config.ts"

/**
 * The language that the headers of a client ask for. It is no option of a topic: unlike one it may be a list, or no locale
 * of the app at all, and the server chooses what fits best.
 */
export function headerLanguage({ headers = {} }: QuestpieClientConfig): string | undefined {
  const entries = headers instanceof Headers ? [...headers] : Object.entries(headers)
  return entries.findLast(([name]) => name.toLowerCase() === "accept-language")?.[1]
}
