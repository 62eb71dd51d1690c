/** The keys through which a request could reach or change the prototype of an object. */
export const UNSAFE_KEYS: ReadonlySet<string> = new Set(["__proto__", "constructor", "prototype"])
