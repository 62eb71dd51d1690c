/** How values are written, wherever they are shown. */
export const values = {
  yes: "yes",
  no: "no",
  now: "now",
  minutes: (count: number) => `${count} min`,
  today: (time: string) => `today, ${time}`,
  yesterday: "yesterday",
  tomorrow: "tomorrow",
  parts: (count: number) => (count === 1 ? "1 part" : `${count} parts`),
  changedSince: "Changed since it was published",
}
