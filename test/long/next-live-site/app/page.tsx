import { KitProvider, preload } from "kit/react"
import { headers } from "next/headers"
import { ALL, client } from "./client.ts"
import { Todos } from "./todos.tsx"

// Rendered for each request, with the rights of the person who has sent it.
export default async function Page() {
  const todos = await preload(client.collections.todos, ALL, { headers: await headers() })
  return (
    <KitProvider initial={[todos]}>
      <Todos />
    </KitProvider>
  )
}
