import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type Browser, chromium } from "playwright-core"

const PROGRAM = process.env["KIT_TEST_CHROMIUM"] ?? "/usr/bin/chromium"
const SWITCHES = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  // Many containers have less shared memory than Chromium expects.
  "--disable-dev-shm-usage",
  // Otherwise each window has a second page in a process of its own, for suggestions below the address bar: a third of the
  // work of opening a context (0.3 of 1.0 s of CPU).
  "--disable-features=WebUIOmniboxPopup,WebUIOmniboxAimPopup,WebUIOmniboxFullPopup",
  "--remote-debugging-port=0",
]

export interface Chromium extends AsyncDisposable {
  readonly browser: Browser
  /** The address at which other processes reach the same browser. */
  readonly address: string
}

/**
 * Starts a browser as users run it. In a browser that playwright launches, every tab counts as the foreground tab. Only
 * a connection to a running browser avoids that, in the pages of the default context.
 */
export async function startChromium(): Promise<Chromium> {
  const profile = await mkdtemp(join(tmpdir(), "kit-chromium-"))
  const child = spawn(PROGRAM, [...SWITCHES, `--user-data-dir=${profile}`, "about:blank"], {
    stdio: ["ignore", "ignore", "pipe"],
  })
  // Rejects if the program does not exist.
  const ended = once(child, "close")
  const address = await Promise.race([addressOf(child), ended.then(() => undefined)])
  if (address === undefined) throw new Error(`${PROGRAM} ended before it could be spoken to.`)
  const browser = await chromium.connectOverCDP(address, { noDefaults: true })
  return {
    browser,
    address,
    [Symbol.asyncDispose]: async () => {
      const session = await browser.newBrowserCDPSession()
      // The browser may exit before it answers.
      await session.send("Browser.close").catch(() => undefined)
      await ended
      // Helper processes may still be writing.
      await rm(profile, { recursive: true, force: true, maxRetries: 10 })
    },
  }
}

// Later output is read too, and discarded.
function addressOf({ stderr }: ChildProcess): Promise<string> {
  let printed = ""
  return new Promise((resolve) => {
    stderr?.setEncoding("utf8").on("data", (text: string) => {
      printed += text
      const address = /DevTools listening on (ws:\S+)/.exec(printed)?.[1]
      if (address) resolve(address)
    })
  })
}
