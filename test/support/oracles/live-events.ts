import type { Session } from "kit"
import type { LiveEvents } from "../../../packages/kit/src/wire/realtime/live-events.ts"
import { sessions } from "../worlds/test-app.ts"

type AnyEvent = {
  [Name in keyof LiveEvents]: { readonly name: Name; readonly data: LiveEvents[Name] }
}[keyof LiveEvents]

/** A raw stream of live queries, event by event. */
export interface EventReader extends AsyncDisposable {
  readonly status: number
  readonly response: Response
  /** All events so far. */
  readonly events: readonly AnyEvent[]
  /** Returns the next event of this name that was not returned before, and that satisfies the condition. */
  next<Name extends keyof LiveEvents>(
    name: Name,
    condition?: (data: LiveEvents[Name]) => boolean,
  ): Promise<LiveEvents[Name]>
  /** Resolves when the stream has ended. */
  readonly ended: Promise<void>
  close(): void
}

interface Opened {
  readonly url: string
  readonly topics?: readonly object[]
  readonly channels?: readonly object[]
  readonly documents?: readonly object[]
  readonly session?: Session | undefined
  readonly headers?: Record<string, string>
}

const PATIENCE_MS = 60_000

export async function openEvents({ url, topics, channels, documents, session, headers }: Opened): Promise<EventReader> {
  const leaving = new AbortController()
  const cookie = session ? { cookie: sessions.sign(session) } : {}
  const response = await fetch(`${url}/realtime`, {
    method: "POST",
    headers: { "content-type": "application/json", ...cookie, ...headers },
    body: JSON.stringify({ topics: topics ?? [], channels, documents }),
    signal: leaving.signal,
  })
  const events: AnyEvent[] = []
  const taken = new Set<AnyEvent>()
  const waiters = new Set<() => void>()
  const note = (event: AnyEvent) => {
    events.push(event)
    for (const waiter of [...waiters]) waiter()
  }
  let isOver = false
  // A body that is cancelled at the moment at which it ends may never report its end.
  const left = new Promise<void>((resolve) => leaving.signal.addEventListener("abort", () => resolve()))
  const ended = Promise.race([left, readAll(response, note)]).finally(() => {
    isOver = true
    for (const waiter of [...waiters]) waiter()
  })
  return {
    status: response.status,
    response,
    events,
    ended,
    close: () => leaving.abort(),
    next: (name, condition = () => true) =>
      new Promise((resolve, reject) => {
        const stop = () => {
          clearTimeout(timer)
          waiters.delete(look)
        }
        const look = () => {
          const found = events.find(
            (event) => event.name === name && !taken.has(event) && condition(event.data as never),
          )
          if (found) {
            taken.add(found)
            stop()
            resolve(found.data as never)
          } else if (isOver) {
            stop()
            const had = JSON.stringify(events)
            reject(new Error(`The stream (status ${response.status}) is over, without "${name}". It had: ${had}`))
          }
        }
        const timer = setTimeout(() => {
          stop()
          reject(new Error(`No "${name}" came. There were: ${JSON.stringify(events).slice(0, 2000)}`))
        }, PATIENCE_MS)
        waiters.add(look)
        look()
      }),
    [Symbol.asyncDispose]: async () => {
      leaving.abort()
      await ended
    },
  }
}

async function readAll(response: Response, note: (event: AnyEvent) => void): Promise<void> {
  let text = ""
  const decoder = new TextDecoder()
  try {
    for await (const chunk of response.body ?? []) {
      text += decoder.decode(chunk as Uint8Array, { stream: true })
      const blocks = text.split("\n\n")
      text = blocks.pop() ?? ""
      for (const block of blocks) note(eventOf(block))
    }
  } catch {
    // The test has left, or the server has closed the stream: both are an end.
  }
}

function eventOf(block: string): AnyEvent {
  const match = /^event: (\w+)\ndata: (.*)$/.exec(block)
  if (!match) throw new Error(`Not an event: ${block}`)
  return { name: match[1], data: JSON.parse(String(match[2])) } as AnyEvent
}
