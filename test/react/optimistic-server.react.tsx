import { collection } from "kit"
import type { CallOptions } from "kit/client"
import { type Mutation, useLive, useMutation } from "kit/react"
import { StrictMode, useLayoutEffect } from "react"
import { afterAll, beforeAll, expect, test, vi } from "vitest"
import { count } from "../support/count.ts"
import { newSeededRandom, type SeededRandom, seededRandom } from "../support/seeded-random.ts"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"
import { clientOf } from "./support/client-of.ts"
import { FlickerWatch, type OwnWrite, type ShownTask } from "./support/model/flicker-watch.ts"
import { type Mounted, mount } from "./support/page.ts"
import { UnreliableFetch } from "./support/unreliable-fetch.ts"

const SCHEDULES = count({ short: 20, long: 50 })
const AT_ONCE = 5
const ACTIONS_MS = 1_000
const WAIT = { timeout: 60_000 }

const tasks = collection("tasks")
  .fields(({ f }) => ({ title: f.text().required(), team: f.text().required(), rank: f.number() }))
  .access({ read: true, create: true, update: true, delete: true })

let app: TestApp

beforeAll(async () => {
  app = await testApp({ resources: [tasks] })
  // Notes the order in which titles were stored. Two writes of one record cannot be noted at the same time.
  await app.database.query(`
    create table stored_titles (number bigserial, title text);
    create function note_title() returns trigger language plpgsql as
      $$ begin insert into stored_titles (title) values (new.title); return new; end $$;
    create trigger note_title after insert or update on tasks for each row execute function note_title()`)
})

afterAll(() => app[Symbol.asyncDispose]())

test("a real server shows nothing that is neither old nor new, either", async () => {
  const { seed } = seededRandom()
  for (let schedule = 0; schedule < SCHEDULES; schedule += AT_ONCE) {
    const seeds = Array.from({ length: AT_ONCE }, (_none, index) => seed + schedule + index)
    const faults = await Promise.all(seeds.map(faultsOf))
    expect(faults.flat(), `KIT_SEED=${seed}`).toEqual([])
  }
})

/** A step of the page, in the order of the steps. The order of the stored writes is known only in the end. */
type Happening =
  | { readonly kind: "begun" | "failed"; readonly write: OwnWrite }
  | { readonly kind: "shown"; readonly component: string; readonly tasks: readonly ShownTask[] }

async function faultsOf(seed: number): Promise<readonly string[]> {
  const random = newSeededRandom(seed)
  const unreliable = new UnreliableFetch(random)
  const client = clientOf<"tasks">(app, { fetch: unreliable.fetch })
  const { tasks } = client.collections
  const stranger = app.client().collections["tasks"]
  const team = `team ${seed}`
  const ids: string[] = []
  for (const rank of [10, 20]) ids.push((await stranger.create({ title: `${team} ${rank}`, team, rank })).id)
  const log: Happening[] = []
  const writes: { current?: Writes } = {}
  const page = mountBoard({ tasks, team, log, writes })
  await vi.waitFor(() => expect(log.length).toBeGreaterThan(0), WAIT)
  await Promise.all(
    Array.from({ length: 8 }, async (_none, number) => {
      const title = `${team} title ${number}`
      const id = ids[random.below(2)] ?? ""
      await new Promise((resolve) => setTimeout(resolve, random.below(ACTIONS_MS)))
      await act({ random, unreliable, stranger, team, id, title, log, writes })
    }),
  )
  unreliable.isUnreliable = false
  const stored = async () => (await stranger.find({ where: { team }, orderBy: { rank: "asc" } })).docs
  await vi.waitFor(async () => expect(lastShown(log)).toEqual(await stored()), WAIT)
  page.unmount()
  client.realtime.destroy()
  return faultsIn(log, await storedTitles())
}

type Tasks = ReturnType<typeof clientOf<"tasks">>["collections"]["tasks"]
type Writes = Record<"update" | "create" | "remove", Mutation<any, unknown>>

interface BoardProps {
  readonly tasks: Tasks
  readonly team: string
  readonly log: Happening[]
  readonly writes: { current?: Writes }
}

function mountBoard(props: BoardProps): Mounted {
  return mount(
    <StrictMode>
      <Board {...props} />
    </StrictMode>,
  )
}

function Board({ tasks, team, log, writes }: BoardProps) {
  const { data } = useLive(tasks, { where: { team }, orderBy: { rank: "asc" } })
  writes.current = {
    update: useMutation(noted(tasks.updateById, log), {
      optimistic: (view, { input: { id, data } }) => view.patch(tasks, id, data),
    }),
    create: useMutation(noted(tasks.create, log), { optimistic: (view, { input }) => view.insert(tasks, input) }),
    remove: useMutation(noted(tasks.deleteById, log), {
      optimistic: (view, { input: { id } }) => view.remove(tasks, id),
    }),
  }
  useLayoutEffect(() => {
    const shown = data && { kind: "shown" as const, component: team, tasks: data.docs as unknown as ShownTask[] }
    if (shown) log.push(shown)
  })
  return null
}

// Notes a failure before the page hears of it.
function noted<Input, Output>(operation: (input: Input, call?: CallOptions) => Promise<Output>, log: Happening[]) {
  return async ({ write, input }: { write: OwnWrite; input: Input }, call?: CallOptions) => {
    try {
      return await operation(input, call)
    } catch (error) {
      log.push({ kind: "failed", write })
      throw error
    }
  }
}

interface Acting extends Pick<BoardProps, "team" | "log" | "writes"> {
  readonly random: SeededRandom
  readonly unreliable: UnreliableFetch
  readonly stranger: any
  readonly id: string
  readonly title: string
}

async function act({ random, unreliable, stranger, team, id, title, log, writes }: Acting): Promise<void> {
  const own = (name: keyof Writes, change: Omit<OwnWrite, "hasFailed">, input: unknown) => {
    const write = { ...change, hasFailed: false }
    log.push({ kind: "begun", write })
    return writes.current?.[name].runSafe({ write, input })
  }
  const rank = random.below(30)
  const choices = [
    () => own("update", { kind: "patch", target: id, title }, { id, data: { title } }),
    () => own("update", { kind: "patch", target: id, title }, { id, data: { title } }),
    () => own("create", { kind: "insert", target: title, title }, { title, team, rank }),
    () => own("remove", { kind: "remove", target: id }, { id }),
    () => stranger.create({ title, team, rank }),
    () => stranger.update({ id, data: { title } }).catch(() => undefined),
    () => unreliable.breakStreams(),
  ]
  await choices[random.below(choices.length)]?.()
}

function lastShown(log: readonly Happening[]): unknown {
  return log.findLast((happening) => happening.kind === "shown")?.tasks
}

async function storedTitles(): Promise<ReadonlyMap<string, number>> {
  const rows = await app.database.query("select title, number from stored_titles order by number")
  return new Map(rows.map(({ title, number }: any) => [title, Number(number)]))
}

function faultsIn(log: readonly Happening[], commits: ReadonlyMap<string, number>): readonly string[] {
  const watch = new FlickerWatch(commits)
  for (const happening of log) {
    if (happening.kind === "shown") watch.look(happening.component, happening.tasks)
    else happening.write.hasFailed = happening.kind === "failed"
    if (happening.kind === "begun") watch.begin(happening.write)
  }
  return watch.faults
}
