import { once } from "../../engine/context/once.ts"
import type { IncomingCall } from "../../ports/http.ts"
import { isBelow } from "../../wire/paths/paths.ts"
import type { Endpoint, EndpointAnswer } from "../endpoint.ts"
import { isFileCall } from "../web/web-pages.ts"
import type { ConsoleSite } from "./console-site.ts"
import type { ServedConsole } from "./served-console.ts"

const API_MOUNT = "/_kit/console"

/** The two places of the console: its own path, and a path below the base path. */
export interface ConsoleMounts {
  /** Returns the endpoint for a call outside of the base path; undefined if the call is not for the console. */
  find(call: IncomingCall): Endpoint | undefined
  /** The whole path of the console below the base path. */
  readonly pathBelowApi: string
  /** The endpoints below the base path. */
  readonly endpoints: readonly Endpoint[]
}

/** Returns the places of the console. Its code and its files are loaded with the first request. */
export function mountConsole(served: ServedConsole): ConsoleMounts {
  const { path, facts } = served
  const open = once(async () => (await import("./console-site.ts")).openConsole(served))
  const own = path === undefined ? undefined : consoleEndpoint({ mount: path, path: `${path}/*path`, open })
  const pathBelowApi = `${facts.basePath}${API_MOUNT}`
  return {
    find: (call) => (path !== undefined && isBelow(path, call.path) && isFileCall(call) ? own : undefined),
    endpoints: [API_MOUNT, `${API_MOUNT}/`, `${API_MOUNT}/*path`].map((route) =>
      consoleEndpoint({ mount: pathBelowApi, path: route, open }),
    ),
    pathBelowApi,
  }
}

interface Mounted {
  /** The whole URL path of the console. */
  readonly mount: string
  /** The path of the endpoint. */
  readonly path: string
  open(): Promise<ConsoleSite>
}

function consoleEndpoint({ mount, path, open }: Mounted): Endpoint {
  return {
    method: "GET",
    path,
    isFile: true,
    run: async ({ incoming }): Promise<EndpointAnswer> => {
      const site = await open()
      return { response: await site.answer(incoming.path.slice(mount.length), { mount, headers: incoming.headers }) }
    },
  }
}
