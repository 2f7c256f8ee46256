import { domainToASCII, domainToUnicode } from 'node:url'
import { describe, expect, test } from 'vitest'
import * as fc from '#tests/support/fast-check.ts'
import { type DomainNameLookups, looksLikeDomain, MAX_DOMAIN_LENGTH, validateDomain } from './domain-name.ts'

const SUFFIXES = ['com', 'org', 'de', 'co.uk', 'github.io', 'localhost', 'xn--p1ai', 'jp']

const NAMES: DomainNameLookups = {
  toAscii: domainToASCII,
  toUnicode: domainToUnicode,
  findPublicSuffix: (host) =>
    SUFFIXES.filter((suffix) => host === suffix || host.endsWith(`.${suffix}`)).sort(
      (one, other) => other.length - one.length,
    )[0] ?? null,
}

const OWN = ['meridian.example.org', 'pages.example.org', 'domains.example.net']
const judge = (typed: string, ownHosts = OWN) => validateDomain(typed, { names: NAMES, ownHosts })
const refusal = (reason: string) => ({ ok: false, reason })

describe('a domain is stored trimmed, in lower case, as an A-label (rule I4)', () => {
  test.each([
    ['  Book.Osei.ORG ', 'book.osei.org', false],
    ['osei.org.', 'osei.org', true],
    ['osei.co.uk', 'osei.co.uk', true],
    ['www.osei.co.uk', 'www.osei.co.uk', false],
    ['me.github.io', 'me.github.io', true],
    ['praxis-müller.de', 'xn--praxis-mller-klb.de', true],
    ['PRAXIS-MÜLLER.de', 'xn--praxis-mller-klb.de', true],
    ['xn--praxis-mller-klb.de', 'xn--praxis-mller-klb.de', true],
    ['ｂｏｏｋ．ｏｓｅｉ．ｏｒｇ', 'book.osei.org', false],
    ['a-b.c-d.org', 'a-b.c-d.org', false],
    ['123.org', '123.org', true],
    // A private network can use its own top-level domain.
    ['book.osei.internal', 'book.osei.internal', false],
  ])('%j is %s', (typed, host, isRoot) => {
    expect(judge(typed)).toEqual({ ok: true, host, isRoot })
  })
})

describe('names that cannot be a custom domain are refused (rule I4)', () => {
  test.each([
    ['', 'domain.not_a_name'],
    ['osei', 'domain.not_a_name'],
    ['.', 'domain.not_a_name'],
    ['a..org', 'domain.not_a_name'],
    ['-a.org', 'domain.not_a_name'],
    ['a-.org', 'domain.not_a_name'],
    ['a_b.org', 'domain.not_a_name'],
    ['*.osei.org', 'domain.not_a_name'],
    ['a,b.org', 'domain.not_a_name'],
    ['xn--a.org', 'domain.not_a_name'],
    [`${'a'.repeat(64)}.org`, 'domain.not_a_name'],
    [`${`${'a'.repeat(60)}.`.repeat(4)}org`, 'domain.not_a_name'],
    ['https://osei.org', 'domain.with_more'],
    ['osei.org/', 'domain.with_more'],
    ['osei.org/book', 'domain.with_more'],
    ['osei.org:443', 'domain.with_more'],
    ['me@osei.org', 'domain.with_more'],
    ['osei.org?a=1', 'domain.with_more'],
    ['osei.org#a', 'domain.with_more'],
    ['osei org', 'domain.with_more'],
    ['osei.org\\a', 'domain.with_more'],
    ['osei%2eorg', 'domain.with_more'],
    ['192.0.2.1', 'domain.is_ip_address'],
    ['１９２.0.2.1', 'domain.is_ip_address'],
    ['0x7f.1', 'domain.is_ip_address'],
    ['127.1', 'domain.is_ip_address'],
    ['2130706433', 'domain.is_ip_address'],
    ['::1', 'domain.is_ip_address'],
    ['[2001:db8::1]', 'domain.is_ip_address'],
    ['co.uk', 'domain.is_public_suffix'],
    ['github.io', 'domain.is_public_suffix'],
    ['meridian.example.org', 'domain.of_installation'],
    ['MERIDIAN.example.org.', 'domain.of_installation'],
    ['login.meridian.example.org', 'domain.of_installation'],
    ['anna.pages.example.org', 'domain.of_installation'],
    ['domains.example.net', 'domain.of_installation'],
    ['printer.local', 'domain.is_special'],
    ['a.onion', 'domain.is_special'],
    ['1.0.168.192.in-addr.arpa', 'domain.is_special'],
    ['osei.localhost', 'domain.is_special'],
  ])('%j: %s', (typed, reason) => {
    expect(judge(typed)).toEqual(refusal(reason))
  })

  test('names next to those of the installation are allowed', () => {
    expect(judge('meridian.example.com')).toMatchObject({ ok: true })
    expect(judge('notmeridian.example.org')).toMatchObject({ ok: true })
    expect(judge('example.org')).toMatchObject({ ok: true })
  })

  test('on localhost, subdomains belong to the installation and deeper names can be used as custom domains', () => {
    const own = ['localhost', 'pages.localhost']
    expect(judge('termine.osei.localhost', own)).toEqual({
      ok: true,
      host: 'termine.osei.localhost',
      isRoot: false,
    })
    expect(judge('osei.localhost', own)).toEqual(refusal('domain.of_installation'))
    expect(judge('a.pages.localhost', own)).toEqual(refusal('domain.of_installation'))
  })
})

describe('look-alikes (rule I5)', () => {
  test.each([
    ['раypal.com', 'Cyrillic р and а before Latin letters'],
    ['gοogle.com', 'a Greek omicron'],
    ['xn--ggle-0nda.com', 'Greek letters among Latin ones, typed as an A-label'],
    ['аpple.com', 'a Cyrillic а'],
    ['мicrosoft.com', 'a Cyrillic м'],
  ])('%s is refused: %s', (typed) => {
    expect(judge(typed)).toEqual(refusal('domain.mixes_scripts'))
  })

  test.each(['аррӏе.com', 'пример.рф', '東京タワー.jp', 'サロンabc.jp', '한국어abc.com', 'ελλάδα.org'])(
    '%s is written in one script, or in scripts that belong together, and is stored as an A-label',
    (typed) => {
      const judged = judge(typed)
      expect(judged).toMatchObject({ ok: true })
      expect(judged.ok && judged.host).toMatch(/xn--/)
    },
  )
})

test('an accepted domain is a plain host name, and validating it again gives the same name (property)', () => {
  const part = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 12 }),
    fc.constantFrom('osei', 'xn--', 'ß', '。'),
  )
  fc.assert(
    fc.property(fc.array(part, { minLength: 1, maxLength: 5 }), (parts) => {
      const judged = judge(parts.join('.'))
      if (!judged.ok) return
      expect(judged.host).toMatch(/^[a-z0-9-]+(\.[a-z0-9-]+)+$/)
      expect(judged.host.length).toBeLessThanOrEqual(MAX_DOMAIN_LENGTH)
      expect(judge(judged.host)).toEqual(judged)
    }),
  )
})

test('the hint while typing agrees with the validation of plain names', () => {
  for (const good of ['osei.org', ' Book.Osei.org ', 'praxis-müller.de'])
    expect(looksLikeDomain(good)).toBe(true)
  for (const bad of ['', 'osei', 'https://osei.org', 'osei.org/book', 'a b.org', '-a.org', 'a..org']) {
    expect(looksLikeDomain(bad)).toBe(false)
  }
})
