import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { chmodSync, chownSync, existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { basename, join } from "node:path"
import { fileURLToPath } from "node:url"
import { Client } from "pg"
import { expect, vi } from "vitest"
import { readPostmasterFile } from "../../src/drivers/embedded-postgres/files/postmaster-file.ts"
import { latestLock } from "../../src/drivers/embedded-postgres/files/supervisor-lock.ts"

const GONE_LIMIT_MS = 60_000
const USER_SCRIPT = fileURLToPath(new URL("./embedded-postgres-user.mjs", import.meta.url))

export interface Account {
  readonly uid: number
  readonly gid: number
}

const OWN_ACCOUNT: Account = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 }

/** An account without privileges: ours, or another one if we are root. */
export const PLAIN_ACCOUNT: Account = OWN_ACCOUNT.uid === 0 ? { uid: 65534, gid: 65534 } : OWN_ACCOUNT

/** The output of a user process about its start: the result, or only the error. */
export interface Answer {
  readonly url: string
  readonly version: string
  readonly adopted: boolean
  readonly startedInMs: number
  readonly error?: string
}

/** The directory and the processes of one test; all of them are gone after it. */
export class World {
  readonly root: string
  readonly directory: string
  readonly #account: Account
  readonly #isVisit: boolean
  readonly #children: ChildProcess[] = []

  constructor(options: { account?: Account; mode?: number; visited?: World } = {}) {
    this.#account = options.account ?? OWN_ACCOUNT
    this.#isVisit = options.visited !== undefined
    this.root = options.visited?.root ?? makeRoot(options.mode ?? 0o755, this.#account)
    this.directory = join(this.root, ".kit", "db")
  }

  /** The same database with processes of its own, to be disposed of without the database. */
  visit(): World {
    return new World({ account: this.#account, visited: this })
  }

  /** Where the database really is. */
  get home(): string {
    const note = join(this.directory, "moved-to.txt")
    return existsSync(note) ? (readFileSync(note, "utf8").split("\n")[0] ?? "") : this.directory
  }

  get dataDirectory(): string {
    return join(this.home, "data")
  }

  postmaster(): number {
    return readPostmasterFile(this.dataDirectory)?.pid ?? 0
  }

  supervisor(): number {
    return Number(/\d+/.exec(basename(latestLock(this.home)?.controlSocket ?? "")))
  }

  /** A process of this world's account, running until it is killed. */
  spawn(args: readonly string[], env: NodeJS.ProcessEnv = {}): ChildProcess {
    const child = spawn(process.execPath, args, {
      ...this.#account,
      env: { PATH: process.env["PATH"], TMPDIR: process.env["TMPDIR"], ...env },
    })
    this.#children.push(child)
    return child
  }

  /** A process that is starting the database. */
  startUser(env?: NodeJS.ProcessEnv): ChildProcess {
    return this.spawn([USER_SCRIPT, this.directory], env)
  }

  /** A process that uses the database, and what it got. */
  async user(env?: NodeJS.ProcessEnv): Promise<Answer & { child: ChildProcess }> {
    const child = this.startUser(env)
    const [line] = await once(child.stdout ?? child, "data")
    // Written by our own script.
    return { child, ...(JSON.parse(String(line)) as Answer) }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const { home } = this
    const servers = existsSync(home) ? [this.supervisor(), this.postmaster()] : []
    for (const child of this.#children) await kill(child)
    for (const pid of servers) await expectGone(pid)
    if (this.#isVisit) return
    rmSync(this.root, { recursive: true })
    rmSync(home, { recursive: true, force: true })
  }
}

function makeRoot(mode: number, account: Account): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "kit-test-")))
  chmodSync(root, mode)
  chownSync(root, account.uid, account.gid)
  return root
}

export async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill("SIGKILL")
  await once(child, "exit")
}

/** Asks a user process to release its hold, and waits until it has done so and ended. */
export async function release({ child }: { child: ChildProcess }): Promise<void> {
  child.stdin?.write("release\n")
  await once(child, "exit")
}

export function isAlive(pid: number): boolean {
  if (pid === 0) return false
  // The command line of a process that has ended is empty, even if nobody has asked for its exit code yet.
  if (existsSync("/proc/self")) return existsSync(`/proc/${pid}`) && readFileSync(`/proc/${pid}/cmdline`).length > 0
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

export async function expectGone(pid: number): Promise<void> {
  await vi.waitFor(() => expect(isAlive(pid)).toBe(false), { timeout: GONE_LIMIT_MS, interval: 10 })
}

/** The first column of the first row. */
export async function queryValue(url: string, text: string): Promise<unknown> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query({ text, rowMode: "array" })
    return rows[0]?.[0]
  } finally {
    await client.end()
  }
}
