import { describe, expect, test } from "vitest"
import { readRange } from "../../../src/features/uploads/byte-range.ts"
import { parseDisposition } from "../../../src/features/uploads/disposition.ts"
import { makeKey, readPath } from "../../../src/features/uploads/file-key.ts"
import { cleanFileName, contentDisposition } from "../../../src/features/uploads/file-name.ts"
import { boundaryOf, readParts } from "../../../src/features/uploads/multipart.ts"

const TRICKY = "\r\n--xyz\r\n--xy\r\r\n-\r\n--\r\nxyz--".replaceAll("xyz", "xya")
const FORM = Buffer.from(
  [
    "--xyz",
    'content-disposition: form-data; name="a"',
    "",
    "",
    "--xyz",
    'Content-Type: text/plain\r\nContent-Disposition: form-data; name="file"; filename="b.txt"',
    "",
    TRICKY,
    "--xyz--",
    "",
  ].join("\r\n"),
)

async function read(pieces: readonly Uint8Array[], boundary = "xyz") {
  const parts: (readonly [string, string | undefined, string])[] = []
  const source = (async function* () {
    yield* pieces
  })()
  for await (const { name, filename, body } of readParts(source, boundary)) {
    const chunks: Uint8Array[] = []
    for await (const bytes of body) chunks.push(bytes)
    parts.push([name, filename, Buffer.concat(chunks).toString()])
  }
  return parts
}

function cut(bytes: Buffer, size: number): Buffer[] {
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) => bytes.subarray(at * size, (at + 1) * size))
}

describe("a form", () => {
  test.each([1, 2, 3, 5, 7, 8, 9, 16, 64, 10_000])("is the same in pieces of %i bytes", async (size) => {
    expect(await read(cut(FORM, size))).toEqual([
      ["a", undefined, ""],
      ["file", "b.txt", TRICKY],
    ])
  })

  test("that ends too early is refused wherever it ends", async () => {
    for (let length = 0; length < FORM.length - 2; length += 1) {
      await expect(read([FORM.subarray(0, length)])).rejects.toMatchObject({ code: "BAD_REQUEST" })
    }
  })

  test("that is empty has no parts", async () => {
    expect(await read([Buffer.from("--xyz--\r\n")])).toEqual([])
  })

  test.each([
    ["multipart/form-data; boundary=abc", "abc"],
    ['Multipart/Form-Data; charset=utf-8; BOUNDARY="a b:c"', "a b:c"],
    ["multipart/form-data; boundary=----WebKitFormBoundaryAbC123", "----WebKitFormBoundaryAbC123"],
  ])("%s names its boundary", (type, boundary) => {
    expect(boundaryOf(type)).toBe(boundary)
  })

  test.each([
    null,
    "",
    "multipart/form-data",
    "multipart/form-data; boundary=",
    "multipart/mixed; boundary=a",
    'multipart/form-data; boundary="a"b"',
  ])("%s names none", (type) => {
    expect(() => boundaryOf(type)).toThrow()
  })
})

describe("the name of a part", () => {
  test.each([
    ['form-data; name="file"; filename="a.png"', { name: "file", filename: "a.png" }],
    ["form-data; name=file; filename=a.png", { name: "file", filename: "a.png" }],
    ['form-data; name="file"; filename="say %22hi%22.png"', { name: "file", filename: 'say "hi".png' }],
    ['form-data; name="file"; filename="say \\"hi\\".png"', { name: "file", filename: 'say "hi".png' }],
    ['form-data; name="file"; filename="C:\\temp\\a.png"', { name: "file", filename: "C:\\temp\\a.png" }],
    [`form-data; name="file"; filename="x"; filename*=UTF-8''%E6%9D%B1.png`, { name: "file", filename: "東.png" }],
    [`form-data; name="file"; filename="x"; filename*=UTF-8''%E6%9`, { name: "file", filename: "x" }],
    ['form-data; name="a"', { name: "a", filename: undefined }],
  ])("%s", (value, expected) => {
    expect(parseDisposition(`X-Other: 1\r\ncontent-disposition: ${value}`)).toEqual(expected)
  })

  test.each(['attachment; name="a"', "form-data", 'form-data; filename="a"'])("%s is none", (value) => {
    expect(() => parseDisposition(`Content-Disposition: ${value}`)).toThrow("no name")
  })
})

describe("a file", () => {
  test("has a key of which only the folder is the caller's", () => {
    const now = new Date("2026-05-04T10:30:00Z")

    expect(makeKey({ path: readPath("Team/a_b-1"), mimeType: "image/png", now })).toMatch(
      /^team\/a_b-1\/2026\/05\/[0-9a-f-]{36}\.png$/,
    )
    expect(makeKey({ path: "", mimeType: "x/y", now })).toMatch(/^2026\/05\/[0-9a-f-]{36}\.bin$/)
  })

  test.each([
    ["docs/", "docs"],
    ["/docs", "docs"],
    ["/Team/photos/", "team/photos"],
    ["/", ""],
    ["", ""],
    [`/${"x".repeat(200)}/`, "x".repeat(200)],
  ])("is put into the folder %j without the slashes at its ends", (path, folder) => {
    expect(readPath(path)).toBe(folder)
  })

  test.each([
    "..",
    "a/..",
    "/..",
    "../",
    "//a",
    "a//",
    "//",
    "a//b",
    "/.",
    "\\a/",
    "a b",
    "a.b",
    "a\\b",
    "ä",
    "a\0",
    "a/b/c/d/e/f/g/h/i",
    "x".repeat(201),
  ])("is not put into %j", (path) => {
    expect(() => readPath(path)).toThrow("path")
  })

  test("has a name that is shown without what misleads", () => {
    expect(cleanFileName("a/b\\c\u200f\u0007.png ")).toBe("c.png")
    expect(cleanFileName("\ud800")).toBe("file")
    expect([...cleanFileName("🎉".repeat(300))].length).toBe(255)
    expect(contentDisposition("attachment", "a\"\\ (ü)'*.png")).toBe(
      "attachment; filename=\"a__ (_)'*.png\"; filename*=UTF-8''a%22%5C%20%28%C3%BC%29%27%2A.png",
    )
  })

  test("has no part beyond what a number can count", () => {
    expect(readRange("bytes=0-99999999999999999999", 10)).toBe("unsatisfiable")
    expect(readRange("bytes=0-999999999999999", 10)).toEqual({ start: 0, end: 10 })
  })
})
