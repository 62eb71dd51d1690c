import { createContext, useContext } from "react"

/** False after the session of the desk's person has ended. */
export const SignedInContext = createContext(true)

/**
 * Returns whether the person of the desk is signed in. After the session has ended, a form must not follow what its
 * record looks like to anybody: that may be another copy of it.
 */
export function useIsSignedIn(): boolean {
  return useContext(SignedInContext)
}
