import { createClient } from "kit/client"
import type { AppConfig } from "../generated/index.ts"

// The address of the example todo, which runs as a server of its own.
export const client = createClient<AppConfig>({ baseURL: process.env.NEXT_PUBLIC_KIT_URL ?? "", basePath: "/api" })
export const ALL = { orderBy: { createdAt: "asc" }, limit: 100 } as const
