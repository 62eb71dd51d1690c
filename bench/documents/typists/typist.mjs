import { ChannelTypist } from "./channel-typist.mjs"
import { DocumentTypist } from "./document-typist.mjs"
import { HocuspocusTypist } from "./hocuspocus-typist.mjs"

/**
 * @typedef {{ client: number, from: number, to: number }} Strokes  the keystrokes of a client, up to but without `to`
 * @typedef {{ port: number, room: string, cookie: string, onReceived: (receiver: number, strokes: Strokes) => void }} TypistOptions
 *   `room` is the record whose document is edited, or the name of the document
 * @typedef {{ client: number, ready: Promise<unknown>, type: (below: (bound: number) => number) => number, close: () => void }} Typist
 * @typedef {keyof typeof TYPISTS} Side
 */

/** The typists of each side of the measurement. */
export const TYPISTS = {
  document: DocumentTypist,
  channel: ChannelTypist,
  hocuspocus: HocuspocusTypist,
  "hocuspocus, stored": HocuspocusTypist,
}
