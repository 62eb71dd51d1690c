import { createContext, useContext } from "react"

type SignOut = () => Promise<void>

/** Ends the session and leaves the desk. Throws if the app could not be reached: the desk stays then. */
export const SignOutContext = createContext<SignOut | null>(null)

export function useSignOut(): SignOut {
  const signOut = useContext(SignOutContext)
  if (signOut === null) throw new Error("useSignOut is called outside of the desk.")
  return signOut
}
