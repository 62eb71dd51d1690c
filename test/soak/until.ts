import { setTimeout as wait } from "node:timers/promises"

const LOOK_EVERY_MS = 20
const GIVE_UP_MS = 180_000

/** Looks again and again until it is so. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  const giveUpAt = performance.now() + GIVE_UP_MS
  while (!(await isSo())) {
    if (performance.now() > giveUpAt) throw new Error(`It was not so after ${GIVE_UP_MS / 1000} s: ${isSo}`)
    await wait(LOOK_EVERY_MS)
  }
}
