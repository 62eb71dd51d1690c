import type { Page } from "playwright-core"

/** Holds the requests by which the page asks for live results, until they are refused. */
export async function holdRealtime(page: Page) {
  let refuse = () => {}
  const held = new Promise<void>((resolve) => {
    refuse = resolve
  })
  await page.route("**/api/realtime", async (route) => {
    await held
    await route.fulfill({ status: 400, json: { error: { code: "BAD_REQUEST", message: "Not today." } } })
  })
  return { refuse, stop: () => page.unroute("**/api/realtime") }
}
