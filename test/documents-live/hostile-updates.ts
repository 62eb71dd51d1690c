import * as Y from "yjs"
import type { SeededRandom } from "../support/seeded-random.ts"
import {
  DELETED,
  FORMAT,
  type ForgedId,
  forgedUpdate,
  gap,
  garbage,
  item,
  TEXT,
  TYPE,
  VALUES,
} from "./forged-update.ts"

/** The knowledge of a hostile editor: the replica of an honest one, and the numbers that the server has taken from it. */
interface HostileView {
  readonly doc: Y.Doc
  readonly field: string
  readonly random: SeededRandom
  readonly used: Map<number, number>
}

type Pattern = (view: HostileView) => Uint8Array

const MAX_CLIENT = 2 ** 31
const UNKNOWN_KINDS = [2, 3, 5, 9, 11, 15, 31]
const TEXTS = ["a", "bc", "def", "😀", "long text of a stranger"]
const HUGE_CLOCKS = [2 ** 31, 2 ** 32, 2 ** 33, 2 ** 53 - 1]

const fresh = ({ random }: HostileView) => 1 + random.below(MAX_CLIENT)
const text = ({ random }: HostileView) => TEXT(TEXTS[random.below(TEXTS.length)] ?? "a")

/** An item of the document that its honest editors, or the server, have made. */
function known({ doc, random }: HostileView): ForgedId {
  const all = [...Y.decodeStateVector(Y.encodeStateVector(doc))]
  const [client, clock] = all[random.below(all.length)] ?? [0, 1]
  return [client, random.below(clock)]
}

/** A client whose numbers the server has taken, and how many. */
function own({ used, random }: HostileView): ForgedId {
  const all = [...used]
  return all[random.below(all.length)] ?? [1, 0]
}

const added = (view: HostileView, client: number, clock: number) =>
  forgedUpdate({ client, clock, items: [item({ ...text(view), parent: view.field })] })

