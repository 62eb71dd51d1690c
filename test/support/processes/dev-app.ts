import { createTestDatabase } from "../test-database.ts"
import { freePort } from "./free-port.ts"
import { type AppFolder, appFolder, KitProcess } from "./kit-process.ts"

/** An app under `kit dev`, as its developer and its callers see it. */
export class DevApp implements AsyncDisposable {
  readonly folder: AppFolder
  readonly dev: KitProcess
  readonly origin: string
  readonly #drop: () => Promise<void>

  private constructor(folder: AppFolder, dev: KitProcess, rest: { origin: string; drop: () => Promise<void> }) {
    this.folder = folder
    this.dev = dev
    this.origin = rest.origin
    this.#drop = rest.drop
  }

  static async start(files: Readonly<Record<string, string>>): Promise<DevApp> {
    const [database, folder, port] = await Promise.all([createTestDatabase(), appFolder(files), freePort()])
    const env = { DATABASE_URL: database.url }
    const dev = new KitProcess(["dev", "--port", String(port)], { cwd: folder.path, env, inGroup: true })
    await dev.printed(/ready in/)
    return new DevApp(folder, dev, { origin: `http://localhost:${port}`, drop: () => database.drop() })
  }

  async read(path: string): Promise<unknown> {
    return (await fetch(`${this.origin}/api${path}`)).json()
  }

  async add(text: string): Promise<number> {
    const headers = { "content-type": "application/json" }
    const body = JSON.stringify({ text })
    return (await fetch(`${this.origin}/api/notes`, { method: "POST", headers, body })).status
  }

  async page(): Promise<string> {
    return (await fetch(this.origin, { headers: { accept: "text/html" } })).text()
  }

  /** The mistake that the page asks for; null if there is none. */
  async mistake(): Promise<string | null> {
    // The endpoint answers exactly this.
    return ((await this.read("/_kit/dev")) as { mistake: string | null }).mistake
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.dev.stop()
    await this.folder[Symbol.asyncDispose]()
    await this.#drop()
  }
}
