import { createContext, type ReactNode, use, useEffect, useState } from "react"
import { client } from "../client.ts"

export type SignedInUser = NonNullable<Awaited<ReturnType<typeof client.auth.session>>>["user"]

export type SessionState =
  | { readonly status: "pending"; readonly user: undefined }
  | { readonly status: "ready"; readonly user: SignedInUser | null }

const PENDING: SessionState = { status: "pending", user: undefined }
const SIGNED_OUT: SessionState = { status: "ready", user: null }

const SessionContext = createContext<SessionState>(PENDING)

/** Follows who is signed in, also when that changes in another tab. */
export function SessionProvider({ children }: { readonly children: ReactNode }) {
  const [state, setState] = useState<SessionState>(PENDING)
  useEffect(
    () =>
      client.auth.watch((session) => setState(session ? { status: "ready", user: session.user } : SIGNED_OUT), {
        onError: (_error, isFinal) => isFinal && setState(SIGNED_OUT),
      }),
    [],
  )
  return <SessionContext value={state}>{children}</SessionContext>
}

/** The user who is signed in; null if nobody is. */
export function useSession(): SessionState {
  return use(SessionContext)
}
