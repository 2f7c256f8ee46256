import { describe, expect, test } from 'vitest'
import * as fc from '#tests/support/fast-check.ts'
import { toSafeRedirect } from './safe-redirect.ts'

const ORIGIN = 'https://meridian.example'

describe('toSafeRedirect', () => {
  test.each([
    ['/dashboard', '/dashboard'],
    ['/calendar/1/settings?tab=types#top', '/calendar/1/settings?tab=types#top'],
    ['/pricing', '/pricing'],
    ['/a/../dashboard', '/dashboard'],
  ])('follows %s within the site', (wanted, path) => {
    expect(toSafeRedirect(wanted, ORIGIN)).toBe(path)
  })

  test.each([
    [undefined],
    [''],
    ['dashboard'],
    ['https://evil.example/'],
    ['//evil.example/'],
    ['/\\evil.example/'],
    ['/.//evil.example/'],
    ['/./\\evil.example/'],
    ['/\t/evil.example/'],
    ['/\n\\evil.example'],
    ['javascript:alert(1)'],
    ['//'],
    ['/login?redirect=/login'],
    ['/register'],
    ['/auth/callback?token=x'],
  ])('returns the dashboard instead of %j', (wanted) => {
    expect(toSafeRedirect(wanted, ORIGIN)).toBe('/dashboard')
  })

  test('never leaves the site', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.webUrl(), fc.stringMatching(/^[/\\.:@?#\s]{1,12}[a-z.]*$/)),
        (wanted) => {
          const path = toSafeRedirect(wanted, ORIGIN)
          expect(new URL(path, ORIGIN).origin).toBe(ORIGIN)
          expect(path.startsWith('//')).toBe(false)
        },
      ),
    )
  })
})
