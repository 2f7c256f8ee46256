import { expect, test } from 'vitest'
import { isInNetworks, isOnInternet, parseNetwork, toAllowedNetworks } from './reachable-networks.ts'

test.each([
  ['0.0.0.0', 'this network'],
  ['0.1.2.3', 'this network'],
  ['10.0.0.1', 'private'],
  ['172.16.0.1', 'private'],
  ['192.168.1.1', 'private'],
  ['127.0.0.1', 'loopback'],
  ['127.255.255.254', 'loopback'],
  ['169.254.169.254', 'link-local, where clouds have their metadata'],
  ['168.63.129.16', "Azure's metadata"],
  ['100.64.0.1', 'shared by customers of a carrier'],
  ['100.100.100.200', "Alibaba's metadata"],
  ['192.0.0.192', "Oracle's metadata"],
  ['198.18.0.1', 'benchmarks'],
  ['224.0.0.1', 'multicast'],
  ['240.0.0.1', 'reserved'],
  ['255.255.255.255', 'broadcast'],
  ['::', 'unspecified'],
  ['::1', 'loopback'],
  ['::127.0.0.1', 'IPv4-compatible'],
  ['::ffff:127.0.0.1', 'IPv4-mapped'],
  ['::ffff:7f00:1', 'IPv4-mapped, in hexadecimal'],
  ['::ffff:169.254.169.254', 'IPv4-mapped'],
  ['::ffff:0:127.0.0.1', 'IPv4-translated'],
  ['64:ff9b::7f00:1', 'NAT64'],
  ['64:ff9b:1::a9fe:a9fe', 'NAT64 of a network'],
  ['2002:7f00:1::', '6to4'],
  ['2001:0:7f00:1::', 'Teredo'],
  ['fe80::1', 'link-local'],
  ['fec0::1', 'site-local'],
  ['fc00::1', 'unique local'],
  ['fd00:ec2::254', "Amazon's metadata"],
  ['ff02::1', 'multicast'],
  ['2001:db8::1', 'documentation'],
  ['not an address', 'nothing'],
])('%s (%s) is not the internet', (address) => {
  expect(isOnInternet(address)).toBe(false)
})

test.each(['1.1.1.1', '93.184.216.34', '172.32.0.1', '2606:4700:4700::1111', '2a00:1450:4001:82a::200e'])(
  '%s is the internet',
  (address) => {
    expect(isOnInternet(address)).toBe(true)
  },
)

test('an allowed network has its own addresses and no others', () => {
  const networks = toAllowedNetworks(['192.168.1.0/24', '10.1.2.3', 'fd12::/16'])
  const inside = ['192.168.1.77', '10.1.2.3', 'fd12:3456::1']
  const outside = ['192.168.2.1', '10.1.2.4', 'fd13::1', '::ffff:192.168.1.77', 'not an address']
  expect(inside.filter((address) => isInNetworks(address, networks))).toEqual(inside)
  expect(outside.filter((address) => isInNetworks(address, networks))).toEqual([])
})

test('what is no network is not read as one', () => {
  for (const text of ['', 'example.org', '10.0.0.0/33', '10.0.0/8/8', '::/129', 'all']) {
    expect(parseNetwork(text)).toBeNull()
  }
  expect(() => toAllowedNetworks(['10.0.0.0/8', 'lan'])).toThrow('lan is not a network.')
})
