/** The user for whom the client acts, as far as the client knows. */
export interface CurrentUser {
  /** The id of the user, null if nobody is signed in, or undefined before the server has said. */
  readonly id: string | null | undefined
  /** Called when the server has said for whom the client acts. Calls the listeners if it is somebody else. */
  see(id: string | null): void
  /** Called when somebody has signed in or out with this client. Calls the listeners unless the user is the same. */
  become(id: string | null): void
  /**
   * Called when the server has ended the user's session. The next user counts as another one, even with the same id, so
   * that results which were refused meanwhile are read again.
   */
  end(): void
  /** Calls back when the client acts for another user. Returns a function that ends this. */
  onChange(listener: () => void): () => void
}

export function currentUser(): CurrentUser {
  const listeners = new Set<() => void>()
  let hasEnded = false
  const user = {
    id: undefined as CurrentUser["id"],
    see: (id: string | null) => {
      if (user.id === undefined) user.id = id
      user.become(id)
    },
    become: (id: string | null) => {
      if (user.id === id && !hasEnded) return
      user.id = id
      hasEnded = false
      for (const listener of [...listeners]) listener()
    },
    end: () => {
      hasEnded = true
    },
    onChange: (listener: () => void) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
  return user
}
