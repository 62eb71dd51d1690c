import { mkdir } from "node:fs/promises"
import { resolve } from "node:path"
import type { Page } from "playwright-core"
import { expect } from "vitest"
import { findingsIn } from "./findings.ts"
import { SIZES } from "./use-console.ts"

const FOLDER = resolve("test/console/pictures")
const THEMES = ["light", "dark"] as const
const QUIET_LOOKS = 6

interface Look {
  /** The app whose console it is: a folder of pictures. */
  readonly app: string
  readonly name: string
}

/**
 * Takes a picture of what a page shows, in both themes and at both sizes, and returns what axe finds in each. One visit
 * serves both.
 */
export async function lookAt(page: Page, { app, name }: Look): Promise<readonly string[]> {
  const findings: string[] = []
  await mkdir(resolve(FOLDER, app), { recursive: true })
  for (const [size, viewport] of Object.entries(SIZES)) {
    await page.setViewportSize(viewport)
    for (const colorScheme of THEMES) {
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" })
      await settle(page)
      const place = `${name}-${size}-${colorScheme}`
      await page.screenshot({ path: resolve(FOLDER, app, `${place}.png`) })
      findings.push(...(await findingsIn(page)).map((finding) => `${place}: ${finding}`))
    }
  }
  await page.setViewportSize(SIZES.desk)
  return findings
}

/** Waits until the document, its fonts and its pictures stay the same for several looks. */
async function settle(page: Page): Promise<void> {
  let last: unknown
  let same = 0
  await expect
    .poll(async () => {
      const state = await page.evaluate(`document.fonts.ready.then(() => [
        document.body.innerHTML.length,
        performance.getEntriesByType("resource").length,
        Array.from(document.images).every((image) => image.complete),
      ].join())`)
      same = state === last && String(state).endsWith("true") ? same + 1 : 0
      last = state
      return same
    })
    .toBeGreaterThan(QUIET_LOOKS)
}
