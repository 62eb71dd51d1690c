const IS_MAC = /Mac|iPhone|iPad/.test(navigator.userAgent)

const NAMES: Readonly<Record<string, string>> = { "⌘": "Ctrl ", "⌥": "Alt ", "⇧": "Shift " }

/** Writes a key as the keyboard of the device names it: ⌘V, or Ctrl V. */
export function keyText(key: string): string {
  return IS_MAC ? key : key.replace(/[⌘⌥⇧]/g, (sign) => NAMES[sign] ?? sign)
}
