// The functions of the browser's `window` that this file uses; undefined outside of browsers.
declare const addEventListener: Listen | undefined
declare const removeEventListener: Listen | undefined

type Listen = (name: "pagehide", listener: () => void) => void

/** Calls back when the user leaves the page. Returns a function that ends this. */
export function watchPageHide(onHide: () => void): () => void {
  if (typeof addEventListener !== "function") return () => undefined
  addEventListener("pagehide", onHide)
  return () => removeEventListener?.("pagehide", onHide)
}
