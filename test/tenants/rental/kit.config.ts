import { defineConfig, signedCookieSessions } from "kit"

export default defineConfig({ basePath: "/api", sessions: signedCookieSessions({ secret: "a secret for tests only" }) })
