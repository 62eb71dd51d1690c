import type { Plugin } from "vite"

const BOOT = /<script[^>]*id="kit-boot"[^>]*>([\s\S]*?)<\/script>/

/**
 * Fills the template of the console in Vite's development server, with the boot data of a running `kit dev`. Without
 * one, the page shows how to start it.
 */
export function bootOfDevelopment(api: string): Plugin {
  return {
    name: "kit-boot",
    apply: "serve",
    transformIndexHtml: {
      order: "pre",
      handler: async (html) => {
        const boot = BOOT.exec(await pageOf(api))?.[1]
        if (boot === undefined) return `<p>Start an app with kit dev, so that ${api}/admin answers, and reload.</p>`
        const data = { ...JSON.parse(boot), consoleBase: "" }
        return html.replaceAll("%kit.title%", "kit").replace('"%kit.boot%"', () => JSON.stringify(data))
      },
    },
  }
}

async function pageOf(api: string): Promise<string> {
  const response = await fetch(`${api}/admin`).catch(() => undefined)
  return response?.ok ? response.text() : ""
}
