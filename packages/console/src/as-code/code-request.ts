import { createClient } from "kit/client"
import type { ApiAddress } from "./client-code.ts"
import type { CodeCall } from "./code-call.ts"

/** The request that the client makes of a call. */
export interface CodeRequest {
  readonly method: string
  readonly url: string
  /** The JSON of the body; null if there is none. */
  readonly body: string | null
}

/** Returns the request of a call. The client makes it itself, so that it is the one that it sends; nothing is sent. */
export async function requestOf(call: CodeCall, api: ApiAddress): Promise<CodeRequest> {
  const requests: CodeRequest[] = []
  const fetch = (url: string, { method = "GET", body }: RequestInit) => {
    requests.push({ method, url, body: typeof body === "string" ? body : null })
    return Promise.reject(new Error("This request is only written down."))
  }
  // Plain JSON is what people read and write by hand.
  const client = createClient({ ...api, fetch, useExtendedJSON: false })
  const failure = await run(client, call).catch((error: unknown) => error)
  const [request] = requests
  if (request === undefined) throw failure
  return request
}

/** Makes a call by its names. */
async function run(client: object, { path, args }: CodeCall): Promise<unknown> {
  let owner: unknown
  let operation: unknown = client
  for (const name of path) {
    owner = operation
    operation = Reflect.get(Object(owner), name)
  }
  if (typeof operation !== "function") throw new TypeError(`The client has no operation ${path.join(".")}.`)
  return await Reflect.apply(operation, owner, args)
}
