import { describe, expect, test } from 'vitest'
import * as fc from '#tests/support/fast-check.ts'
import { isReservedSlug, isValidSlug, MAX_SLUG_LENGTH, normaliseTypedSlug, toSlug } from './slug.ts'

describe('toSlug', () => {
  test.each([
    ['Dr. Meredith Grey', 'dr-meredith-grey'],
    ['  Sunrise   Yoga  ', 'sunrise-yoga'],
    ['Praxis Müller & Söhne', 'praxis-mueller-soehne'],
    ['Mu\u0308ller', 'mueller'],
    ['ÄRZTE Café', 'aerzte-cafe'],
    ['Gökçe', 'gokce'],
    ['Åsa Öberg', 'asa-oberg'],
    ['Straße 7', 'strasse-7'],
    ['STRASSE ẞ', 'strasse-ss'],
    ['Ærø Œuvre', 'aero-oeuvre'],
    ['Łódź Đorđe', 'lodz-dorde'],
    ['Þórsmörk Ħal', 'thorsmork-hal'],
    ['İstanbul Işık', 'istanbul-isik'],
    ["Anna's Coaching", 'annas-coaching'],
    ['Anna’s Coaching', 'annas-coaching'],
    ['Ｆｕｌｌ ｗｉｄｔｈ １２', 'full-width-12'],
    ['ﬁne ﬂow ½', 'fine-flow-1-2'],
    ['--a__b//c--', 'a-b-c'],
    ['🎉 Party 🎉', 'party'],
    ['日本語', ''],
    ['Кабинет', ''],
    ['???', ''],
    ['', ''],
  ])('%s becomes %s', (name, slug) => {
    expect(toSlug(name)).toBe(slug)
  })

  test('a long name is cut to the limit and does not end in a dash', () => {
    const slug = toSlug(`${'a'.repeat(MAX_SLUG_LENGTH - 1)} b c`)
    expect(slug).toBe('a'.repeat(MAX_SLUG_LENGTH - 1))
  })

  test('a slug is empty or valid, and is its own slug (property)', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (name) => {
        const slug = toSlug(name)
        expect(slug === '' || isValidSlug(slug)).toBe(true)
        expect(toSlug(slug)).toBe(slug)
      }),
    )
  })

  test('the case of a Latin name has no effect', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-zA-Z0-9 äöüéñ-]{1,80}$/), (name) => {
        expect(toSlug(name.toUpperCase())).toBe(toSlug(name))
      }),
    )
  })
})

describe('normaliseTypedSlug', () => {
  test.each([
    ['My Practice', 'my-practice'],
    ['my-practice-', 'my-practice-'],
    ['a\tb', 'a-b'],
    ['Ümlaut', 'ümlaut'],
  ])('%s becomes %s', (typed, slug) => {
    expect(normaliseTypedSlug(typed)).toBe(slug)
  })

  test('is idempotent', () => {
    fc.assert(
      fc.property(fc.string(), (typed) => {
        const once = normaliseTypedSlug(typed)
        expect(normaliseTypedSlug(once)).toBe(once)
      }),
    )
  })
})

describe('isValidSlug', () => {
  test.each(['a', 'dr-grey', '7-of-9', 'a'.repeat(MAX_SLUG_LENGTH)])('accepts %s', (slug) => {
    expect(isValidSlug(slug)).toBe(true)
  })

  test.each([
    '',
    '-a',
    'a-',
    'a--b',
    'A',
    'ü',
    'a b',
    'a/b',
    'a.b',
    'a_b',
    'a\n',
    'a'.repeat(MAX_SLUG_LENGTH + 1),
  ])('refuses %j', (slug) => {
    expect(isValidSlug(slug)).toBe(false)
  })
})

describe('isReservedSlug', () => {
  test.each(['api', 'book', 'login', 'healthz', 'payment-success', 'www'])('reserves %s', (slug) => {
    expect(isReservedSlug(slug)).toBe(true)
  })

  test('does not reserve ordinary names, or names that only start with a reserved word', () => {
    expect(isReservedSlug('dr-grey')).toBe(false)
    expect(isReservedSlug('api-practice')).toBe(false)
  })
})