/** Every way to harm a document that is known, by name. */
export const PATTERNS: Readonly<Record<string, Pattern>> = {
  partOfText: (view) =>
    forgedUpdate({ client: fresh(view), clock: 0, items: [item({ ...text(view), parent: known(view) })] }),
  memberOfText: (view) =>
    forgedUpdate({ client: fresh(view), clock: 0, items: [item({ ...VALUES(1), parent: known(view), member: "m" })] }),
  sameNumbers: (view) => added(view, own(view)[0], 0),
  sameNumbersLonger: (view) =>
    forgedUpdate({
      client: own(view)[0],
      clock: 0,
      items: [item({ ...TEXT("x".repeat(40)), parent: view.field }), garbage(3)],
    }),
  overlap: (view) => {
    const [client, clock] = own(view)
    const from = view.random.below(clock + 1)
    return forgedUpdate({ client, clock: from, items: [item({ ...TEXT("overlapping"), parent: view.field })] })
  },
  nextNumbers: (view) => added(view, ...own(view)),
  gap: (view) => {
    const [client, clock] = own(view)
    return added(view, client, clock + 1 + view.random.below(50))
  },
  gapInside: (view) =>
    forgedUpdate({
      client: fresh(view),
      clock: 0,
      items: [item({ ...text(view), parent: view.field }), gap(4), item({ ...text(view), parent: view.field })],
    }),
  onlyGap: (view) => forgedUpdate({ client: fresh(view), clock: 0, items: [gap(1 + view.random.below(9))] }),
  hugeClock: (view) => added(view, fresh(view), HUGE_CLOCKS[view.random.below(HUGE_CLOCKS.length)] ?? 0),
  foreignNext: (view) => {
    const [client] = known(view)
    return added(view, client, Y.getState(view.doc.store, client))
  },
  foreignAgain: (view) =>
    forgedUpdate({ client: known(view)[0], clock: 0, items: [item({ ...TEXT("z".repeat(500)), parent: view.field })] }),
  deletesWhatComes: (view) => {
    const [client] = known(view)
    const clock = Y.getState(view.doc.store, client) + 2
    return forgedUpdate({ client: fresh(view), clock: 0, items: [], deletes: [[client, clock, 1_000_000]] })
  },
  deletesUnknown: (view) =>
    forgedUpdate({ client: fresh(view), clock: 0, items: [], deletes: [[fresh(view), 0, 1 + view.random.below(99)]] }),
  garbage: (view) => forgedUpdate({ client: fresh(view), clock: 0, items: [garbage(1 + view.random.below(9))] }),
  deletedContent: (view) =>
    forgedUpdate({ client: fresh(view), clock: 0, items: [item({ ...DELETED(3), origin: known(view) })] }),
  afterUnknown: (view) =>
    forgedUpdate({ client: fresh(view), clock: 0, items: [item({ ...text(view), origin: [fresh(view), 7] })] }),
  afterKnown: (view) =>
    forgedUpdate({ client: fresh(view), clock: 0, items: [item({ ...text(view), origin: known(view) })] }),
  beforeAndAfter: (view) =>
    forgedUpdate({
      client: fresh(view),
      clock: 0,
      items: [item({ ...text(view), origin: known(view), right: known(view) })],
    }),
  format: (view) =>
    forgedUpdate({ client: fresh(view), clock: 0, items: [item({ ...FORMAT("bold", "true"), origin: known(view) })] }),
  formatNoJson: (view) =>
    forgedUpdate({ client: fresh(view), clock: 0, items: [item({ ...FORMAT("bold", "{"), parent: view.field })] }),
  otherRoot: (view) =>
    forgedUpdate({ client: fresh(view), clock: 0, items: [item({ ...text(view), parent: "elsewhere" })] }),
  unknownContent: (view) => {
    const kind = UNKNOWN_KINDS[view.random.below(UNKNOWN_KINDS.length)] ?? 9
    return forgedUpdate({ client: fresh(view), clock: 0, items: [item({ kind, content: [1, 1], parent: view.field })] })
  },
  unknownType: (view) =>
    forgedUpdate({
      client: fresh(view),
      clock: 0,
      items: [item({ ...TYPE(7 + view.random.below(9)), parent: view.field })],
    }),
  deep: (view) => {
    const client = fresh(view)
    const items = Array.from({ length: 200 }, (_each, clock) =>
      item({ ...TYPE(3, "p"), parent: clock === 0 ? view.field : [client, clock - 1] }),
    )
    return forgedUpdate({ client, clock: 0, items })
  },
  circle: (view) => {
    const [one, other] = [MAX_CLIENT + fresh(view), fresh(view)]
    const part = (client: number, origin: ForgedId) =>
      forgedUpdate({ client, clock: 0, items: [item({ ...text(view), origin })] }).subarray(1, -1)
    return Buffer.concat([Buffer.from([2]), part(one, [other, 0]), part(other, [one, 0]), Buffer.from([0])])
  },
  truncated: (view) => {
    const update = Y.encodeStateAsUpdate(view.doc)
    return update.subarray(0, 1 + view.random.below(Math.min(update.length - 1, 400)))
  },
  flipped: (view) => {
    const update = Uint8Array.from(added(view, fresh(view), 0))
    update[view.random.below(update.length)] = view.random.below(256)
    return update
  },
  secondEncoding: (view) => Y.convertUpdateFormatV1ToV2(added(view, fresh(view), 0)),
  random: ({ random }) => Uint8Array.from({ length: 1 + random.below(60) }, () => random.below(256)),
}

/** True if the update deletes what honest editors have typed. Every editor may do that. */
export function deletesText({ doc }: HostileView, update: Uint8Array): boolean {
  try {
    const { ds } = Y.decodeUpdate(update)
    return [...ds.clients].some(([client, ranges]) => ranges.some(({ clock }) => clock < Y.getState(doc.store, client)))
  } catch {
    return false
  }
}

/** Notes the numbers that the server has taken. */
export function noteUsed({ used }: HostileView, update: Uint8Array): void {
  for (const [client, clock] of Y.parseUpdateMeta(update).to) {
    used.set(client, Math.max(clock, used.get(client) ?? 0))
  }
}
