import type { FastifyInstance } from 'fastify'
import { Registry } from 'prom-client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '#server/platform/db/database.ts'
import { buildApp } from '#server/platform/http/build-app.ts'
import { buildLog } from '#server/platform/log.ts'
import type { OutgoingMail } from '#server/ports/mailer.ts'
import { openTestDatabase } from '#tests/support/test-database.ts'
import { buildMailboxMailer } from './mailbox.ts'
import { registerMailboxPages } from './register-mailbox-pages.ts'

let app: FastifyInstance
let database: Database

beforeAll(async () => {
  database = await openTestDatabase()
  app = await buildApp({
    log: buildLog('silent'),
    baseUrl: 'http://localhost:3000',
    allowInline: false,
    loopbackOnly: true,
    trustProxy: 0,
    publicRequestsPerMinute: 1_000,
    now: () => 0,
    addRequestCounts: null,
    metrics: new Registry(),
    metricsOpen: true,
    metricsToken: undefined,
    overloadDelayMs: 0,
    isReady: async () => true,
  })
  registerMailboxPages(app, {
    db: database.db,
    baseUrl: 'http://localhost:3000',
    mailFrom: 'desk@book.example',
  })
  const mailer = buildMailboxMailer({ db: database.db })
  for (const mail of [makeMail('one'), makeMail('two'), makeMail('one')]) await mailer.send(mail)
})
afterAll(async () => {
  await app.close()
  await database.close()
})

test('the mailbox lists emails, newest first, and a repeated email once', async () => {
  const { mails } = (await app.inject('/api/sandbox/mails')).json()
  expect(mails).toEqual([
    {
      id: expect.any(String),
      to: 'Grace <grace@example.com>',
      from: 'Studio <no-reply@book.example>',
      reply_to: 'owner@example.com',
      subject: 'two',
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    },
    expect.objectContaining({ subject: 'one' }),
  ])
  const one = await app.inject(`/api/sandbox/mails/${mails[0].id}`)
  expect(one.json()).toEqual({
    ...mails[0],
    message_id: '<two@book.example>',
    headers: { 'Auto-Submitted': 'auto-generated' },
    text: 'Hello',
    html: '<html><head></head><body><script>alert(1)</script></body></html>',
    attachments: [{ filename: 'a.ics', content_type: 'text/calendar', content: 'BEGIN:VCALENDAR' }],
  })
})

test('the page of an email runs no scripts, and only the mailbox may frame it', async () => {
  const { mails } = (await app.inject('/api/sandbox/mails')).json()
  const page = await app.inject(`/api/sandbox/mails/${mails[0].id}/html`)
  expect(page.headers['content-type']).toBe('text/html; charset=utf-8')
  const policy = String(page.headers['content-security-policy']).split('; ')
  expect(policy).toEqual(expect.arrayContaining(["default-src 'none'", "frame-ancestors 'self'"]))
  expect(policy.find((directive) => directive.startsWith('sandbox'))).not.toContain('allow-scripts')
  expect(policy.some((directive) => directive.startsWith('script-src'))).toBe(false)
  expect(page.headers['x-frame-options']).toBe('SAMEORIGIN')
  expect(page.body).toContain('<base target="_blank">')
})

test('the mailbox page lists the emails and shows the chosen one in a sandboxed frame', async () => {
  const list = await app.inject('/sandbox/mail')
  expect(list.headers).toMatchObject({ refresh: '3', 'content-type': 'text/html; charset=utf-8' })
  expect(list.body).toContain('Grace &lt;grace@example.com&gt;')
  const { mails } = (await app.inject('/api/sandbox/mails')).json()
  const page = await app.inject(`/sandbox/mail?id=${mails[0].id}`)
  expect(page.headers.refresh).toBeUndefined()
  expect(page.headers['content-security-policy']).not.toContain('unsafe')
  expect(page.body).toContain(
    `src="/api/sandbox/mails/${mails[0].id}/html" sandbox="allow-popups allow-popups-to-escape-sandbox"`,
  )
  expect(page.body).toContain('owner@example.com')
  expect(page.body).toContain('download="a.ics"')
  expect(page.body).not.toContain('<script>')
})

test('the gallery has each email in each scene, on a page without scripts', async () => {
  const gallery = await app.inject('/sandbox/mail/gallery?message=reminder&scene=online')
  expect(gallery.body).toContain('Signal Hill Coaching &lt;desk@book.example&gt;')
  expect(gallery.body).toContain('Reminder: Your upcoming appointment')
  expect(gallery.body).toContain('Kathmandu time')
  const page = await app.inject('/api/sandbox/mail-samples/reminder/html?scene=online')
  expect(page.headers['content-security-policy']).toContain("default-src 'none'")
  expect(page.body).toContain('<base target="_blank">')
  for (const unknown of ['nothing', 'toString']) {
    const urls = [`/api/sandbox/mail-samples/${unknown}/html`, `/sandbox/mail/gallery?message=${unknown}`]
    for (const url of urls) expect((await app.inject(url)).statusCode, url).toBe(404)
  }
})

test.each(['2c5ea4c0-4067-4f3b-8f4e-3d2f4f0f7a11', '1', '%00'])('the email %s does not exist', async (id) => {
  for (const path of [id, `${id}/html`]) {
    const answer = await app.inject(`/api/sandbox/mails/${path}`)
    expect(answer.json()).toMatchObject({ code: 'request.not_found', status: 404 })
  }
})

function makeMail(name: string): OutgoingMail {
  return {
    messageId: `<${name}@book.example>`,
    from: { name: 'Studio', address: 'no-reply@book.example' },
    replyTo: { name: '', address: 'owner@example.com' },
    to: { name: 'Grace', address: 'grace@example.com' },
    subject: name,
    text: 'Hello',
    html: '<html><head></head><body><script>alert(1)</script></body></html>',
    attachments: [{ filename: 'a.ics', contentType: 'text/calendar', content: 'BEGIN:VCALENDAR' }],
    headers: { 'Auto-Submitted': 'auto-generated' },
  }
}
