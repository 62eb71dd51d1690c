import { isDeepStrictEqual } from "node:util"
import { type CallOptions, type Client, createClient } from "kit/client"
import type { UntypedApp } from "kit/generated"
import { type Mutation, useFind, useLive, useMutation } from "kit/react"
import { StrictMode, useLayoutEffect } from "react"
import { vi } from "vitest"
// The client loads this module with the first subscription. Here no time passes for that.
import "../../../../packages/kit/src/client/live/multiplexer.ts"
import { newSeededRandom, type SeededRandom } from "../../../support/seeded-random.ts"
import { type Mounted, mount } from "../page.ts"
import { FlickerWatch, type OwnWrite, type ShownTask } from "./flicker-watch.ts"
import { ModelServer } from "./model-server.ts"

const ACTIONS_MS = 3_000
const MAX_ACTIONS = 12
/** Longer than all delays of the client: waiting for ids, for own writes, and for a new stream. */
const QUIET_MS = 60_000

interface TaskApp extends UntypedApp {
  collections: Record<"tasks", UntypedApp["collections"][string]>
}

type Tasks = Client<TaskApp>["collections"]["tasks"]
type Part = "ranked" | "newest" | "record" | "found"
type Writes = Record<"update" | "create" | "remove", Mutation<any, unknown>>

/** The faults that a schedule has found, and the number of its commits. */
export interface ScheduleOutcome {
  readonly faults: readonly string[]
  readonly commits: number
}

/** Everything that belongs to one schedule. */
interface World {
  readonly random: SeededRandom
  readonly server: ModelServer
  readonly watch: FlickerWatch
  readonly tasks: Tasks
  readonly page: Mounted
  readonly parts: Map<Part, number>
  readonly last: Map<Part, unknown>
  readonly writes: { current?: Writes }
  commits: number
  refetch(): void
  titles: number
}

/** Runs one schedule on the model: the same seed gives the same schedule. Timers must be fake. */
export async function runSchedule(seed: number): Promise<ScheduleOutcome> {
  const random = newSeededRandom(seed)
  const randomSpy = vi.spyOn(Math, "random").mockImplementation(() => random.below(1_000) / 1_000)
  const server = new ModelServer(random)
  const client = createClient<TaskApp>({
    baseURL: "http://model.test",
    basePath: "/api",
    useExtendedJSON: false,
    fetch: server.fetch,
  })
  const world = newWorld(random, server, client.collections.tasks)
  for (const rank of [10, 20, 30]) server.tasks.create({ rank })
  draw(world)
  const actions = 3 + random.below(MAX_ACTIONS - 3)
  for (let action = 0; action < actions; action++) setTimeout(() => act(world), random.below(ACTIONS_MS))
  await passTime(ACTIONS_MS)
  server.isUnreliable = false
  await passTime(QUIET_MS)
  world.refetch()
  await passTime(2_000)
  compareWithServer(world)
  world.page.unmount()
  client.realtime.destroy()
  await passTime(5_000)
  randomSpy.mockRestore()
  return { faults: world.watch.faults, commits: world.commits }
}

function newWorld(random: SeededRandom, server: ModelServer, tasks: Tasks): World {
  return {
    random,
    server,
    tasks,
    watch: new FlickerWatch(server.commits),
    page: mount(null),
    parts: new Map<Part, number>([
      ["ranked", 1],
      ["found", 1],
    ]),
    last: new Map(),
    writes: {},
    commits: 0,
    refetch: () => {},
    titles: 0,
  }
}

function draw(world: World): void {
  const parts = [...world.parts].map(([part, number]) => (
    <Shown key={`${part} ${number}`} {...{ world, part, number }} />
  ))
  const all = [<Writer key="writer" world={world} />, ...parts]
  world.page.render(world.random.seed % 2 === 0 ? <StrictMode>{all}</StrictMode> : all)
}

function Writer({ world: { tasks, writes } }: { world: World }) {
  writes.current = {
    update: useMutation(noted(tasks.updateById), {
      optimistic: (view, { input: { id, data } }) => view.patch(tasks, id, data),
    }),
    create: useMutation(noted(tasks.create), { optimistic: (view, { input }) => view.insert(tasks, input) }),
    remove: useMutation(noted(tasks.deleteById), { optimistic: (view, { input: { id } }) => view.remove(tasks, id) }),
  }
  return null
}

/** The input of a write, and what the page knows of the write. */
interface NotedInput<Input> {
  readonly write: OwnWrite
  readonly input: Input
}

