import { expect, test } from 'vitest'
import { clientOfRequest, parseClient } from './client-of-request.ts'

const UNKNOWN = { address: 'unknown', network: null }

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['203.0.113.7:50123', '203.0.113.7'],
  ['203.0.113.7:', '203.0.113.7'],
  [' 203.0.113.7 ', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['::FFFF:203.0.113.7', '203.0.113.7'],
  ['::ffff:cb00:7107', '203.0.113.7'],
  ['0:0:0:0:0:ffff:cb00:7107', '203.0.113.7'],
  ['::ffff:203.0.113.7:50123', '203.0.113.7'],
  ['[::ffff:203.0.113.7]:50123', '203.0.113.7'],
  ['64:ff9b::203.0.113.7', '203.0.113.7'],
])('%j is the IPv4 client %s, which is in no larger network', (written, address) => {
  expect(parseClient(written)).toEqual({ address, network: null })
})

test.each([
  '2001:db8:1:2::1',
  '2001:DB8:1:2:ffff:ffff:ffff:ffff',
  '2001:0db8:0001:0002:0000:0000:0000:0001',
  '[2001:db8:1:2::1]',
  '[2001:db8:1:2::1]:50123',
  '[2001:db8:1:2::1%eth0]:50123',
  '2001:db8:1:2::1%eth0',
  '2001:db8:1:2::203.0.113.7',
])('%j is the client of its /64, in the network of its /48', (written) => {
  expect(parseClient(written)).toEqual({ address: '2001:db8:1:2::', network: '2001:db8:1::/48' })
})

test('each /64 is a client of its own, and each /48 a network of its own', () => {
  expect(parseClient('2001:db8:1:3::1')).toEqual({ address: '2001:db8:1:3::', network: '2001:db8:1::/48' })
  expect(parseClient('2001:db8:2:2::1')).toEqual({ address: '2001:db8:2:2::', network: '2001:db8:2::/48' })
  expect(parseClient('::1')).toEqual({ address: '::', network: '::/48' })
})

test.each([
  undefined,
  '',
  ':443',
  'unknown',
  '_hidden',
  '203.0.113',
  '203.0.113.256',
  '0xcb.0.113.7',
  '203.0.113.007',
  '3405803783',
  '203.0.113.7:50123:1',
  '2001:db8:1:2:3:4:5:6:443',
  '[2001:db8::1',
  '%eth0',
  '203.0.113.7, 203.0.113.8',
  '203.0.113.7\u0000',
  '٢٠٣.0.113.7',
])('%j is no address: all such requests are one client', (written) => {
  expect(parseClient(written)).toEqual(UNKNOWN)
})

test('a request whose connection is gone, and with it its address, has a client all the same', () => {
  // This is the value that the server provides in that case, despite the type.
  const request = { ip: undefined } as unknown as { ip: string }
  expect(clientOfRequest(request)).toEqual(UNKNOWN)
})
