const MAX_CHARACTERS = 1000

/** True if the Accept-Encoding header allows gzip: by its name, or by `*`, with a weight above 0. */
export function acceptsGzip(header: string | null): boolean {
  const weights = new Map((header ?? "").slice(0, MAX_CHARACTERS).split(",").map(readCoding))
  return (weights.get("gzip") ?? weights.get("x-gzip") ?? weights.get("*") ?? 0) > 0
}

function readCoding(part: string): readonly [string, number] {
  const [name = "", ...parameters] = part.split(";").map((piece) => piece.trim().toLowerCase())
  const weight = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2)
  // A weight that is not a number counts as 0: the response is then sent as it is, which every caller can read.
  return [name, weight === undefined ? 1 : Number(weight) || 0]
}
