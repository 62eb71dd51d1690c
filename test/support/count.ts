/** Returns how often an experiment repeats: a few times in the normal tests, the full count in `npm run test:long`. */
export function count({ short, long }: { readonly short: number; readonly long: number }): number {
  return process.env["KIT_TEST_LONG"] === "1" ? long : short
}
