import { createHash } from "node:crypto"
import type { Session } from "../../ports/session-provider.ts"

/** The facts by which a write and a stream are found to belong to the same client. */
interface WriterFacts {
  readonly session: Session | null
  /** The IP address, as limits count it; undefined if it is unknown. */
  readonly address?: string | undefined
}

/**
 * Returns a key that is equal for the writes and the streams of one session or, if nobody is signed in, of one IP
 * address. It is a hash, because it is stored. Undefined if the client cannot be recognised again.
 */
export function writerOf({ session, address }: WriterFacts): string | undefined {
  const name = session ? sessionName(session) : address && `address ${address}`
  return name === undefined ? undefined : createHash("sha256").update(name).digest("base64url")
}

// A session of the author's own provider may have no id.
function sessionName({ session, user }: Session): string {
  return session ? `session ${session.id}` : `user ${user.id}`
}
