import { kitRoutes } from "kit/adapters/next"
import { openApp } from "../../../src/generated/app.ts"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = kitRoutes(() => openApp({ worker: true }))
