import { expect, test } from "vitest"
import { fileHeaders } from "../../src/http/web/file-headers.ts"

test.each([
  "index-4f9c01ab.js",
  "app.Bx7Qk2Lm.css",
  "chunk-B-3_x9aZ.js",
  "main.3f2a9c1b77de01aa5521.js",
  "main.3f2a9c1b77de01aa5521.js.map",
])("the name %s has a hash, so browsers keep the file for good", (name) => {
  expect(fileHeaders(name)["cache-control"]).toBe("public, max-age=31536000, immutable")
})

test.each([
  "index.html",
  "page-4f9c01ab.html",
  "apple-touch-icon.png",
  "apple-touch-icon-180x180.png",
  "my-component.js",
  "report-20260101.pdf",
  "annual-Report24.pdf",
  "annual-Report2024Q1.pdf",
  "deadbeef-decade.js",
  "jquery-3.7.1.min.js",
  "4f9c01ab",
])("the name %s has none, so browsers ask whether the file has changed", (name) => {
  expect(fileHeaders(name)["cache-control"]).toBe("no-cache")
})

test.each([
  ["logo.SVG", "image/svg+xml; charset=utf-8"],
  ["font.woff2", "font/woff2"],
  ["program.exe", "application/octet-stream"],
  ["constructor", "application/octet-stream"],
  ["x.__proto__", "application/octet-stream"],
])("the type of %s is %s", (name, type) => {
  expect(fileHeaders(name)["content-type"]).toBe(type)
})
