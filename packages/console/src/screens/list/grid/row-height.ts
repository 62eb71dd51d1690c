import { useSyncExternalStore } from "react"
import { useDensity } from "../../../shell/appearance.ts"

const HEIGHTS = { roomy: 44, compact: 34, phone: 64 }
const phone = matchMedia("(max-width: 640px)")

function useIsPhone(): boolean {
  return useSyncExternalStore(subscribe, () => phone.matches)
}

/** Returns the height of a row, which the styles know as `--row`. */
export function useRowHeight(): number {
  const [density] = useDensity()
  return useIsPhone() ? HEIGHTS.phone : HEIGHTS[density]
}

function subscribe(listener: () => void): () => void {
  phone.addEventListener("change", listener)
  return () => phone.removeEventListener("change", listener)
}
