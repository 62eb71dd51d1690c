import { search } from "../../engine/operations/reads/search.ts"
import { SEARCH_PATH } from "../../wire/paths/paths.ts"
import type { Endpoint } from "../endpoint.ts"
import { refuseQuery } from "../input-members.ts"

export const searchEndpoints: readonly Endpoint[] = [
  {
    method: "POST",
    path: SEARCH_PATH,
    isRead: true,
    takesBody: true,
    run: async (call) => {
      refuseQuery(call)
      return search(call.ctx, await call.body())
    },
  },
]
