import { expect, test } from "vitest"
import { spaceFinding } from "../../src/app/doctor/space-checks.ts"

const MEGABYTE = 1024 * 1024

test.each([
  [5_000 * MEGABYTE, "ok", "uploaded files: 4.9 GB free on the disk"],
  [1_000 * MEGABYTE, "warn", "uploaded files: 1000 MB free on the disk"],
  [3 * MEGABYTE, "fail", "uploaded files: 3 MB free on the disk, which is full: writes are refused"],
])("%d free bytes are %s", (freeBytes, status, message) => {
  expect(spaceFinding("uploaded files", freeBytes)).toMatchObject({ status, message })
})
