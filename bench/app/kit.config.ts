import { defineConfig } from "kit"

// The limit is high because all subscribers of the live rows come from one address.
export default defineConfig({ app: { name: "bench" }, basePath: "/", realtime: { connectionsPerAddress: 5_000 } })
