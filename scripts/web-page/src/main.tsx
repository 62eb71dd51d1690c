import { QueryClient, QueryClientProvider, useQuery } from "@tanstack/react-query"
import { createClient } from "kit/client"
import { useLive } from "kit/react"
import { queryOptions } from "kit/tanstack"
import { createRoot } from "react-dom/client"
import type { AppConfig } from "../../app/src/generated/index.ts"

const client = createClient<AppConfig>({ baseURL: location.origin, basePath: "/api" })
const q = queryOptions(client)
const queries = new QueryClient()

function Titles() {
  const posts = useLive(client.collections.posts, { columns: { title: true }, limit: 20 })
  const total = useQuery(q.posts.count()).data
  if (!posts.data) return posts.status
  const titles: string[] = posts.data.docs.map(({ title }) => title)
  return `${total} posts, among them: ${titles.join(", ")}`
}

const page = (
  <QueryClientProvider client={queries}>
    <Titles />
  </QueryClientProvider>
)
createRoot(document.body).render(page)