// Notes a failure before the page hears of it.
function noted<Input, Output>(operation: (input: Input, call?: CallOptions) => Promise<Output>) {
  return async ({ write, input }: NotedInput<Input>, call?: CallOptions) => {
    try {
      return await operation(input, call)
    } catch (error) {
      write.hasFailed = true
      throw error
    }
  }
}

interface ShownProps {
  readonly world: World
  readonly part: Part
  readonly number: number
}

function Shown({ world, part, number }: ShownProps) {
  const data = usePart(world, part)
  useLayoutEffect(() => {
    if (data === undefined) return
    world.commits++
    world.last.set(part, data)
    world.watch.look(`${part} ${number}`, tasksIn(data))
  })
  return null
}

const RANKED = { orderBy: { rank: "asc" } } as const
const NEWEST = { columns: { title: true } } as const

function usePart(world: World, part: Part): unknown {
  const { tasks } = world
  const ranked = useLive(tasks, part === "ranked" ? RANKED : null)
  const newest = useLive(tasks, part === "newest" ? NEWEST : null)
  const record = useLive(tasks.record("id-1"), part === "record" ? {} : null)
  const found = useFind(tasks, part === "found" ? RANKED : null)
  if (found.status !== "idle") world.refetch = () => void found.refetch()
  return { ranked, newest, record, found }[part].data
}

function tasksIn(data: any): readonly ShownTask[] {
  return data === null ? [] : (data.docs ?? [data])
}

// Does something at random: as the user of the page, as another user, or to the connection.
function act(world: World): void {
  const { random, server } = world
  const id = `id-${1 + random.below(3)}`
  const title = `title ${++world.titles}`
  const choices: (() => void)[] = [
    () => ownWrite(world, "update", { kind: "patch", target: id, title, hasFailed: false }, { id, data: { title } }),
    () => ownWrite(world, "update", { kind: "patch", target: id, title, hasFailed: false }, { id, data: { title } }),
    () => ownWrite(world, "update", { kind: "patch", target: id, hasFailed: false }, { id, data: { note: title } }),
    () =>
      ownWrite(
        world,
        "create",
        { kind: "insert", target: title, title, hasFailed: false },
        { title, rank: random.below(40), note: "" },
      ),
    () =>
      ownWrite(
        world,
        "create",
        { kind: "insert", target: title, title, hasFailed: false },
        { title, rank: random.below(40), note: "" },
      ),
    () => ownWrite(world, "remove", { kind: "remove", target: id, hasFailed: false }, { id }),
    () => server.writeAsStranger((tasks) => tasks.update(id, { title }), title),
    () => server.writeAsStranger((tasks) => tasks.create({ title }), title),
    () => server.writeAsStranger((tasks) => tasks.delete(id), id),
    () => server.killStreams(),
    () => togglePart(world, (["ranked", "newest", "record", "found"] as const)[random.below(4)] ?? "ranked"),
    () => togglePart(world, "newest"),
  ]
  choices[random.below(choices.length)]?.()
}

function ownWrite({ watch, writes }: World, name: keyof Writes, write: OwnWrite, input: unknown): void {
  watch.begin(write)
  void writes.current?.[name].runSafe({ write, input })
}

function togglePart(world: World, part: Part): void {
  const number = world.parts.get(part)
  if (number !== undefined && world.parts.size > 1) world.parts.delete(part)
  else world.parts.set(part, world.titles + 1)
  world.last.delete(part)
  draw(world)
}

function compareWithServer({ server, parts, last, watch }: World): void {
  const reads = {
    ranked: server.tasks.read({ orderBy: { rank: "asc" } }),
    found: server.tasks.read({ orderBy: { rank: "asc" } }),
    newest: server.tasks.read({ read: { columns: { title: true } } }),
    record: server.tasks.read({ read: { operation: "record", id: "id-1" } }),
  }
  for (const part of parts.keys()) {
    const [shown, stored] = [last.get(part), reads[part]]
    if (isDeepStrictEqual(shown, stored)) continue
    watch.faults.push(`in the end ${part} shows ${JSON.stringify(shown)}, and not ${JSON.stringify(stored)}`)
  }
}

// Lets this much time pass. Before each timer, everything runs that waits for no time: promises, streams and React.
async function passTime(ms: number): Promise<void> {
  let isOver = false
  setTimeout(() => {
    isOver = true
  }, ms)
  while (!isOver) {
    for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve))
    vi.advanceTimersToNextTimer()
  }
}
