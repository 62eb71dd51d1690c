const UNITS = ["bytes", "kB", "MB", "GB", "TB"] as const
const UNIT_STEP = 1024

/** Returns a number of bytes for people: `16.0 kB`. */
export function sizeText(bytes: number): string {
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log(Math.max(1, bytes)) / Math.log(UNIT_STEP)))
  const amount = bytes / UNIT_STEP ** power
  return `${power === 0 || amount >= 100 ? Math.round(amount) : amount.toFixed(1)} ${UNITS[power]}`
}
