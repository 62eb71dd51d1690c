import type { NextConfig } from "next"

const config: NextConfig = { serverExternalPackages: ["kit"] }

export default config
