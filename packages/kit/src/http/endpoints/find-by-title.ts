import { findByTitle } from "../../engine/operations/reads/find-by-title.ts"
import { FIND_BY_TITLE_PATH } from "../../wire/paths/paths.ts"
import type { Endpoint } from "../endpoint.ts"
import { refuseQuery } from "../input-members.ts"

/** The endpoint that finds records of all collections by their titles. */
export const findByTitleEndpoint: Endpoint = {
  method: "POST",
  path: FIND_BY_TITLE_PATH,
  isRead: true,
  takesBody: true,
  run: async (call) => {
    refuseQuery(call)
    return findByTitle(call.ctx, await call.body())
  },
}
