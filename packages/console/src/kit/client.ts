import { createClient } from "kit/client"
import { boot } from "./boot.ts"

/** The client of the whole console. It acts as the person who has signed in, and has no other rights. */
export const client = createClient({ baseURL: location.origin, basePath: boot.apiBase })
