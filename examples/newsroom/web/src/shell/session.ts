import { useSession as useLiveSession } from "kit/react"
import { client } from "../client.ts"

export type SignedInUser = NonNullable<Awaited<ReturnType<typeof client.auth.session>>>["user"]

export type SessionState =
  | { readonly status: "pending"; readonly user: undefined }
  | { readonly status: "ready"; readonly user: SignedInUser | null }

/** Follows the signed-in user, in this tab and in others; null if nobody is signed in. */
export function useSession(): SessionState {
  const { status, data } = useLiveSession(client)
  if (status === "pending" && data === undefined) return { status, user: undefined }
  return { status: "ready", user: data?.user ?? null }
}
