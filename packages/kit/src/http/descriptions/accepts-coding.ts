const MAX_CHARACTERS = 1000

/** True if the Accept-Encoding header allows the coding: by its name, or by `*`, with a weight above 0. */
export function acceptsCoding(header: string | null, coding: "gzip" | "br"): boolean {
  const weights = new Map((header ?? "").slice(0, MAX_CHARACTERS).split(",").map(readCoding))
  return (weights.get(coding) ?? weights.get(`x-${coding}`) ?? weights.get("*") ?? 0) > 0
}

function readCoding(part: string): readonly [string, number] {
  const [name = "", ...parameters] = part.split(";").map((piece) => piece.trim().toLowerCase())
  const weight = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2)
  // A weight that is not a number counts as 0: the response is then sent as it is, which every caller can read.
  return [name, weight === undefined ? 1 : Number(weight) || 0]
}
