import type { Session } from "kit"

type Caller = { readonly session: Session | null }

/** The organisation has the user as a host. */
export function hasHost(user: string, role?: "owner") {
  return { memberships: { some: role ? { user, role } : { user } } }
}

export function isHostOfOrganisation({ session }: Caller) {
  return session && { organisation: { is: hasHost(session.user.id) } }
}

/** A booking's property belongs to an organisation that has the user as a host. */
export function hasHostOfProperty(user: string) {
  return { property: { is: { organisation: { is: hasHost(user) } } } }
}

export function isHostOfProperty({ session }: Caller) {
  return session && hasHostOfProperty(session.user.id)
}
