import type { AppIndex } from "kit/client"

/** Returns whether the person may manage the accounts of others: the role `admin`, which may be one of several. */
export function mayAdminister({ user }: AppIndex): boolean {
  return (user?.role ?? "").split(",").includes("admin")
}
