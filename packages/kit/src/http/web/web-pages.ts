import { readRange, singleRange, UnsatisfiableRange } from "../../features/uploads/byte-range.ts"
import type { IncomingCall } from "../../ports/http.ts"
import type { WebFile, WebFolder } from "../../ports/web-folder.ts"
import { matchesEntityTag } from "../../wire/codecs/entity-tag.ts"
import { ApiError } from "../../wire/errors/api-error.ts"
import type { Endpoint, EndpointAnswer } from "../endpoint.ts"
import { type MountDependencies, outsideMountPath } from "../endpoints/mount.ts"
import { fileHeaders } from "./file-headers.ts"
import { fileSegments, isPagePath } from "./file-segments.ts"
import { Representations } from "./representations.ts"

const PAGE = "index.html"
// A file that is replaced while it is opened is looked for again, this often in all.
const MAX_TRIES = 5

/** The files of the setting `web`. */
interface ServedFolder {
  readonly folder: WebFolder
  /** True if a path without a file gets the page of the folder, whose script shows what belongs there. */
  readonly isSinglePage: boolean
  readonly mount: MountDependencies
}

/** True for the methods that read a file. All others keep the response of every path outside of the base path. */
export function isFileCall({ method }: IncomingCall): boolean {
  return method === "GET" || method === "HEAD"
}

/** Returns the endpoint for all paths outside of the base path. It serves the files of a folder. */
export function createWebPages(served: ServedFolder): Endpoint {
  const representations = new Representations(served.folder)
  return {
    method: "GET",
    path: "/*file",
    isFile: true,
    // The log shows an unknown path as it was sent only in development.
    loggedPath: () => undefined,
    run: async ({ incoming }) => {
      for (let tries = 0; tries < MAX_TRIES; tries++) {
        const found = await findFile(served, incoming)
        if (found === undefined) throw outsideMountPath(served.mount, incoming)
        if ("location" in found) return redirectTo(found.location)
        const answer = await answerFile(representations, found, incoming)
        if (answer !== undefined) return answer
      }
      throw new ApiError("SERVICE_UNAVAILABLE", { message: "The file is being replaced. Request it again." })
    },
  }
}

interface FoundFile {
  readonly segments: readonly string[]
  readonly file: WebFile
  /** True if the file is the page of the folder, in place of a file that does not exist. */
  readonly isFallback?: true
}

type Found = FoundFile | { readonly location: string } | undefined

async function findFile({ folder, isSinglePage }: ServedFolder, call: IncomingCall): Promise<Found> {
  const segments = fileSegments(call.path)
  const found = segments && (await findNamedFile(folder, segments, call))
  if (found !== undefined || !isSinglePage || !mayBePage(call)) return found
  const page = await folder.find([PAGE])
  return page === undefined || page === "folder" ? undefined : { segments: [PAGE], file: page, isFallback: true }
}

async function findNamedFile(folder: WebFolder, segments: readonly string[], call: IncomingCall): Promise<Found> {
  const asked = segments.at(-1) === "" ? [...segments.slice(0, -1), PAGE] : segments
  const file = await folder.find(asked)
  if (file === "folder") return findFolderPage(folder, asked, call)
  return file && { segments: asked, file }
}

// Redirects from `/docs` to `/docs/`, so that the links in its page lead to the files beside it. The path starts with
// one slash, because a path with an empty segment has no file; otherwise `//host` would lead to another site.
async function findFolderPage(folder: WebFolder, segments: readonly string[], call: IncomingCall): Promise<Found> {
  const page = await folder.find([...segments, PAGE])
  if (page === undefined || page === "folder") return undefined
  return { location: `${call.path}/${call.query === "" ? "" : `?${call.query}`}` }
}

// A file that is missing stays missing: a script or a picture must not get a page. The names of files have an extension.
function mayBePage({ path, headers }: IncomingCall): boolean {
  return isPagePath(path) && /\btext\/html\b/.test(headers.get("accept") ?? "")
}

function redirectTo(location: string): EndpointAnswer {
  return { response: new Response(null, { status: 308, headers: { location, "cache-control": "no-cache" } }) }
}

async function answerFile(
  representations: Representations,
  { segments, file, isFallback }: FoundFile,
  { headers: asked }: IncomingCall,
): Promise<EndpointAnswer | undefined> {
  const chosen = await representations.choose({ segments, file, asked })
  if (chosen === undefined) return undefined
  const { etag, coding, bytes: size } = chosen
  const headers = {
    ...fileHeaders(segments.at(-1) ?? ""),
    ...(isFallback && { vary: "Accept-Encoding, Accept" }),
    etag,
    "accept-ranges": "bytes",
    ...(coding !== undefined && { "content-encoding": coding }),
  }
  if (matchesEntityTag(asked.get("if-none-match"), etag))
    return { response: new Response(null, { status: 304, headers }) }
  const isStale = (asked.get("if-range") ?? etag) !== etag
  const range = readRange(isStale ? null : singleRange(asked.get("range")), size)
  if (range === "unsatisfiable") throw new UnsatisfiableRange(size)
  const { start, end } = range === "whole" ? { start: 0, end: size } : range
  const length = { "content-length": String(end - start) }
  const body = await chosen.open({ start, end })
  if (body === undefined) return undefined
  if (range === "whole") return { response: new Response(body, { headers: { ...headers, ...length } }) }
  const part = { ...headers, ...length, "content-range": `bytes ${start}-${end - 1}/${size}` }
  return { response: new Response(body, { status: 206, headers: part }) }
}
