import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { htmlToText } from "../../src/features/email/html-to-text.ts"
import { leastMsOf } from "../least-time.ts"

test.each([
  ["paragraphs are apart", "<p>One</p><p>Two</p>\n<p>Three</p>", "One\n\nTwo\n\nThree"],
  ["lines of a block are below each other", "<div>One</div><div>Two</div>", "One\nTwo"],
  ["a break is a new line, two leave one empty", "a<br>b<br/><br />c", "a\nb\n\nc"],
  ["space between words is one space", "  a \n\t b<b> c</b> <i>d</i>e ", "a b c de"],
  [
    "a link shows where it leads",
    'See <a href="https://x.test/a?b=1&amp;c=2">the page</a>.',
    "See the page (https://x.test/a?b=1&c=2).",
  ],
  ["a link is followed by its own space", '<a href="https://x.test/">here </a>now', "here (https://x.test/) now"],
  ["a link that says its target says it once", '<a href="https://x.test/a">https://x.test/a</a>', "https://x.test/a"],
  ["an address that is a link is said once", '<a href="mailto:ann@x.test">ann@x.test</a>', "ann@x.test"],
  [
    "a link around a picture says its text",
    "<a href='https://x.test/'><img alt='Logo' src='l.png'></a>",
    "Logo (https://x.test/)",
  ],
  ["a link without a label is its target", '<a href="https://x.test/"><img src="l.png"></a>', "https://x.test/"],
  [
    "a link that leads nowhere from a mail is its label",
    '<a href="javascript:alert(1)">a</a> <a href="#top">b</a> <a>c</a>',
    "a b c",
  ],
  [
    "a target is the attribute of that name",
    '<a title="href=https://no.test" data-href="/no" href=https://x.test>a</a>',
    "a (https://x.test)",
  ],
  [
    "a link that is not closed ends with the next",
    '<a href="https://x.test/1">a <a href="https://x.test/2">b',
    "a (https://x.test/1) b (https://x.test/2)",
  ],
  ["bullets", "<p>We have:</p><ul><li>One</li><li>Two</li></ul>Bye", "We have:\n\n- One\n- Two\n\nBye"],
  ["numbers", "<ol><li>One<li>Two</ol>", "1. One\n2. Two"],
  ["lists in lists", "<ul><li>One<ol><li>In</li></ol></li><li><p>Two</p></li></ul>", "- One\n  1. In\n- Two"],
  ["an item without a list", "<li>One</li>", "- One"],
  ["a rule", "a<hr>b", "a\n\n---\n\nb"],
  [
    "cells have a space between them, rows a line",
    "<table><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></table>",
    "a b\nc",
  ],
  ["verbatim text keeps its lines", "<pre>a\n  b &lt;\r\nc</pre>d", "a\n  b <\nc\n\nd"],
  ["entities", "&lt;b&gt; &amp;amp; &quot;&apos;&#39;&#x41;&#65; &auml;&nbsp;&euro; &mdash;", "<b> &amp; \"''AA ä € —"],
  ["what is no entity stays", "AT&T &unknown; &; &#; &#xZZ; &copy 1 & 2", "AT&T &unknown; &; &#; &#xZZ; &copy 1 & 2"],
  ["a number that is no character", "a&#0;&#xD800;&#1114112;b", "a\ufffd\ufffd\ufffdb"],
  [
    "what is not for people",
    "<head><title>T</title><STYLE>p{}</STYLE></head><!-- no --><script>1 < 2</script><!doctype html>a",
    "a",
  ],
  ["a smaller sign is no tag", "1 < 2 and 3 > 2, <3", "1 < 2 and 3 > 2, <3"],
  ["a bracket in an attribute ends no tag", '<p title="a > b">c</p>', "c"],
  ["a quote that is never closed is none", "<p title=don't>c</p>d", "c\n\nd"],
  ["a tag that never ends is text", "a <b c", "a <b c"],
  ["a script that never ends is not shown", "a<script>b", "a"],
  ["nothing", "", ""],
])("%s", (_name, html, text) => {
  expect(htmlToText(html)).toBe(text)
})

// Ten times as much may take ten times as long, and then some for a busy machine; squared it would be a hundred times.
describe("takes time in proportion to what it is given", () => {
  test.each([
    ["opened tags", "<a "],
    ["opened lists", "<ul><li>"],
    ["quotes", `<a '"`],
    ["closed quotes", `<a '">`],
    ["comments", "<!--"],
    ["scripts", "<script>"],
    ["ends of scripts", "</script"],
    ["ampersands", "&#x"],
    ["spaces", " "],
    ["hard spaces", "&nbsp;"],
    ["links", '<a href="https://x.test">'],
    ["attributes", "<a href = 'x' href"],
    ["closing tags", "</ul></a>"],
    ["brackets", "<"],
  ])("%s", (_name, part) => {
    const count = Math.floor(50_000 / part.length)
    const time = (times: number) => {
      const html = part.repeat(times)
      return leastMsOf(() => void htmlToText(html))
    }
    time(count)

    const small = time(count)
    const large = time(count * 10)

    expect(large).toBeLessThan(Math.max(small, 2) * 40)
  })
})

test("never fails, and leaves no space at the end of a line", () => {
  const pieces = [
    "<a href='https://x.test'>",
    "</a>",
    "<ul>",
    "<li>",
    "</ul>",
    "<br>",
    "<pre>",
    "</pre>",
    "<p",
    ">",
    '"',
    "&#10;",
    " ",
    "x",
    "\n",
  ]
  const html = fc.array(fc.constantFrom(...pieces), { maxLength: 40 }).map((parts) => parts.join(""))

  fc.assert(
    fc.property(html, (given) => {
      const text = htmlToText(given)
      expect(text).toBe(text.trim())
      expect(text).not.toMatch(/[ \t]\n/)
    }),
  )
})
