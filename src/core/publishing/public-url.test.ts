import { expect, test } from 'vitest'
import { type DomainSettings, publicUrlOf } from './public-url.ts'

const PATH: DomainSettings = { type: 'path', path: null, subdomain: null, customDomain: null }
const ORIGIN = 'https://meridian.example:8443'

test.each([
  [
    'the stored address first',
    'https://book.example.org',
    { ...PATH, type: 'custom', customDomain: 'x.org' },
    'https://book.example.org',
  ],
  [
    'a subdomain of the product',
    null,
    { ...PATH, type: 'subdomain', subdomain: 'grey' },
    'https://grey.meridian.example:8443',
  ],
  ['a custom domain', null, { ...PATH, type: 'custom', customDomain: 'grey.org' }, 'https://grey.org'],
  ['a path of its own', null, { ...PATH, path: 'dr-grey' }, 'https://meridian.example:8443/book/dr-grey'],
  ['else the slug', null, PATH, 'https://meridian.example:8443/book/grey'],
  [
    'the slug, when a subdomain is announced but not there',
    null,
    { ...PATH, type: 'subdomain' },
    'https://meridian.example:8443/book/grey',
  ],
  ['the slug, when the stored address is empty', '', PATH, 'https://meridian.example:8443/book/grey'],
] as const)('%s', (_rule, publicUrl, domain, expected) => {
  expect(publicUrlOf({ slug: 'grey', publicUrl, domain }, ORIGIN)).toBe(expected)
})
