import { createContext, type ReactNode, use, useEffect, useState } from "react"
import { type SignedInUser, session } from "./auth.ts"

export type SessionState =
  | { readonly status: "pending"; readonly user: undefined }
  | { readonly status: "ready"; readonly user: SignedInUser | null }

const SessionContext = createContext<SessionState>({ status: "pending", user: undefined })

export function SessionProvider({ children }: { readonly children: ReactNode }) {
  const [state, setState] = useState<SessionState>({ status: "pending", user: undefined })
  useEffect(() => {
    session().then(
      (found) => setState({ status: "ready", user: found?.user ?? null }),
      () => setState({ status: "ready", user: null }),
    )
  }, [])
  return <SessionContext value={state}>{children}</SessionContext>
}

/** The user who is signed in; null if nobody is. */
export function useSession(): SessionState {
  return use(SessionContext)
}
