/** One event of a server-sent event stream: the event's name, and its data as text. */
export interface StreamEvent {
  readonly name: string
  readonly data: string
}

// Limits the memory that one event can use.
const MAX_EVENT_CHARACTERS = 16 * 1024 * 1024
const LINE_END = /\r\n|\n|\r/g

interface ReadOptions {
  /** When this signal aborts, the reading stops, even if the stream ignores the signal of its request. */
  readonly signal: AbortSignal
  /** Called for each chunk that is received. */
  readonly onBytes: () => void
  /** Called with the reason if the stream breaks before its end. */
  readonly onBreak: (cause: unknown) => void
}

/** Yields the events in a byte stream, regardless of chunk boundaries. Throws if the bytes are not valid events. */
export async function* readEvents(
  body: ReadableStream<Uint8Array>,
  { signal, onBytes, onBreak }: ReadOptions,
): AsyncGenerator<StreamEvent, void, undefined> {
  const reader = body.getReader()
  const decoder = new TextDecoder("utf-8", { fatal: true })
  const parser = new EventParser()
  const next = () => reader.read().catch(onBreak)
  // Errors are ignored here: cancelling a stream that has failed rejects again with the error that is already known.
  const cancel = () => void reader.cancel().catch(() => undefined)
  signal.addEventListener("abort", cancel)
  try {
    for (let part = await next(); part?.value; part = await next()) {
      onBytes()
      yield* parser.eventsIn(decoder.decode(part.value, { stream: true }))
    }
  } finally {
    signal.removeEventListener("abort", cancel)
    cancel()
  }
}

class EventParser {
  /** The pieces of a line whose end has not arrived yet. */
  #pieces: string[] = []
  #afterReturn = false
  #name = ""
  #data: string[] = []
  #characters = 0;

  *eventsIn(text: string): Generator<StreamEvent> {
    for (const line of this.#linesIn(text)) {
      if (line !== "") this.#take(line)
      else if (this.#data.length > 0) yield this.#event()
      else this.#clear()
    }
  }

  *#linesIn(arrived: string): Generator<string> {
    if (arrived === "") return
    // If the previous chunk ended with a carriage return, a line feed at the start of this chunk belongs to the same
    // line end.
    const text = this.#afterReturn && arrived.startsWith("\n") ? arrived.slice(1) : arrived
    this.#afterReturn = arrived.endsWith("\r")
    let start = 0
    for (const { 0: end, index } of text.matchAll(LINE_END)) {
      yield this.#join(text.slice(start, index))
      start = index + end.length
    }
    this.#count(text.length - start)
    this.#pieces.push(text.slice(start))
  }

  #join(rest: string): string {
    this.#count(rest.length)
    const line = this.#pieces.join("") + rest
    this.#pieces = []
    return line
  }

  // Adds a line to the current event. A comment, which is a line that starts with a colon, has an empty field name and
  // is ignored.
  #take(line: string): void {
    const [, name, value = ""] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? []
    if (name === "event") this.#name = value
    else if (name === "data") this.#data.push(value)
    else this.#characters -= line.length
  }

  #event(): StreamEvent {
    const event = { name: this.#name, data: this.#data.join("\n") }
    this.#clear()
    return event
  }

  #clear(): void {
    this.#name = ""
    this.#data = []
    this.#characters = 0
  }

  #count(characters: number): void {
    this.#characters += characters
    if (this.#characters > MAX_EVENT_CHARACTERS) {
      throw new RangeError(`an event has more than ${MAX_EVENT_CHARACTERS} characters`)
    }
  }
}
