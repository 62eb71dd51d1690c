import { Suspense } from "react"
import { loadable } from "../parts/loadable.tsx"
import { closeLayer, useOpenLayer } from "./layers.ts"
import { useGlobalKeys } from "./use-global-keys.ts"
import { useRecentVisits } from "./use-recent-visits.ts"

const Palette = loadable(async () => (await import("../palette/palette.tsx")).Palette)
const KeysHelp = loadable(async () => (await import("./keys-help.tsx")).KeysHelp)

/** The palette and the list of keys over every screen, and the keys that open them. */
export function DeskLayers() {
  const layer = useOpenLayer()
  useGlobalKeys()
  useRecentVisits()
  return (
    <div className="layers">
      <Suspense>
        {layer === "palette" && <Palette onClose={closeLayer} />}
        {layer === "keys" && <KeysHelp onClose={closeLayer} />}
      </Suspense>
    </div>
  )
}
