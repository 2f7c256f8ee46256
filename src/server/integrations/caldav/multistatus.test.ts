import { expect, test } from 'vitest'
import { CalendarProviderError } from '#server/ports/external-calendar.ts'
import { readResources } from './multistatus.ts'

test.each([
  ['a million empty responses', toAnswer('<response/>'.repeat(1_000_000)), /more than 50,000 entries/],
  [
    'too many elements in one',
    toAnswer(`<response>${'<a/>'.repeat(310_000)}</response>`),
    /300,000 elements/,
  ],
  ['elements that are nested deeply', toAnswer(`<response>${'<a>'.repeat(100_000)}`), /nested too deeply/],
  ['too many attributes', toAnswer(`<response ${toAttributes(310_000)}/>`), /300,000 elements/],
  [
    'a huge attribute',
    toAnswer(`<response a="${'x'.repeat(1_000_000)}"/>`),
    /didn’t come from a calendar server/,
  ],
  [
    'a long address',
    toAnswer(`<response><href>/${'x'.repeat(3_000)}</href></response>`),
    /more than 2,000 characters/,
  ],
  ['a huge name', toAnswer(`<${'x'.repeat(1_000_000)}/>`), /didn’t come from a calendar server/],
  [
    'entities of its own',
    `<!DOCTYPE a [<!ENTITY b "c">]>${toAnswer('<response>&b;</response>')}`,
    /didn’t come from a calendar server/,
  ],
  [
    'an entity that nobody knows',
    toAnswer('<response><href>&b;</href></response>'),
    /didn’t come from a calendar server/,
  ],
  ['a web page', '<!doctype html><title>Log in</title>', /didn’t come from a calendar server/],
  ['nothing', '', /didn’t come from a calendar server/],
  ['a part of one', toAnswer('<response><href>/a</href></response>').slice(0, -9), /cut off/],
])('%s is refused at little cost', (_what, text, words) => {
  const startMs = performance.now()
  let error: unknown = null
  try {
    for (const _part of readResources(new TextEncoder().encode(text), 'https://dav.example/'));
  } catch (refusal) {
    error = refusal
  }
  expect(error).toBeInstanceOf(CalendarProviderError)
  expect(String(error)).toMatch(words)
  expect(performance.now() - startMs).toBeLessThan(20_000)
})

test('a resource has the properties that were found, whatever the namespaces are called', () => {
  const text = `<?xml version="1.0"?>
    <x:multistatus xmlns:x="DAV:"><x:response><x:href> /a%20b/ </x:href>
    <x:propstat><x:prop><x:displayname><![CDATA[A & B]]></x:displayname><x:getetag>&quot;1&quot;</x:getetag></x:prop>
    <x:status>HTTP/1.1 200 OK</x:status></x:propstat>
    <x:propstat><x:prop><x:sync-token>no</x:sync-token></x:prop><x:status>HTTP/1.1 404 Not Found</x:status></x:propstat>
    </x:response><x:response><x:href>/gone</x:href><x:status>HTTP/1.1 404 Not Found</x:status></x:response></x:multistatus>\n`
  const [first, second] = readResources(new TextEncoder().encode(text), 'https://dav.example/home/')
  expect(first).toMatchObject({ url: 'https://dav.example/a%20b/', isOk: true })
  expect([...(first?.properties ?? [])].map(([name, { text: said }]) => [name, said])).toEqual([
    ['displayname', 'A & B'],
    ['getetag', '"1"'],
  ])
  expect(second).toMatchObject({ url: 'https://dav.example/gone', isOk: false, status: 404 })
})

function toAnswer(content: string): string {
  return `<multistatus xmlns="DAV:">${content}</multistatus>`
}

function toAttributes(count: number): string {
  return Array.from({ length: count }, (_, index) => `a${index}=""`).join(' ')
}
