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
  // Less than that is given to many a container.
  "--disable-dev-shm-usage",
  "--remote-debugging-port=0",
]

export interface Chromium extends AsyncDisposable {
  readonly browser: Browser
}

/**
 * A browser of our own, as people run it. One that playwright launches takes every tab for the one in front: only its
 * connection to a browser that runs already leaves that alone, in the pages of the default context.
 */
export async function startChromium(): Promise<Chromium> {
  const profile = await mkdtemp(join(tmpdir(), "kit-chromium-"))
  const child = spawn(PROGRAM, [...SWITCHES, `--user-data-dir=${profile}`, "about:blank"], {
    stdio: ["ignore", "ignore", "pipe"],
  })
  // Rejects where there is no such program.
  const ended = once(child, "close")
  const address = await Promise.race([addressOf(child), ended.then(() => undefined)])
  if (address === undefined) throw new Error(`${PROGRAM} ended before it could be spoken to.`)
  const browser = await chromium.connectOverCDP(address, { noDefaults: true })
  return {
    browser,
    [Symbol.asyncDispose]: async () => {
      const session = await browser.newBrowserCDPSession()
      // It may be gone before it has answered.
      await session.send("Browser.close").catch(() => undefined)
      await ended
      // Its helpers may still be writing.
      await rm(profile, { recursive: true, force: true, maxRetries: 10 })
    },
  }
}

// What it says later is read too, and dropped.
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
