import { spawnSync } from "node:child_process"
import { existsSync } from "node:fs"
import { mkdir } from "node:fs/promises"
import { join } from "node:path"
import { createClient } from "../../packages/kit/src/client.ts"
import { present } from "../support/present.ts"
import { type FaultPlan, Faults } from "./embedded/faults.ts"
import { type App, makeKeysApp, startApp } from "./embedded/keys-app.ts"
import { Load } from "./embedded/load.ts"
import { postmasterOf, supervisorOf, withClient } from "./embedded/server.ts"
import { until } from "./until.ts"

const DISK_MB = 192

/**
 * The embedded database recovers by itself and keeps every acknowledged write. Two processes of kit share it under
 * constant writes, while its server is killed many times in a row, then together with its supervisor, and while its
 * disk is full. The disk is a small one that only root can mount; otherwise that part is skipped and reported as
 * skipped.
 */
export async function soakEmbedded(plan: FaultPlan) {
  await using app = await makeKeysApp()
  const folder = app.path
  const disk = await mountDisk(folder)
  const apps = [await startApp(folder), await startApp(folder)]
  const load = new Load(apps)
  const live = followKeys(apps[1]?.url ?? "")
  try {
    const faults = new Faults({ ...plan, folder, apps, load, disk })
    await faults.run()
    await load.end()
    await untilSettled(folder, load, live)
    live.stop()
    const left = await stopApps(folder, apps)
    const figures = { ...(await evaluate(folder, load)), liveKeys: live.total, processesLeft: left }
    return { ...figures, ...faults.figures() }
  } finally {
    live.stop()
    await load.end()
    await stopApps(folder, apps)
    if (disk !== undefined) spawnSync("umount", [disk])
  }
}

/** Returns the mount point of the small disk, if it could be mounted. */
async function mountDisk(folder: string): Promise<string | undefined> {
  const disk = join(folder, ".kit/db")
  await mkdir(disk, { recursive: true })
  const { status } = spawnSync("mount", ["-t", "tmpfs", "-o", `size=${DISK_MB}m,mode=755`, "tmpfs", disk])
  return status === 0 ? disk : undefined
}

/** Subscribes to the newest key and the number of keys. */
function followKeys(url: string) {
  const { origin, pathname } = new URL(url)
  const client = createClient({ baseURL: origin, basePath: pathname })
  const followed = { total: 0, stop: () => {} }
  followed.stop = present(client.collections["keys"]).live({ limit: 1 }, (page: { totalDocs: number }) => {
    followed.total = page.totalDocs
  })
  return followed
}

/** Waits until every key has its echo and the live query has reported all keys. */
async function untilSettled(folder: string, load: Load, live: { total: number }) {
  await withClient(folder, (client) =>
    until(async () => {
      const { rows } = await client.query(
        `select count(*)::int as keys, (select count(distinct key) from echoes)::int as echoes from keys`,
      )
      const [{ keys, echoes }] = rows
      return keys >= load.acknowledged.size && echoes === keys && live.total === keys
    }),
  )
}

/** Compares with the tables, read directly with SQL. */
async function evaluate(folder: string, load: Load) {
  const stored = await withClient(folder, async (client) => (await client.query("select key from keys")).rows)
  const keys = new Set(stored.map(({ key }) => key))
  const echoed = await withClient(folder, async (client) => (await client.query("select key from echoes")).rows)
  const echoes = new Set(echoed.map(({ key }) => key))
  return {
    tried: load.tried,
    acknowledged: load.acknowledged.size,
    stored: keys.size,
    lost: [...load.acknowledged].filter((key) => !keys.has(key)).length,
    jobsLost: [...keys].filter((key) => !echoes.has(key)).length,
    refused: Object.fromEntries(load.refused),
    unanswered: load.unanswered,
  }
}

/** Stops the apps, and counts the processes of the database that are still there afterwards. */
async function stopApps(folder: string, apps: readonly App[]) {
  const server = [await supervisorOf(folder), postmasterOf(folder)]
  for (const { kit } of apps) await kit.stop()
  const isLeft = (pid: number) => pid > 0 && existsSync(`/proc/${pid}`)
  await until(() => !server.some(isLeft)).catch(() => {})
  return server.filter(isLeft).length
}
