import type { HeaderReader } from "../../ports/session-provider.ts"
import { ApiError } from "../../wire/errors/api-error.ts"
import { isPagePath } from "../web/file-segments.ts"
import { ConsoleAssets, type StoredSizes } from "./console-assets.ts"
import { bootData, type PageTemplate, pageHeaders, renderPage } from "./console-page.ts"
import type { ServedConsole } from "./served-console.ts"

const LICENSES = "LICENSES.txt"
const ASSETS = /^\/assets(?:\/|$)/

interface ConsoleRequest {
  /** The whole URL path of the console. */
  readonly mount: string
  readonly headers: HeaderReader
}

interface StoredManifest {
  readonly files: StoredSizes
  readonly desk: readonly string[]
}

/** The console, with its template and its list of files in memory. */
export interface ConsoleSite {
  /** Returns the response for a path inside of the console: the page, or a file. Throws NOT_FOUND if there is neither. */
  answer(path: string, request: ConsoleRequest): Promise<Response>
}

/** Reads the template of the console and its list of files. */
export async function openConsole(served: ServedConsole): Promise<ConsoleSite> {
  const { files, facts } = served
  const html = textOf(await files.read("index.html"))
  // The cast is safe: the build of kit writes the manifest.
  const { files: stored, desk } = JSON.parse(textOf(await files.read("manifest.json"))) as StoredManifest
  const assets = new ConsoleAssets(files, { ...stored, [LICENSES]: {} })
  const template: PageTemplate = { html, desk }
  const headers = pageHeaders(facts)
  const answerPage = async ({ mount, headers: asked }: ConsoleRequest) => {
    const hasSession = served.hasSession(asked)
    const boot = bootData(facts, { mount, hasSession, isSetUpOpen: await served.isSetUpOpen() })
    const page = Buffer.from(renderPage(template, boot))
    return new Response(page, { headers: { ...headers, "content-length": String(page.length) } })
  }
  return {
    answer: async (path, request) => {
      const asset = await assets.answer(path.slice(1), request.headers)
      if (asset !== undefined) return asset
      if (isPagePath(path || "/") && !ASSETS.test(path)) return answerPage(request)
      throw new ApiError("NOT_FOUND", { message: "The console has no such file." })
    },
  }
}

function textOf(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes)
}
