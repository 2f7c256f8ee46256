import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { requestCertificate } from '#server/areas/addresses/certificate-job.ts'
import { type Caddy, checkCaddyfile, startCaddy } from '#tests/support/caddy.ts'
import { findFreePort } from '#tests/support/free-port.ts'
import { waitUntilHostsCached } from '#tests/support/known-hosts.ts'
import { makeCalendar, makeOwner, startMeridian, type TestMeridian } from '#tests/support/meridian.ts'
import { waitUntil } from '#tests/support/race-track.ts'
import { addHost } from '#tests/support/stored-rows.ts'

/** Caddy with Meridian's Caddyfile, issuing its own certificates. */
let meridian: TestMeridian
let caddy: Caddy
let tlsProxy: { host: string; port: number }

beforeAll(async () => {
  const https = await findFreePort()
  const http = await findFreePort()
  tlsProxy = { host: '127.0.0.1', port: https }
  meridian = await startMeridian({ env: { TLS_PROXY: `127.0.0.1:${https}`, DEFAULT_PLAN: 'business' } })
  const { port: ask } = new URL(await meridian.asks.listen({ host: '127.0.0.1', port: 0 }))
  const { port: product } = new URL(await meridian.app.listen({ host: '127.0.0.1', port: 0 }))
  caddy = await startCaddy({ https, http, ask: Number(ask), product: Number(product) })
})
afterAll(async () => {
  await caddy.stop()
  await meridian.stop()
})

test('Caddy understands the Caddyfile', () => {
  expect(checkCaddyfile()).toBe('')
})

test('nobody gets a certificate for a name that leads to no calendar, and the job for it fails', async () => {
  const host = `${randomUUID()}.example`
  await expect(requestCertificate(tlsProxy, host)).rejects.toThrow()
  expect(caddy.hasCertificate(host)).toBe(false)
})

test('a host that leads to a calendar gets one, and another time it is there already', async () => {
  const calendar = await makeCalendar(meridian, await makeOwner(meridian))
  const host = `${randomUUID()}.example`
  await addHost(meridian, calendar.id, { host, kind: 'custom', state: 'live' })
  // Wait until the host is known, because a refused certificate is not requested again.
  await waitUntilHostsCached(meridian, calendar)
  await requestCertificate(tlsProxy, host)
  expect(caddy.hasCertificate(host)).toBe(true)
  await requestCertificate(tlsProxy, host)
})

test('a subdomain has its certificate soon after it was chosen, and links lead there then (rules J6 and I16)', async () => {
  const owner = await makeOwner(meridian)
  const calendar = await makeCalendar(meridian, owner)
  const url = `/api/calendars/${calendar.id}/domain`
  const chosen = await owner.put(url, { type: 'subdomain' })
  const { subdomain, certificate, public_url } = chosen.json()
  expect([certificate, public_url]).toEqual(['pending', expect.stringMatching(/\/book\//)])
  await waitUntil(async () => caddy.hasCertificate(subdomain) || 'no certificate yet')
  await waitUntil(async () => {
    const domain = await owner.get(url)
    const { certificate: then, public_url: address } = domain.json()
    return (then === 'ready' && address.includes(`//${subdomain}`)) || domain.body
  })
})

test('a proxy that says nothing does not hold a worker for long', async () => {
  const silent = await findFreePort()
  await expect(requestCertificate({ host: '127.0.0.1', port: silent }, 'a.example', 500)).rejects.toThrow()
})
