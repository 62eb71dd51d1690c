import { setTimeout as wait } from "node:timers/promises"
import { isDeepStrictEqual } from "node:util"
import * as Y from "yjs"
import { present } from "../support/present.ts"
import { type Address, BareEditor } from "./documents/bare-editor.ts"
import { ClientEditor } from "./documents/client-editor.ts"
import { fieldValue, withoutEmptyAttributes } from "./documents/field-value.ts"
import { History, isSameDocument } from "./documents/history.ts"
import { OwnPostgres } from "./documents/own-postgres.ts"
import { randomEdit } from "./documents/random-edit.ts"
import { FIRST_VALUES, PLACES, type Place } from "./documents/world.ts"
import { type Instance, startInstance } from "./live/start-instance.ts"
import { signUp } from "./sign-up.ts"

interface DocumentsOptions {
  /** An empty one, which the account of the database server may enter. */
  readonly folder: string
  readonly editors: number
  /** How often a server process or PostgreSQL is killed. */
  readonly kills: number
  /** After this a replica that is not what it should be never will. */
  readonly patienceMs: number
  /** Seeded: a whole number from 0 up to the bound. */
  readonly below: (bound: number) => number
}

const INSTANCE = new URL("documents/instance.ts", import.meta.url)
const PEOPLE = ["ann", "bob", "eva", "jan"]
// Every fifth kill is one of PostgreSQL, in turn immediately shut down and killed.
const DATABASE_EVERY = 5
// One of this many editors uses the framework's client.
const CLIENT_EVERY = 4
const EDIT_MS = { least: 60, more: 240 }
const CUT_MS = { least: 50, more: 300 }
const OVERWRITE_MS = { least: 400, more: 800 }
// One of this many cuts takes an editor away, with all that it has not sent.
const VANISH_EVERY = 10
const ACKNOWLEDGED_BETWEEN_KILLS = 100
const LOOK_EVERY_MS = 20
const START_WITHIN_MS = 60_000
const ANSWER_MS = 10_000

/**
 * Editors change the same documents on two instances, while connections are cut, editors vanish, and instances and
 * PostgreSQL are killed. No acknowledged update is lost, all replicas become equal, and the records get the values.
 */
export async function soakDocuments(options: DocumentsOptions): ReturnType<Experiment["evaluate"]> {
  const experiment = new Experiment(options)
  try {
    await experiment.begin()
    for (let kill = 1; kill <= options.kills; kill++) await experiment.strike(kill)
    return await experiment.evaluate()
  } finally {
    await experiment.end()
  }
}

/** A document as an editor has it. */
type Seen = { doc: Y.Doc; address: Address }

class Experiment {
  instances: Instance[] = []
  /** The replacements of killed instances. */
  starting: Promise<void>[] = []
  editors: (BareEditor | ClientEditor)[] = []
  work: Promise<void>[] = []
  isWorking = true
  cookies: string[] = []
  addresses: Address[] = []
  histories: Map<string, History> = new Map(PLACES.map(({ name }) => [name, new History()]))
  /** Each document as the server made it. */
  first: Map<string, Uint8Array> = new Map()
  faults: string[] = []
  counts = { made: 0, acknowledged: 0, overwrites: 0, cuts: 0, vanished: 0, serverKills: 0, databaseKills: 0 }
  gone = { connections: 0, unknown: 0, refused: 0, endedTopics: 0 }
  databaseUrl = ""

  readonly options: DocumentsOptions
  readonly below
  readonly postgres

  constructor(options: DocumentsOptions) {
    this.options = options
    this.below = options.below
    this.postgres = new OwnPostgres(options.folder)
  }

