"use client"

import { useLive } from "kit/react"
import { ALL, client } from "./client.ts"

export function Todos() {
  const { status, data } = useLive(client.collections.todos, ALL)
  return (
    <ul data-status={status}>
      {data?.docs.map(({ id, title }) => (
        <li key={id}>{title}</li>
      ))}
    </ul>
  )
}
