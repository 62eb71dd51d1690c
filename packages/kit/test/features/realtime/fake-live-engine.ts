import type { OperationContext } from "../../../src/engine/context/operation-context.ts"
import type { LiveEngine } from "../../../src/features/realtime/live-engine.ts"
import type { Connection } from "../../../src/ports/database.ts"
import type { MessageBus } from "../../../src/ports/message-bus.ts"

/** An engine whose database never answers, except for the members that a test replaces. */
export function fakeLiveEngine(own: Partial<LiveEngine> = {}): LiveEngine {
  const never = new Promise<never>(() => {})
  return {
    instance: "one",
    hasShortcuts: true,
    connection: { query: () => never } as unknown as Connection,
    bus: { publish: () => {} } as Partial<MessageBus> as MessageBus,
    runAs: (_client, task) => task({} as OperationContext),
    readSession: () => never,
    reportsSessionChanges: true,
    forgetSessions: () => {},
    isTemporary: () => false,
    onError: () => {},
    ...own,
  }
}
