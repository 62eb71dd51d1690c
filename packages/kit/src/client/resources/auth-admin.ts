import type { CallOptions } from "../../wire/options/call-options.ts"
import type { ClientAuthAdmin } from "../../wire/typed/typed-auth.ts"
import { refuseUnknown } from "../transport/refuse-unknown.ts"
import type { Transport } from "../transport/transport.ts"
import { queryOf } from "./query.ts"

/** Returns the operations of `client.auth.admin`. This file is loaded on first use, because few pages need it. */
export function authAdminOperations(transport: Transport): ClientAuthAdmin {
  const post = <Answer>(task: string, body: object, options: CallOptions | undefined): Promise<Answer> =>
    transport.send({ method: "POST", path: `/auth/admin/${task}`, body, options })
  return {
    list: (asked, options) =>
      transport.send({ method: "GET", path: `/auth/admin/list-users${queryOf(asked)}`, options }),
    create: async (account, options) => {
      refuseUnknown(account, ["name", "email", "password", "role"])
      const { user } = await post<{ user: { id: string } }>("create-user", account, options)
      return { id: user.id }
    },
    setRole: async ({ id: userId, ...change }, options) => {
      refuseUnknown(change, ["role"])
      await post("set-role", { userId, ...change }, options)
    },
    ban: async ({ id: userId, reason: banReason, expiresInSeconds: banExpiresIn, ...rest }, options) => {
      refuseUnknown(rest, [])
      await post("ban-user", { userId, banReason, banExpiresIn }, options)
    },
    unban: async ({ id: userId, ...rest }, options) => {
      refuseUnknown(rest, [])
      await post("unban-user", { userId }, options)
    },
  }
}
