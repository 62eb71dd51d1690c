import { useSession } from "kit/react"
import { useEffect } from "react"
import { client } from "./client.ts"
import type { AnyUser } from "./person.ts"

/** The session, as far as it is known. The data is null if nobody has signed in. */
export interface KnownSession {
  readonly data: { readonly user: AnyUser } | null | undefined
  readonly error: Error | undefined
}

/** Follows who has signed in. It draws nothing, but has to be rendered. */
export function SessionFollower({ onChange }: { readonly onChange: (session: KnownSession) => void }) {
  const { data, error } = useSession(client)
  useEffect(() => onChange({ data, error }), [data, error, onChange])
  return null
}
