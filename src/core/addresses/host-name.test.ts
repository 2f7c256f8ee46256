import { expect, test } from 'vitest'
import { isLocalHost, toHostName } from './host-name.ts'

test.each([
  ['termine.example', 'termine.example'],
  ['termine.example:8443', 'termine.example'],
  ['TERMINE.Example', 'termine.example'],
  ['termine.example.', 'termine.example'],
  ['Termine.Example.:443', 'termine.example'],
  ['xn--praxis-mller-llb.example', 'xn--praxis-mller-llb.example'],
  ['localhost:3000', 'localhost'],
  ['127.0.0.1:3000', '127.0.0.1'],
  ['[::1]:3000', '[::1]'],
  ['[2001:DB8::1]', '[2001:db8::1]'],
])('the host %s is %s', (header, host) => {
  expect(toHostName(header)).toBe(host)
})

test.each([
  '',
  '.',
  '..',
  'a..b',
  'termine.example..',
  'termine.example, other.example',
  'praxis müller.example',
  'müller.example',
  '-a.example',
  'a.example:80:90',
  'a.example/path',
  'user@a.example',
  '[::1',
  '::1',
  `${'a'.repeat(250)}.example`,
])('%j names no host', (header) => {
  expect(toHostName(header)).toBeNull()
})

test.each(['localhost', 'web', '127.0.0.1', '10.1.2.3', '[::1]', '[2001:db8::1]'])(
  '%s is always the installation itself',
  (host) => {
    expect(isLocalHost(host)).toBe(true)
  },
)

test.each(['osei.localhost', 'termine.example', 'nas.local', '1.2.3.4.example', '1.2.3'])(
  '%s may be somebody else’s',
  (host) => {
    expect(isLocalHost(host)).toBe(false)
  },
)