  async begin() {
    this.databaseUrl = await this.postgres.start()
    this.instances = [await this.#start(), await this.#start()]
    for (const name of PEOPLE) this.cookies.push(await signUp(String(this.instances[0]?.url), name))
    const records = { shared: await this.#create(), overwritten: await this.#create() }
    this.addresses = PLACES.map((place) => ({ ...place, recordId: records[place.record] }))
    await this.#noteFirst()
    for (let number = 0; number < this.options.editors; number++) this.editors.push(this.#newEditor(number))
    await this.#until(() => this.editors.every(({ isSettled }) => isSettled), "the editors were not connected")
    this.work = [
      ...this.editors.map((_, number) => this.#repeat(EDIT_MS, () => this.#edit(number))),
      this.#repeat(CUT_MS, () => this.#cut()),
      this.#repeat(OVERWRITE_MS, () => this.#overwrite()),
    ]
  }

  /** Kills a process at a random moment under load. The first kill is number 1. */
  async strike(kill: number) {
    const goal = this.counts.acknowledged + 1 + this.below(ACKNOWLEDGED_BETWEEN_KILLS)
    await this.#until(() => this.counts.acknowledged >= goal, "no updates were acknowledged")
    if (kill % DATABASE_EVERY === 0) {
      await this.postgres.kill(kill % (2 * DATABASE_EVERY) === 0 ? "SIGKILL" : "SIGQUIT")
      this.counts.databaseKills += 1
      return
    }
    const place = this.below(2)
    // The next kill may come before this instance is replaced, so that for a while there is none.
    await this.starting[place]
    await this.instances[place]?.kill()
    this.counts.serverKills += 1
    this.starting[place] = this.#replace(place)
  }

  /** Starts an instance until it runs: it ends if PostgreSQL was killed and is not ready. */
  async #replace(place: number) {
    const giveUpAt = performance.now() + START_WITHIN_MS
    for (;;) {
      const instance = await this.#start().catch((error) => {
        if (performance.now() > giveUpAt) throw error
      })
      if (instance) {
        this.instances[place] = instance
        return
      }
      await wait(LOOK_EVERY_MS)
    }
  }

  async evaluate() {
    await Promise.all(this.starting)
    this.isWorking = false
    await Promise.all(this.work)
    const stoppedAt = performance.now()
    await this.#until(() => this.editors.every(({ isSettled }) => isSettled), "not all updates were acknowledged")
    // Empty replicas, one from each instance, that are not part of what was written.
    const readers = [0, 1].map((place) => this.#reader(place))
    await this.#until(() => readers.every(({ isSettled }) => isSettled), "a document could not be read")
    const isEqual = () => this.#countDiverged(readers) === 0
    await this.#until(isEqual, "").catch(() => {})
    const convergedMs = Math.round(performance.now() - stoppedAt)
    const diverged = this.#countDiverged(readers)
    const docs = readers[0]?.replicas.map(({ doc }) => doc) ?? []
    const differentValues = await this.#countDifferentValues(docs)
    const valuesMs = Math.round(performance.now() - stoppedAt)
    const faults = [...this.faults, ...[...this.editors, ...readers].flatMap((editor) => editor.faults)]
    await Promise.all(readers.map((reader) => reader.close()))
    return {
      editors: this.options.editors,
      ...this.counts,
      ...this.#sums(),
      lost: this.#sum((place, index) => this.#history(place).countLost(present(docs[index]))),
      invented: this.#sum((place, index) => this.#countInvented(place, present(docs[index]))),
      diverged,
      differentValues,
      convergedMs,
      valuesMs,
      faults: faults.length,
      firstFaults: [...new Set(faults)].slice(0, 5),
    }
  }

  async end() {
    this.isWorking = false
    await Promise.all(this.editors.map((editor) => editor.close()))
    await Promise.all(this.work)
    await Promise.all(this.starting)
    await Promise.all(this.instances.map((instance) => instance.kill()))
    await this.postgres.release()
  }

  #start() {
    return startInstance(this.databaseUrl, INSTANCE)
  }

  /** Does something again and again, with random pauses. */
  async #repeat({ least, more }: { least: number; more: number }, act: () => unknown) {
    while (this.isWorking) {
      await act()
      await wait(least + this.below(more))
    }
  }

