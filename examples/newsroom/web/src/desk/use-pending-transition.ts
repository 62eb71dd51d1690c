import { useEffect, useState } from "react"
import { client } from "../client.ts"
import { useScheduledTimes } from "./rooms.tsx"
import type { Stage } from "./stages.ts"

const { articles } = client.collections

interface Watched {
  readonly id: string
  readonly stage: Stage
  /** False for users who may not publish: they cannot see what is scheduled. */
  readonly isEditor: boolean
}

/** The time at which an article will be published; undefined if none is set. */
export function usePendingTransition({ id, stage, isEditor }: Watched): Date | undefined {
  const times = useScheduledTimes(id)
  const [scheduledAt, setScheduledAt] = useState<Date>()
  const isAsked = isEditor && stage === "review"
  // A transition is pending outside of the record, so no live query shows it. The room of the team announces it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: `times` says that there is something new to read.
  useEffect(() => {
    if (!isAsked) return undefined
    const controller = new AbortController()
    articles.findTransition({ id }, { signal: controller.signal }).then(
      (pending) => setScheduledAt(pending?.scheduledAt),
      () => {},
    )
    return () => controller.abort()
  }, [id, isAsked, times])
  return isAsked ? scheduledAt : undefined
}
