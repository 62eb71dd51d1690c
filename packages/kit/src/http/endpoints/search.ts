import { search } from "../../engine/operations/reads/search.ts"
import { invalid } from "../../wire/errors/api-error.ts"
import { SEARCH_PATH } from "../../wire/paths/paths.ts"
import type { Endpoint, EndpointCall } from "../endpoint.ts"

export const searchEndpoints: readonly Endpoint[] = [
  {
    method: "POST",
    path: SEARCH_PATH,
    isRead: true,
    run: async (call) => {
      refuseQuery(call)
      return search(call.ctx, await call.body())
    },
  },
]

// All options of a search are members of its body.
function refuseQuery(call: EndpointCall): void {
  const [name] = Object.keys(call.options().options)
  if (name !== undefined) throw invalid(name, "Send the options in the body.")
}
