import letters, { type Shape } from "virtual:icons"
import { boot } from "../kit/boot.ts"
import { whenFirstScreenIsShown } from "../kit/first-screen.ts"
import { KeptValue } from "../kit/kept-value.ts"
import { ownMember } from "../kit/own-member.ts"

interface KeptShapes {
  readonly version: string
  readonly icons: Readonly<Record<string, readonly Shape[]>>
}

const kept = new KeptValue<KeptShapes>("icons", {
  fallback: { version: boot.version, icons: {} },
  // Another version of kit may have drawn them differently. Those of this one are as this module has kept them.
  parse: (value) => ((value as KeptShapes).version === boot.version ? (value as KeptShapes) : undefined),
})

/** Returns the shapes of an icon that this browser has shown before; undefined if it has not. */
export function keptShapes(name: string): readonly Shape[] | undefined {
  return ownMember(kept.read().icons, name)
}

/**
 * Loads the shapes of an icon after the first screen, and keeps them in this browser. There are none if there is no icon
 * of this name, which the author may have had for another app.
 */
export async function loadShapes(name: string): Promise<readonly Shape[]> {
  await whenFirstScreenIsShown()
  try {
    const icons = await letters[name.charAt(0)]?.()
    const shapes = icons?.default[name] ?? []
    kept.keep({ version: boot.version, icons: { ...kept.read().icons, [name]: shapes } })
    return shapes
  } catch {
    // An icon is no reason to fail, for example while the connection is away.
    return []
  }
}
