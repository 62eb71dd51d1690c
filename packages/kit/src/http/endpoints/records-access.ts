import { inLocale } from "../../engine/context/locale.ts"
import { readMembers } from "../../engine/context/read-members.ts"
import { readRecordsAccess } from "../../engine/introspect/record-access.ts"
import { ApiError, invalid } from "../../wire/errors/api-error.ts"
import { RECORDS_ACCESS_PATH } from "../../wire/paths/paths.ts"
import type { Endpoint } from "../endpoint.ts"
import { refuseQuery } from "../input-members.ts"

/** The endpoint that says what the caller may do with each of several records of a collection. */
export const recordsAccessEndpoint: Endpoint = {
  method: "POST",
  path: RECORDS_ACCESS_PATH,
  isRead: true,
  takesBody: true,
  run: async (call) => {
    refuseQuery(call)
    const { resource, ids, ...options } = readMembers(await call.body(), MEMBERS)
    if (typeof resource !== "string") throw invalid("resource", "Expected the name of a collection.")
    const ctx = inLocale(call.ctx, options)
    const collection = ctx.schema.collections.get(resource)
    if (collection === undefined) throw new ApiError("NOT_FOUND", { message: "There is no such collection." })
    return readRecordsAccess(ctx, collection, { ids, given: { options, isText: false } })
  },
}

const MEMBERS = ["resource", "ids", "locale", "includeDeleted"]
