// Everything random in a run comes from here, so that both sides and every run get the same values.

/** Returns a whole number below `limit` that depends only on `index`. @param {number} index @param {number} limit */
export function draw(index, limit) {
  return scramble(index, 1) % limit
}

/** @param {number} number the number of a post in the workload */
export function postId(number) {
  return uuidOf(number, 2)
}

/** @param {number} number the number of an author in the workload */
export function authorId(number) {
  return uuidOf(number, 3)
}

/** No two seeded posts have the same time, so lists have a definite order. @param {number} number */
export function createdAt(number) {
  return new Date(1.69e12 + number * 1000).toISOString()
}

/** @param {number} number @param {number} stream */
function uuidOf(number, stream) {
  const hex = [0, 1, 2, 3]
    .map((part) =>
      scramble(number, stream * 4 + part)
        .toString(16)
        .padStart(8, "0"),
    )
    .join("")
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`
}

/** Maps distinct numbers of one stream to distinct 32-bit numbers. @param {number} number @param {number} stream */
function scramble(number, stream) {
  let bits = (number + Math.imul(stream, 0x9e3779b1)) | 0
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b)
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35)
  return (bits ^ (bits >>> 16)) >>> 0
}
