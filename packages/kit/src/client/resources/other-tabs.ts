/** Who is signed in: the id of the user, or null. */
type UserId = string | null

// The parts of the browser that this file uses; undefined outside of browsers.
declare const document: object | undefined
declare const BroadcastChannel: (new (name: string) => TabChannel) | undefined

interface TabChannel {
  onmessage: ((event: { readonly data: unknown }) => void) | null
  postMessage(message: unknown): void
  close(): void
}

/** Tells the other tabs of the browser, which share the session cookie, who is signed in now. */
export function tellOtherTabs(address: string, userId: UserId): void {
  const channel = channelOf(address)
  channel?.postMessage(userId)
  channel?.close()
}

/** Calls back when another tab tells who is signed in. Returns a function that ends this. */
export function hearOtherTabs(address: string, onUser: (userId: unknown) => void): () => void {
  const channel = channelOf(address)
  if (channel) channel.onmessage = ({ data }) => onUser(data)
  return () => channel?.close()
}

// Outside of browsers there are no tabs. Node has such channels too, but an open one would keep the process alive.
function channelOf(address: string): TabChannel | undefined {
  const isPage = typeof document === "object" && typeof BroadcastChannel === "function"
  return isPage ? new BroadcastChannel(`kit ${address}`) : undefined
}
