import { once } from "node:events"
import { createServer, type RequestListener, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { fileURLToPath } from "node:url"
import { build } from "esbuild"
import { rolldown } from "rolldown"

/** The files of the site, by path. */
export type Site = ReadonlyMap<string, string>

const ENTRY = fileURLToPath(new URL("../page/main.ts", import.meta.url))
const DOCUMENT = `<!doctype html>
<meta charset="utf-8">
<title>A page</title>
<input type="file" multiple>
<script type="module" src="/main.js"></script>`

/** Bundles the page as a user's bundler would, from the package as it is published. */
export const bundlers = {
  rolldown: async (): Promise<Site> => {
    const bundle = await rolldown({ input: { main: ENTRY }, platform: "browser" })
    const { output } = await bundle.generate({ format: "esm", entryFileNames: "[name].js", minify: true })
    await bundle.close()
    return siteOf(output.map((file) => [`/${file.fileName}`, file.type === "chunk" ? file.code : ""]))
  },
  esbuild: async (): Promise<Site> => {
    const { outputFiles } = await build({
      entryPoints: { main: ENTRY },
      outdir: "/",
      bundle: true,
      splitting: true,
      format: "esm",
      minify: true,
      write: false,
    })
    return siteOf(outputFiles.map((file) => [file.path, file.text]))
  },
} as const

function siteOf(files: readonly (readonly [path: string, text: string])[]): Site {
  return new Map([...files, ["/", DOCUMENT]])
}

export interface PageServer extends AsyncDisposable {
  /** The origin with the IP address. */
  readonly origin: string
  /** The origin with the host name: to a browser that is another site. */
  readonly otherSite: string
}

export async function servePages(site: Site): Promise<PageServer> {
  const answer: RequestListener = ({ url = "/" }, response) => {
    const path = url.replace(/\?.*/s, "")
    const type = path.endsWith(".js") ? "text/javascript" : "text/html"
    const text = site.get(path)
    response.writeHead(text === undefined ? 404 : 200, { "content-type": type, "cache-control": "no-cache" }).end(text)
  }
  const server = createServer(answer)
  server.listen(0)
  await once(server, "listening")
  // A server that listens on TCP has an address with a port.
  const { port } = server.address() as AddressInfo
  return {
    origin: `http://127.0.0.1:${port}`,
    otherSite: `http://localhost:${port}`,
    [Symbol.asyncDispose]: () => close(server),
  }
}

async function close(server: Server): Promise<void> {
  server.close()
  server.closeAllConnections()
  await once(server, "close")
}
