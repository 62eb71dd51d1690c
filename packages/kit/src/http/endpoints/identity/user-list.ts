import { authoredAnswer } from "../../../engine/read/answer.ts"
import { listUsers } from "../../../features/auth/accounts/list-users.ts"
import { ApiError } from "../../../wire/errors/api-error.ts"
import type { Endpoint } from "../../endpoint.ts"
import { readQuery } from "../../input-members.ts"
import { isAdmin } from "../../protection/caller-rule.ts"

const OPTIONS = ["search", "limit", "offset"]

/** The endpoint that lists all users for admins, whatever the read rules of the users collection are. */
export const USER_LIST: Endpoint = {
  method: "GET",
  path: "/auth/admin/list-users",
  run: async (call) => {
    const { session } = call.ctx
    if (session === null) throw new ApiError("UNAUTHORIZED")
    if (!isAdmin(session)) throw new ApiError("FORBIDDEN")
    return authoredAnswer(await listUsers(call.ctx, readQuery(call, OPTIONS)))
  },
}
