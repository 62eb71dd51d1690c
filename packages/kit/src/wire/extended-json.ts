// Placeholder until the codec arrives: its author replaces this whole file.
export type ExtendedType = "Date" | "Map" | "Set" | "BigInt" | "undefined"
export type ExtendedMeta = Readonly<Record<string, ExtendedType>>
export const encodeWithMeta = (value: unknown, meta: ExtendedMeta | undefined): string => JSON.stringify({ json: value, meta: meta && { values: meta } })
export const decodeExtended = (envelope: unknown): unknown => (envelope as { json: unknown }).json
export const parseJsonBody = (text: string): unknown => JSON.parse(text)
export const isExtendedHeader = (value: string | null): boolean => value === "1" || value === "true"
export const encodeExtended = (value: unknown): string => JSON.stringify({ json: value })
