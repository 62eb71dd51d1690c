import { lazy, Suspense } from "react"
import { closeLayer, useOpenLayer } from "./layers.ts"
import { useGlobalKeys } from "./use-global-keys.ts"

const Palette = lazy(async () => ({ default: (await import("../palette/palette.tsx")).Palette }))
const KeysHelp = lazy(async () => ({ default: (await import("./keys-help.tsx")).KeysHelp }))

/** What lies over every screen of the desk, and the keys that open it. */
export function DeskLayers() {
  const layer = useOpenLayer()
  useGlobalKeys()
  return (
    <Suspense>
      {layer === "palette" && <Palette onClose={closeLayer} />}
      {layer === "keys" && <KeysHelp onClose={closeLayer} />}
    </Suspense>
  )
}
