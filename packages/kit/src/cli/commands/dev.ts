import { once } from "node:events"
import { createServer } from "node:net"
import { RollingServer } from "../dev/rolling-server.ts"
import { type Address, listenRefusal } from "../project/listen-refusal.ts"
import { watchSources } from "../sources/watch-sources.ts"
import { type CommandArguments, CommandFailure, readHost, readPort } from "../terminal/arguments.ts"
import { onStarterEnd } from "../terminal/starter.ts"
import { exitBySighup, STOP_SIGNALS } from "../terminal/stop-on-signal.ts"

/** Serves the app, keeps its generated types up to date, and restarts it when a file changes. */
export async function dev({ values }: CommandArguments): Promise<void> {
  await checkAddress({ port: readPort(values["port"]), host: readHost(values["host"]) })
  const given = Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [`--${name}=${value}`]))
  const watch = watchSources(process.cwd(), (file) => server.restart(file))
  const server = new RollingServer(given, {
    onInputs: (inputs) => watch.follow(inputs),
    onAwaited: (files) => watch.awaitFiles(files),
    onStarted: () => watch.ignoreUnused(),
    onIncomplete: () => watch.heedEverySource(),
  })
  server.start()
  const starterEnd = new Promise<"end">((resolve) => void onStarterEnd(() => resolve("end")))
  const signals = STOP_SIGNALS.map((signal) => once(process, signal).then(() => signal))
  const heard = await Promise.race([starterEnd, ...signals])
  watch.close()
  // Forwards further signals to the app while it stops. The app decides whether a signal is a repetition.
  for (const signal of STOP_SIGNALS) process.on(signal, () => server.signal(signal))
  await server.stop()
  if (heard === "SIGHUP") exitBySighup()
}

// Ends the command if the address cannot be used, since every start would fail and no change of a file could fix it.
async function checkAddress(address: Address): Promise<void> {
  const server = createServer().listen(address)
  try {
    await once(server, "listening")
  } catch (error) {
    const refusal = listenRefusal(error, address)
    if (refusal !== undefined) throw new CommandFailure(refusal, { cause: error })
  }
  await new Promise((resolve) => void server.close(resolve))
}
