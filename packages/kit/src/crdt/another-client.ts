import { type Awareness, removeAwarenessStates } from "y-protocols/awareness"
import type * as Y from "yjs"

const CLIENT_IDS = 2 ** 32

/** Lets a replica make its next edits, and show its state to others, as another client of Yjs. */
export function useAnotherClient(doc: Y.Doc, awareness: Awareness): void {
  const state = awareness.getLocalState()
  removeAwarenessStates(awareness, [awareness.clientID], "local")
  doc.clientID = Math.floor(Math.random() * CLIENT_IDS)
  awareness.clientID = doc.clientID
  awareness.setLocalState(state)
}
