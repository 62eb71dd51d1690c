import { spawn } from "node:child_process"
import { once } from "node:events"
import { argumentsOf } from "../../support/processes/typescript-program.ts"

const INSTANCE = new URL("instance.ts", import.meta.url)

/** A process of an experiment. */
export interface Instance {
  readonly url: string
  freeze(): void
  thaw(): void
  kill(): Promise<void>
}

/** Starts a process that serves the app of this experiment, or of another one. */
export async function startInstance(databaseUrl: string, file: URL = INSTANCE): Promise<Instance> {
  const child = spawn(process.execPath, argumentsOf(file, databaseUrl), { stdio: ["ignore", "pipe", "inherit"] })
  const url = await new Promise<string>((resolve, reject) => {
    let printed = ""
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      printed += text
      const [, address] = /started (\S+)\n/.exec(printed) ?? []
      if (address) resolve(address)
    })
    child.once("exit", (code) => reject(new Error(`An instance ended with ${code} before it had started.`)))
  })
  return {
    url,
    freeze: () => void child.kill("SIGSTOP"),
    thaw: () => void child.kill("SIGCONT"),
    kill: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return
      child.kill("SIGKILL")
      await once(child, "exit")
    },
  }
}
