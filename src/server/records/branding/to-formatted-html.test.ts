import { expect, test } from 'vitest'
import { measureCpuTimeUs } from '#tests/support/cpu-cost.ts'
import * as fc from '#tests/support/fast-check.ts'
import { toFormattedHtml } from './to-formatted-html.ts'

test('bold words, links and lists are formatted, and lines stay lines', async () => {
  const html = await toFormattedHtml(
    'Welcome to **my practice**.\nRing the bell.\n\n- by bus\n- by [train](https://trains.example/a?b=1)\n\n1. one\n2. two',
  )
  expect(html).toContain('<p>Welcome to <strong>my practice</strong>.<br>\nRing the bell.</p>')
  expect(html).toContain('<li>by bus</li>')
  expect(html).toContain(
    '<a href="https://trains.example/a?b=1" rel="noopener nofollow ugc" target="_blank">train</a>',
  )
  expect(html).toContain('<ol>\n<li>one</li>')
})

test('an address that is written out is a link', async () => {
  expect(await toFormattedHtml('See https://practice.example/way.')).toContain(
    '<a href="https://practice.example/way" rel="noopener nofollow ugc" target="_blank">',
  )
})

test.each([
  ['[a]()', '<p>[a]()</p>'],
  ['[a](  )', '<p>[a]()</p>'],
  ['[]()', '<p>[]()</p>'],
  ['[**a**]() and [b](https://b.example)', '<p>[<strong>a</strong>]() and <a href="https://b.example" '],
])('a link without an address, %s, stays text', async (text, expected) => {
  expect(await toFormattedHtml(text)).toContain(expected)
})

test.each([
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '[a](javascript:alert(1))',
  '[a](JaVaScRiPt:alert(1))',
  '[a](  javascript:alert(1))',
  '[a](java&#115;cript:alert(1))',
  '[a](data:text/html,<script>alert(1)</script>)',
  '[a](vbscript:x)',
  '[a](/logout)',
  '[a](//evil.example)',
  '[a](https://x.example "onmouseover=alert(1) \\" x")',
  '![a](https://evil.example/x.png)',
  '<https://evil.example/"onclick=alert(1)>',
  '[a][b]\n\n[b]: javascript:alert(1)',
  '# Heading\n\n> quote\n\n```\ncode\n```\n\n---',
  '&lt;script&gt;alert(1)&lt;/script&gt;',
])('%s becomes text', async (text) => {
  expectSafe(await toFormattedHtml(text))
})

test('whatever is typed, the HTML has only known elements and harmless links', async () => {
  const pieces = [
    '<',
    '>',
    '"',
    "'",
    '&',
    '[',
    ']',
    '(',
    ')',
    '**',
    '*',
    '- ',
    '1. ',
    '\n',
    '\n\n',
    '!',
    '`',
    '#',
    '\\',
  ]
  const words = [
    'javascript:',
    'https://a.example',
    'script',
    'img',
    ' onerror=',
    'a',
    '&#x6a;',
    '\u0000',
    '\u202e',
  ]
  const anyText = fc.array(fc.constantFrom(...pieces, ...words), { maxLength: 40 }).map((all) => all.join(''))
  await fc.assert(
    fc.asyncProperty(anyText, async (text) => expectSafe(await toFormattedHtml(text))),
    { numRuns: 2_000 },
  )
})

test('20,000 characters of the worst kind are formatted in a moment', async () => {
  for (const worst of ['[', '*', '- ', '[a](', '&', '\\', 'https://', '1. ', '**a', '\n- - - ']) {
    const text = worst.repeat(20_000 / worst.length)
    // Measure processor time, which other programs on the machine do not change.
    expect(await measureCpuTimeUs(async () => expectSafe(await toFormattedHtml(text)))).toBeLessThan(
      2_000_000,
    )
  }
})

function expectSafe(html: string): void {
  for (const [tag] of html.matchAll(/<[^>]*>?/g)) {
    expect(tag).toMatch(
      /^<(\/?(p|strong|em|ul|ol|li|a)|br|ol start="\d+"|a href="(https?:\/\/|mailto:|tel:)[^"<>]*"( title="[^"<>]*")? rel="noopener nofollow ugc" target="_blank")>$/i,
    )
  }
}