  #newEditor(number: number) {
    const Editor = number % CLIENT_EVERY === CLIENT_EVERY - 1 ? ClientEditor : BareEditor
    return new Editor({
      url: () => String(this.instances[this.below(2)]?.url),
      cookie: String(this.cookies[number % this.cookies.length]),
      addresses: this.addresses,
      onMade: (place, update) => {
        this.counts.made += 1
        this.#history(place).made.push(update)
      },
      onAcknowledged: (place, update) => {
        this.counts.acknowledged += 1
        this.#history(place).acknowledged.push(update)
      },
    })
  }

  #reader(place: number) {
    const url = () => String(this.instances[place]?.url)
    return new BareEditor({ url, cookie: String(this.cookies[0]), addresses: this.addresses })
  }

  /** Keeps the documents as the server made them from the first values. */
  async #noteFirst() {
    const reader = this.#reader(0)
    await this.#until(() => reader.isSettled, "the documents were not made")
    for (const { address, doc } of reader.replicas) {
      const expected = FIRST_VALUES[address.field]
      if (!isDeepStrictEqual(fieldValue(doc, address), expected))
        this.faults.push(`${address.name} was made with another value`)
      this.first.set(address.name, Y.encodeStateAsUpdate(doc))
    }
    await reader.close()
  }

  #edit(number: number) {
    const { replicas } = present(this.editors[number])
    const replica = replicas[this.below(replicas.length)]
    // Nothing is typed into a document that was never seen.
    if (!replica?.isKnown) return
    const { doc, address } = replica
    randomEdit(address.shape, { doc, field: address.field, below: this.below, word: `w${this.counts.made}` })
  }

  async #cut() {
    const number = this.below(this.editors.length)
    const editor = present(this.editors[number])
    if (this.below(VANISH_EVERY) > 0) {
      editor.cut()
      this.counts.cuts += 1
      return
    }
    this.editors[number] = this.#newEditor(number)
    await editor.close()
    this.faults.push(...editor.faults)
    for (const name of ["connections", "unknown", "refused", "endedTopics"] as const) {
      this.gone[name] += editor.counts[name]
    }
    this.counts.vanished += 1
  }

  /** Sets a field that is edited, as somebody who knows nothing of documents: one word is replaced. */
  async #overwrite() {
    const recordId = this.addresses.find(({ record }) => record === "overwritten")?.recordId
    const url = `${this.instances[this.below(2)]?.url}/pages/${recordId}`
    const headers = { "content-type": "application/json", cookie: String(this.cookies[0]) }
    const signal = () => AbortSignal.timeout(ANSWER_MS)
    try {
      const { notes } = await readJson(await fetch(url, { headers, signal: signal() }))
      const words = String(notes).split(" ")
      words[this.below(words.length)] = `o${this.counts.overwrites}`
      const body = JSON.stringify({ notes: words.join(" ") })
      const { ok } = await fetch(url, { method: "PATCH", headers, body, signal: signal() })
      if (ok) this.counts.overwrites += 1
    } catch {
      // Its instance was killed.
    }
  }

  #countDiverged([one, ...others]: readonly BareEditor[]) {
    const rest: Seen[] = [...others, ...this.editors].flatMap<Seen>(({ replicas }) => replicas)
    const isOther = ({ doc, address }: Seen) => {
      const fresh = one?.replicas.find((each) => each.address.name === address.name)?.doc
      return (
        fresh === undefined ||
        !isSameDocument(doc, fresh) ||
        !isDeepStrictEqual(fieldValue(doc, address), fieldValue(fresh, address))
      )
    }
    return rest.filter(isOther).length
  }

  /** Waits until the records have the values of their documents. */
  async #countDifferentValues(docs: readonly Y.Doc[]) {
    const giveUpAt = performance.now() + this.options.patienceMs
    for (;;) {
      const records = await Promise.all(this.addresses.map((address) => this.#read(address)))
      const different = this.addresses.filter(
        (address, index) =>
          !isDeepStrictEqual(withoutEmptyAttributes(records[index]), fieldValue(present(docs[index]), address)),
      )
      if (different.length === 0 || performance.now() > giveUpAt) return different.length
      await wait(LOOK_EVERY_MS)
    }
  }

  async #read({ recordId, field }: Address) {
    const response = await fetch(`${this.instances[0]?.url}/pages/${recordId}`, {
      headers: { cookie: String(this.cookies[0]) },
    })
    return (await readJson(response))[field]
  }

  /** Plain updates insert and delete too, and by a client of the server's own. */
  #countInvented(place: Place, doc: Y.Doc) {
    if (place.record === "overwritten") return 0
    return this.#history(place).countInvented(doc, present(this.first.get(place.name)))
  }

  #sum(of: (place: Place, index: number) => number) {
    return PLACES.map(of).reduce((all, one) => all + one, 0)
  }

  #sums() {
    const sums = { ...this.gone }
    for (const { counts } of this.editors) {
      for (const name of ["connections", "unknown", "refused", "endedTopics"] as const) {
        sums[name] += counts[name]
      }
    }
    return sums
  }

  #history({ name }: Place): History {
    return present(this.histories.get(name))
  }

  async #until(isSo: () => boolean, otherwise: string) {
    const giveUpAt = performance.now() + this.options.patienceMs
    while (!isSo()) {
      if (performance.now() > giveUpAt) {
        throw new Error(`After ${this.options.patienceMs / 1000} s ${otherwise}. ${JSON.stringify(this.#unsettled())}`)
      }
      await wait(LOOK_EVERY_MS)
    }
  }

  /** Returns what is known about the editors that wait for something. */
  #unsettled() {
    const unsettled = this.editors.filter(({ isSettled }) => !isSettled)
    return { counts: this.counts, editors: unsettled.map(({ state, counts, faults }) => ({ state, counts, faults })) }
  }

  async #create(): Promise<string> {
    const headers = { "content-type": "application/json", cookie: String(this.cookies[0]) }
    const response = await fetch(`${this.instances[0]?.url}/pages`, {
      method: "POST",
      headers,
      body: JSON.stringify(FIRST_VALUES),
    })
    if (!response.ok) throw new Error(`No record could be created: ${await response.text()}`)
    return (await readJson(response)).id
  }
}

async function readJson(response: Response): Promise<Record<string, any>> {
  return JSON.parse(await response.text())
}
