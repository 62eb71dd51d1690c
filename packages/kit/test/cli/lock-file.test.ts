import { expect, test } from "vitest"
import { type LockedPackages, lockFor } from "../../src/cli/project/lock-file.ts"

const TESTED: LockedPackages = {
  "": { dependencies: { linter: "1" } },
  "packages/kit": {
    version: "0.1.0",
    dependencies: { pg: "8", zed: "1" },
    devDependencies: { linter: "1" },
    optionalDependencies: { "@db/linux": "18" },
    peerDependencies: { redis: "6", kysely: "0.28" },
    peerDependenciesMeta: { redis: { optional: true } },
  },
  "packages/kit/node_modules/zed": { version: "1.5.0", dependencies: { deep: "1" } },
  "node_modules/zed": { version: "2.0.0", dev: true },
  "node_modules/deep": { version: "1.1.0" },
  "node_modules/pg": { version: "8.1.0", dependencies: { deep: "0" } },
  "node_modules/pg/node_modules/deep": { version: "0.9.0" },
  "node_modules/@db/linux": { version: "18.4.0", optional: true, os: ["linux"] },
  "node_modules/kysely": { version: "0.28.1" },
  "node_modules/redis": { version: "6.0.0", dev: true },
  "node_modules/linter": { version: "1.0.0", dev: true },
  "node_modules/zod": { version: "4.6.7", devOptional: true },
}

test("a new app is locked to the tested versions of what it and kit need, and to nothing else", () => {
  const manifest = { dependencies: { zod: "^4.0.0" }, devDependencies: { unknown: "1" } }

  const lock = lockFor({ name: "blog", manifest, kit: "file:vendor/kit.tgz" }, TESTED)

  expect(lock).toMatchObject({ name: "blog", lockfileVersion: 3 })
  expect(lock).toHaveProperty("packages", {
    "": {
      name: "blog",
      dependencies: { zod: "^4.0.0", kit: "file:vendor/kit.tgz" },
      devDependencies: { unknown: "1" },
    },
    "node_modules/@db/linux": { version: "18.4.0", optional: true, os: ["linux"] },
    "node_modules/deep": { version: "1.1.0" },
    "node_modules/kit": {
      version: "0.1.0",
      resolved: "file:vendor/kit.tgz",
      dependencies: { pg: "8", zed: "1" },
      optionalDependencies: { "@db/linux": "18" },
      peerDependencies: { redis: "6", kysely: "0.28" },
      peerDependenciesMeta: { redis: { optional: true } },
    },
    "node_modules/kit/node_modules/zed": { version: "1.5.0", dependencies: { deep: "1" } },
    "node_modules/kysely": { version: "0.28.1" },
    "node_modules/pg": { version: "8.1.0", dependencies: { deep: "0" } },
    "node_modules/pg/node_modules/deep": { version: "0.9.0" },
    "node_modules/zod": { version: "4.6.7" },
  })
})
