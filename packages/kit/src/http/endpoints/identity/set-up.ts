import { readMembers } from "../../../engine/context/read-members.ts"
import type { SetUp } from "../../../features/auth/set-up/set-up.ts"
import { ApiError } from "../../../wire/errors/api-error.ts"
import { SET_UP_PATH } from "../../../wire/paths/paths.ts"
import type { Endpoint, EndpointCall } from "../../endpoint.ts"
import { refuseQuery } from "../../input-members.ts"
import { textIn } from "./auth-input.ts"

interface Credentials {
  readonly email: string
  readonly password: string
}

interface SetUpDependencies {
  readonly setUp: SetUp
  /** Names the caller for whom a password is hashed. */
  hashCaller(call: EndpointCall): string
  /** Signs the new account in, and returns the response of a sign-in. */
  signIn(call: EndpointCall, credentials: Credentials): ReturnType<Endpoint["run"]>
}

const INPUT = ["token", "name", "email", "password"]

/**
 * Returns the endpoint that creates the first account. The token is checked before anything else, so that a caller
 * without it learns nothing.
 */
export function setUpEndpoint({ setUp, hashCaller, signIn }: SetUpDependencies): Endpoint {
  return {
    method: "POST",
    path: SET_UP_PATH,
    takesBody: true,
    maySuggest: () => Promise.resolve(false),
    run: async (call) => {
      refuseQuery(call)
      const body = readMembers(await call.body(), INPUT)
      if (!setUp.accepts(textIn(body, "token"))) throw wrongToken()
      const credentials = { email: textIn(body, "email"), password: textIn(body, "password") }
      await setUp.createAdmin({ name: textIn(body, "name"), ...credentials }, hashCaller(call))
      call.ctx.logger.info("The set-up has created an account with the role admin.")
      return signIn(call, credentials)
    },
  }
}

function wrongToken(): ApiError {
  const message = "This link does not finish the set-up. Open the one that the start of the app prints."
  return new ApiError("FORBIDDEN", { message })
}
