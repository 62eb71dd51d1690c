const SAFE_PROTOCOLS = new Set(["http:", "https:", "mailto:", "tel:"])

/** Returns whether a link may lead to an address: a page of the web, a mail address or a telephone number. */
export function isSafeAddress(address: string): boolean {
  const url = URL.parse(address)
  return url !== null && SAFE_PROTOCOLS.has(url.protocol)
}

/** Completes what a person has typed to an address; undefined if a link may not lead there. */
export function completedAddress(typed: string): string | undefined {
  const text = typed.trim()
  const completed = /^[^\s@/:]+@[^\s@/:]+\.[^\s@/:]+$/.test(text)
    ? `mailto:${text}`
    : /^[\w-]+(\.[\w-]+)+([/?#:]|$)/.test(text)
      ? `https://${text}`
      : text
  return isSafeAddress(completed) ? completed : undefined
}
