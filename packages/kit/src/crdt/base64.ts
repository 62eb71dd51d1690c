// A call has a limited number of arguments, so the bytes are converted in parts of this size.
const PART_BYTES = 8_192

export function toBase64(bytes: Uint8Array): string {
  let characters = ""
  for (let start = 0; start < bytes.length; start += PART_BYTES) {
    characters += String.fromCharCode(...bytes.subarray(start, start + PART_BYTES))
  }
  return btoa(characters)
}

export function fromBase64(text: string): Uint8Array {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
}
