import { describe, expect, test } from "vitest"
import { contentType } from "../../../src/features/uploads/content-type.ts"
import { imageSize } from "../../../src/features/uploads/image-size.ts"

const latin = (text: string) => Buffer.from(text, "latin1")
const box = (brands: string) => latin(`\0\0\0${String.fromCharCode(8 + brands.length)}ftyp${brands}`)

describe("the type of a file by its content", () => {
  test.each([
    ["image/png", latin("\x89PNG\r\n\x1a\n....")],
    ["image/jpeg", latin("\xff\xd8\xff\xe0..")],
    ["image/gif", latin("GIF89a....")],
    ["image/webp", latin("RIFF....WEBPVP8 ")],
    ["image/avif", box("avif\0\0\0\0mif1")],
    ["image/avif", box("mif1\0\0\0\0miafavif")],
    ["video/mp4", box("isom\0\0\x02\0iso2mp41")],
    ["video/webm", latin("\x1aE\xdf\xa3\x9fB\x86\x81\x01B\xf7\x81\x01B\xf2\x81\x04B\xf3\x81\x08B\x82\x84webm")],
    ["application/pdf", latin("%PDF-1.7\n")],
    ["audio/mpeg", latin("ID3\x04")],
    ["audio/mpeg", latin("\xff\xfb\x90\x64")],
    ["application/zip", latin("PK\x03\x04....")],
    ["image/svg+xml", Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
    ["image/svg+xml", Buffer.from('\ufeff<?xml version="1.0"?>\n<!-- x --><svg>')],
    ["image/svg+xml", Buffer.from("<!-- <p> --><SVG onload=alert(1)>")],
    ["application/xml", Buffer.from('<?xml version="1.0"?><feed/>')],
    ["text/html", Buffer.from("<!DOCTYPE HTML><p>")],
    ["text/html", Buffer.from("\n\t <ScRiPt>alert(1)</script>")],
    ["text/html", Buffer.from("<!-- hi --><p>")],
    ["text/plain", Buffer.from("a < b, and Größe 東京")],
    ["text/plain", Buffer.from("<unknown>")],
    ["application/octet-stream", latin("\0\x01\x02\x03")],
    ["application/octet-stream", latin("caf\xe9")],
    ["application/octet-stream", Buffer.from("MZ\0\0")],
    ["application/octet-stream", box("qt  \0\0\0\0qt  ")],
  ])("%s", (type, head) => {
    expect(contentType(head)).toBe(type)
  })

  test("is text where a character is cut in two at the end of what is looked at", () => {
    expect(contentType(Buffer.from(`a${"ö".repeat(4000)}`).subarray(0, 4096))).toBe("text/plain")
    expect(contentType(Buffer.from("aö").subarray(0, 2))).toBe("application/octet-stream")
  })
})

describe("the size of a picture", () => {
  const jpeg = [
    [0xff, 0xd8, 0xff, 0xe0, 0, 4, 1, 2],
    [0xff, 0xff, 0xc4, 0, 3, 0],
    [0xff, 0xc2, 0, 17, 8, 0x01, 0x2c, 0x02, 0x58, 3, 1, 1, 1],
  ].flat()

  test.each([
    ["image/png", Buffer.from("89504e470d0a1a0a0000000d49484452000003200000025808", "hex"), [800, 600]],
    ["image/gif", latin("GIF89a\x20\x03\x58\x02"), [800, 600]],
    ["image/jpeg", Buffer.from(jpeg), [600, 300]],
    ["image/webp", latin("RIFF....WEBPVP8 ....\0\0\0\x9d\x01\x2a\x20\x03\x58\x02"), [800, 600]],
    ["image/webp", latin("RIFF....WEBPVP8L....\x2f\x1f\xc3\x95\0"), [800, 600]],
    ["image/webp", latin("RIFF....WEBPVP8X....\0\0\0\0\x1f\x03\0\x57\x02\0"), [800, 600]],
    ["image/png", latin("\x89PNG\r\n\x1a\n"), undefined],
    ["image/jpeg", Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0xff, 0xff, 0, 0, 0, 0, 0, 0]), undefined],
    ["image/jpeg", Buffer.from([0xff, 0xd8, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]), undefined],
    ["text/plain", latin("words"), undefined],
  ])("%s %#", (type, head, size) => {
    const found = imageSize(type, head)

    expect(found && [found.width, found.height]).toEqual(size)
  })
})
