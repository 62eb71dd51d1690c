import { useSession } from "kit/react"
import { client } from "./client.ts"
import { useAppIndex } from "./descriptions.ts"

/**
 * Returns whether the person of the desk is signed in. After the session has ended, a form must not follow what its
 * record looks like to anybody: that may be another copy of it.
 */
export function useIsSignedIn(): boolean {
  const { user } = useAppIndex()
  return useSession(client).data?.user.id === user?.id
}
