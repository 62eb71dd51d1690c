// The browser's channels between tabs; undefined outside of browsers, where `document` is undefined too.
declare const document: object | undefined
declare const BroadcastChannel:
  | (new (
      name: string,
    ) => { postMessage(message: unknown): void; close(): void })
  | undefined

/**
 * Tells the other tabs of the browser, which share the session cookie, who is signed in now. `live/other-tabs.ts` listens
 * under the same name. That file is not used here, because a page that only signs in does not load it.
 */
export function tellOtherTabs(address: string, userId: string | null): void {
  if (typeof document !== "object" || typeof BroadcastChannel !== "function") return
  const channel = new BroadcastChannel(`kit ${address}`)
  channel.postMessage(userId)
  channel.close()
}
