/** Returns an address that can be opened without running a script; undefined for others, such as `javascript:`. */
export function safeAddress(href: unknown): string | undefined {
  if (typeof href !== "string" || !URL.canParse(href, location.origin)) return undefined
  const { protocol } = new URL(href, location.origin)
  return ["http:", "https:", "mailto:"].includes(protocol) ? href : undefined
}
