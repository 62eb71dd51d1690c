import type { Session } from "kit"
import {
  type CollaborativeDocument,
  type CrdtClient,
  type CrdtOptions,
  createCrdtClient,
  type EditorSchema,
} from "kit/crdt"
import { onTestFinished } from "vitest"
import type { TestApp } from "../support/worlds/test-app.ts"

/** A collaborative client of a user, whose documents are destroyed with the test. */
export function crdtOf({ client }: TestApp, session?: Session, { locale, ...options }: CrdtOptions & Located = {}) {
  const base = client(session, { realtime: { pauseHidden: false } })
  // The client without types has this method, too.
  if (locale !== undefined) Reflect.get(base, "setLocale").call(base, locale)
  const crdt = createCrdtClient(base, options)
  onTestFinished(() => crdt.clear())
  return { crdt, documentOf: documentIn(crdt), realtime: base.realtime }
}

interface Located {
  readonly locale?: string
}

function documentIn({ collections }: CrdtClient) {
  return (
    resource: string,
    options: { id: string; field?: string; locale?: string; schema?: EditorSchema | undefined },
  ): CollaborativeDocument => {
    const document = collections[resource]?.document(options)
    if (!document) throw new Error("A client has every collection.")
    return document
  }
}
