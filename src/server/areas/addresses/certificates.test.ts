import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Calendar } from '#contract/calendars/calendars.ts'
import { HOUR_MS } from '#core/shared/duration.ts'
import { waitUntilJobsFinish } from '#tests/support/connected-calendar.ts'
import { type FakeDns, makeFakeDns } from '#tests/support/fake-dns.ts'
import { findFreePort } from '#tests/support/free-port.ts'
import {
  makeCalendar,
  makeOwner,
  startMeridian,
  TEST_MONDAY,
  type TestMeridian,
  type TestOwner,
} from '#tests/support/meridian.ts'
import { waitUntil } from '#tests/support/race-track.ts'
import { CERTIFICATE_JOB, requestAndStoreCertificate } from './certificate-job.ts'
import { findCurrentHost } from './host-repository.ts'
import { DUE_DOMAIN_CHECKS_JOB } from './job-definitions.ts'

/** Rule I16, with a proxy that does not respond. `tests/races/certificates.test.ts` covers a proxy that does. */
const TARGET = 'targets.pages.example'

let dns: FakeDns
let meridian: TestMeridian
let owner: TestOwner
let calendar: Calendar

beforeAll(async () => {
  dns = makeFakeDns()
  meridian = await startMeridian({
    dns,
    env: {
      SUBDOMAIN_HOST: 'pages.example',
      CUSTOM_DOMAIN_CNAME: TARGET,
      TLS_PROXY: `127.0.0.1:${await findFreePort()}`,
    },
  })
})
afterAll(() => meridian.stop())
beforeEach(async () => {
  meridian.clock.ms = TEST_MONDAY
  dns.forget()
  owner = await makeOwner(meridian, { tier: 'professional' })
  calendar = await makeCalendar(meridian, owner)
})

async function ask(method: 'GET' | 'PUT' | 'POST', payload?: object) {
  const url = `/api/calendars/${calendar.id}/domain${method === 'POST' ? '/verification' : ''}`
  const answer = await meridian.request({ method, url, cookie: owner.cookie, ...(payload && { payload }) })
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json()
}

async function chooseSubdomain(): Promise<string> {
  return (await ask('PUT', { type: 'subdomain' })).subdomain
}

/** Waits until the first attempt has failed. The job keeps trying. */
async function waitForFailure() {
  await waitUntil(async () => {
    const { certificate } = await ask('GET')
    return certificate === 'failed' || certificate
  })
}

async function readTry(): Promise<number | undefined> {
  const host = await findCurrentHost(meridian.database.db, calendar.id)
  return host?.certificate_tried_at?.getTime()
}

/** Deletes the queued attempts for a host. @returns the number of deleted attempts */
async function forgetTries(host: string): Promise<number> {
  const deletion = `delete from pgboss.job where name = $1 and data ->> 'host' = $2 returning id`
  return (await meridian.database.execute(deletion, [CERTIFICATE_JOB.name, host])).rows.length
}

describe('the certificate of an address', () => {
  test('is on its way when a subdomain is chosen, and its failure is shown; links lead to the path', async () => {
    expect(await ask('GET')).toMatchObject({ certificate: null })
    const chosen = await ask('PUT', { type: 'subdomain' })
    expect(chosen).toMatchObject({ certificate: 'pending', public_url: calendar.public_url })
    await waitForFailure()
    expect(await ask('GET')).toMatchObject({ certificate: 'failed', public_url: calendar.public_url })
  })

  test('is asked for when a domain is proven, and not before', async () => {
    const domain = `book.${randomUUID()}.com`
    const { records, ...claimed } = await ask('PUT', { type: 'custom', custom_domain: domain })
    expect(claimed).toMatchObject({ state: 'pending', certificate: null })
    dns.point(domain, { names: [TARGET], addresses: [] })
    dns.addText(records[0].name, records[0].wanted[0])
    const { verified, domain: proven } = await ask('POST')
    expect(verified).toBe(true)
    expect(proven).toMatchObject({
      state: 'live',
      certificate: 'pending',
      public_url: calendar.public_url,
    })
    await waitForFailure()
  })

  test('is there once a try succeeds, and links lead to the address', async () => {
    const host = await chooseSubdomain()
    await waitForFailure()
    // If no proxy is set, the operator provides the certificates.
    const domains = { ...meridian.deps.domains, tlsProxy: null }
    await requestAndStoreCertificate({ ...meridian.deps, domains }, { host })
    const domain = await ask('GET')
    expect(domain.certificate).toBe('ready')
    expect(domain.public_url).toContain(`//${host}`)
    // A later attempt that fails does not change the state.
    await expect(requestAndStoreCertificate(meridian.deps, { host })).rejects.toThrow()
    expect((await ask('GET')).certificate).toBe('ready')
  })

  test('is asked for again after six hours, and not before', async () => {
    const host = await chooseSubdomain()
    await waitForFailure()
    await forgetTries(host)
    meridian.clock.ms = TEST_MONDAY + 6 * HOUR_MS
    await meridian.jobs.send(DUE_DOMAIN_CHECKS_JOB, {})
    await waitUntilJobsFinish(meridian, [DUE_DOMAIN_CHECKS_JOB.name])
    expect(await forgetTries(host)).toBe(0)
    meridian.clock.ms += 1
    await meridian.jobs.send(DUE_DOMAIN_CHECKS_JOB, {})
    await waitUntil(async () => {
      const triedAt = await readTry()
      return triedAt === meridian.clock.ms || triedAt
    })
  })

  test('stays as it was when the address is chosen again', async () => {
    const host = await chooseSubdomain()
    await waitForFailure()
    await ask('PUT', { type: 'path' })
    expect(await ask('GET')).toMatchObject({ certificate: null })
    expect(await chooseSubdomain()).toBe(host)
    expect(await ask('GET')).toMatchObject({ certificate: 'failed' })
  })
})
