import { useEffect, useState } from "react"
import { client } from "../client.ts"
import { useFollowSchedules } from "./rooms.tsx"
import type { Stage } from "./stages.ts"

const { articles } = client.collections

interface Scheduled {
  readonly id: string
  readonly stage: Stage
  /** False for users who may not publish: they cannot see what is scheduled. */
  readonly isEditor: boolean
}

/** The time at which an article will be published, or undefined; and a function that shows another one. */
export function usePendingTransition({ id, stage, isEditor }: Scheduled) {
  const followSchedules = useFollowSchedules()
  const [scheduledAt, show] = useState<Date>()
  const isAsked = isEditor && stage === "review"
  // A transition is pending outside of the record, so no live query shows it. The room of the team announces it.
  useEffect(() => {
    if (!isAsked) return undefined
    let reading = new AbortController()
    const read = () => {
      reading.abort()
      reading = new AbortController()
      articles.findTransition({ id }, { signal: reading.signal }).then(
        (pending) => show(pending?.scheduledAt),
        () => {
          // The time that was shown stays. The next announcement reads it again.
        },
      )
    }
    const unsubscribe = followSchedules((changed) => {
      if (changed === undefined || changed === id) read()
    })
    read()
    return () => {
      unsubscribe()
      reading.abort()
    }
  }, [id, isAsked, followSchedules])
  return [isAsked ? scheduledAt : undefined, show] as const
}
