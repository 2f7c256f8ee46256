import { expect, test } from 'vitest'
import * as fc from '#tests/support/fast-check.ts'
import { hasLink, REMOVED_LINK_TEXT, removeLinks } from './typed-links.ts'

test.each([
  'https://evil.example',
  'HTTP://EVIL.EXAMPLE',
  'hxxp://evil.example',
  'javascript:alert(1)',
  'mailto:me@evil.example',
  'tel:+49900123',
  'www.evil',
  'evil.com',
  'evil.com/free',
  'Evil.Com.',
  '(evil.com)',
  'see:evil.com,now',
  'me@evil.com',
  'me@evil',
  '@evil',
  '@_evil',
  '192.0.2.1/x',
  // Without a scheme: one-letter domains, other scripts and symbols, a bare host name, and a host after user info.
  '//evil.example',
  '//0.đ',
  '//д.я',
  '//€.💩',
  '//localhost',
  '//me:secret@0.đ',
  '(//0.đ)',
  '／／0．đ',
  '//0。đ',
  '//例子｡中',
  '/\u200b/\u200b0\u200b.đ',
  '\\\\evil\\share',
  'пример.рф',
  'evil.xn--p1ai',
  '💩.la',
  // Zero-width space, soft hyphen, word joiner, right-to-left override.
  'evil\u200b.\u200bcom',
  'ev\u00adil.com',
  'evil.\u2060com',
  'evil\u202e.com',
  'ht\u200btps:\u200b//evil',
  // Full-width letters, dots, colon and slashes; the ideographic full stop and its half-width form.
  'evil．com',
  'ｅｖｉｌ．ｃｏｍ',
  'https：／／evil',
  'evil。com',
  'evil｡com',
  'evil․com',
  'пример。рф',
  'пример｡рф',
  'example。ελ',
  'www。例子。中国',
  // Before the dot, only invisible characters, or the single character `㏂`.
  '\u200b.com',
  '\ufeff.com',
  '\u3164.рф',
  '㏂.com',
  // JavaScript treats the byte order mark as whitespace.
  'evil.\ufeffcom',
])('%j is removed', (typed) => {
  expect(removeLinks(`Look at ${typed} now`)).toBe(`Look at ${REMOVED_LINK_TEXT} now`)
})

test.each([
  'My left knee hurts when I climb stairs. I can come ten minutes early.',
  'Dr. Meredith Grey, M. D., 12 Quay Street',
  'At 9.30am or 10:30 p.m., e.g. on 1.12.2026',
  '€40.00 for 1.5 kg... and/or more',
  'Call me: +44 20 7946 0123 (ext. 5) @ home',
  'Wait... what? No! Yes: no.',
  'שלום, אשמח לדבר על הברך שלי.',
  '你好。我想预约。谢谢',
  'می‌خواهم صحبت کنم',
  'こんにちは。よろしくお願いします。',
  '안녕하세요。감사합니다',
  'Mo // Di, 9/10 or //',
  'Q&A 50/50 #3',
])('%j stays as it was typed', (typed) => {
  expect(removeLinks(typed)).toBe(typed)
})

test('no link is left in any text, also where the text is cut (property)', () => {
  fc.assert(
    fc.property(typedText, fc.nat(60), (typed, length) => {
      const line = removeLinks(typed)
      expect(hasLink(line)).toBe(false)
      expect(hasLink(line.slice(0, length))).toBe(false)
    }),
  )
})

const typedText = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'binary', maxLength: 6 }),
      fc.constantFrom(
        ...['https://', '//', 'www.', 'evil', '.', '．', '。', 'com', 'đ', 'рф', '@', '_', '/', ' '],
        ...['\u200b', '\ufeff', ':', '\\'],
      ),
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join('').toWellFormed())
