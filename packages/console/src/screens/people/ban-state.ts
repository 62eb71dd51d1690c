import type { AdminUser } from "kit/client"

/** Returns whether the person cannot sign in now: a ban may have an end that is over. */
export function isBanned({ banned, banExpires }: Pick<AdminUser, "banned" | "banExpires">, now = new Date()): boolean {
  return banned && (banExpires === null || banExpires > now)
}
