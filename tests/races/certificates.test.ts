import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { getCertificate } from '#server/features/hosts/certificate-job.ts'
import { type Caddy, checkCaddyfile, startCaddy } from '#tests/support/caddy.ts'
import { findFreePort } from '#tests/support/free-port.ts'
import { waitForHosts } from '#tests/support/known-hosts.ts'
import { makeCalendar, makeOwner, startMeridian, type TestMeridian } from '#tests/support/meridian.ts'
import { waitUntil } from '#tests/support/race-track.ts'
import { addHost } from '#tests/support/stored-rows.ts'

/** The product's Caddyfile with Caddy itself, whose certificates are its own. */
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
  await expect(getCertificate({ tlsProxy }, { host })).rejects.toThrow()
  expect(caddy.hasCertificate(host)).toBe(false)
})

test('a host that leads to a calendar gets one, and another time it is there already', async () => {
  const calendar = await makeCalendar(meridian, await makeOwner(meridian))
  const host = `${randomUUID()}.example`
  await addHost(meridian, calendar.id, { host, kind: 'custom', state: 'live' })
  // Nobody asks again for a certificate that was refused because the host was not known yet.
  await waitForHosts(meridian, calendar)
  await getCertificate({ tlsProxy }, { host })
  expect(caddy.hasCertificate(host)).toBe(true)
  await getCertificate({ tlsProxy }, { host })
})

test('a subdomain has its certificate soon after it was chosen (rule J6)', async () => {
  const owner = await makeOwner(meridian)
  const calendar = await makeCalendar(meridian, owner)
  const chosen = await meridian.request({
    method: 'PUT',
    url: `/api/calendars/${calendar.id}/domain`,
    cookie: owner.cookie,
    payload: { type: 'subdomain' },
  })
  const { subdomain } = chosen.json()
  await waitUntil(async () => caddy.hasCertificate(subdomain) || 'no certificate yet')
})

test('where no proxy is named there is nothing to do', async () => {
  await getCertificate({ tlsProxy: null }, { host: 'nobody.example' })
})

test('a proxy that says nothing does not hold a worker for long', async () => {
  const silent = await findFreePort()
  await expect(
    getCertificate({ tlsProxy: { host: '127.0.0.1', port: silent }, timeoutMs: 500 }, { host: 'a.example' }),
  ).rejects.toThrow()
})
