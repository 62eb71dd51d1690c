/** Returns the boot data in a page of the console, as a browser reads them. */
export function bootIn(html: string): any {
  const block = /<script type="application\/json" id="kit-boot">(.*?)<\/script>/s.exec(html)?.[1]
  if (block === undefined) throw new Error(`The page has no boot data: ${html}`)
  return JSON.parse(block)
}

/** Returns the boot data of the console at this address. */
export async function readBoot(address: string): Promise<any> {
  const response = await fetch(address)
  return bootIn(await response.text())
}

/** Returns the addresses of the last script, which has most of the code, and of the style sheet in a page of the console. */
export function addressesIn(html: string): { readonly script: string; readonly style: string } {
  const script = [...html.matchAll(/<script type="module"[^>]* src="([^"]+)"/g)].at(-1)?.[1]
  const style = /<link rel="stylesheet"[^>]* href="([^"]+)"/.exec(html)?.[1]
  if (script === undefined || style === undefined) throw new Error(`The page has no script or no style: ${html}`)
  return { script, style }
}
