import { mkdir } from "node:fs/promises"
import { dirname, resolve } from "node:path"
import type { Page } from "playwright-core"
import { count } from "../../support/count.ts"
import { Axe } from "./findings.ts"
import { SIZES } from "./use-console.ts"

const FOLDER = resolve("test/console/pictures")
const THEMES = ["light", "dark"] as const

/** Pictures are for a person who looks at them: `npm run pictures`. They, and the other theme, take most of the time. */
const IS_WHOLE = count({ short: 0, long: 1 }) > 0

/** The document is settled once so many frames have passed without a change of it. */
const QUIET_FRAMES = 15

interface Look {
  /** The app whose console it is: a folder of pictures. */
  readonly app: string
  readonly name: string
}

/**
 * Returns what axe finds in what a page shows, in both themes and at both sizes, and takes a picture of each. One visit
 * serves both. The themes have the same elements, so that the second one is asked for its colours alone. The short form
 * looks at each size in one theme: every screen is seen in both, and so is every size.
 */
export async function lookAt(page: Page, { app, name }: Look): Promise<readonly string[]> {
  const findings: string[] = []
  const axe = await Axe.in(page)
  for (const [number, [size, viewport]] of Object.entries(SIZES).entries()) {
    const themes = IS_WHOLE ? THEMES : THEMES.filter((_, theme) => theme === (name.length + number) % THEMES.length)
    await page.setViewportSize(viewport)
    await settle(page)
    for (const colorScheme of themes) {
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" })
      const place = `${name}-${size}-${colorScheme}`
      if (IS_WHOLE) await takePicture(page, resolve(FOLDER, app, `${place}.png`))
      const found = await (colorScheme === themes[0] ? axe.findings() : axe.colorFindings())
      findings.push(...found.map((finding) => `${place}: ${finding}`))
    }
  }
  await axe.close()
  await page.setViewportSize(SIZES.desk)
  return findings
}

async function takePicture(page: Page, path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  await settle(page)
  await page.screenshot({ path })
}

/** Waits until the fonts and pictures of a document are there, and nothing changes in it any more. */
async function settle(page: Page): Promise<void> {
  await page.evaluate(`new Promise((resolve) => {
    let quiet = 0
    const observer = new MutationObserver(() => { quiet = 0 })
    observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true })
    const look = () => {
      const isLoaded = document.fonts.status === "loaded" && Array.from(document.images).every((image) => image.complete)
      const isMoving = document.getAnimations().some(({ playState }) => playState === "running")
      quiet = isLoaded && !isMoving ? quiet + 1 : 0
      if (quiet <= ${QUIET_FRAMES}) return requestAnimationFrame(look)
      observer.disconnect()
      resolve()
    }
    look()
  })`)
}
