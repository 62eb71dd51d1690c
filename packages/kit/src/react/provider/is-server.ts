// Undefined on most servers. Its members are not used.
declare const window: unknown

/** True where several users may share the process, so that nothing may be kept between two renders. */
export function isServer(): boolean {
  // Deno has a `window`, too.
  return typeof window === "undefined" || "Deno" in globalThis
}
