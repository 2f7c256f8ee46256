import { expect, test } from 'vitest'
import { MAIL_ORIGIN } from '#tests/support/appointment-mail-facts.ts'
import { buildContactMail } from './contact-mail.ts'

const to = { name: 'Harbour Software', address: 'desk@harbour.example' }
const message = {
  name: 'Alex Morgan',
  email: 'alex@mail.example',
  subject: 'An export',
  message: 'Good morning,\n\ncan you help me?',
}

test('the operator reads who wrote what, and a reply goes to whoever wrote it', () => {
  const mail = buildContactMail({ to, message, deliveryId: 'job-1' }, MAIL_ORIGIN)
  expect(mail).toMatchObject({
    to,
    from: MAIL_ORIGIN.from,
    replyTo: { name: 'Alex Morgan', address: 'alex@mail.example' },
    subject: 'Message from Alex Morgan: An export',
    messageId: '<job-1.contact@book.example>',
  })
  for (const text of ['Name: Alex Morgan', 'Email: alex@mail.example', 'Subject: An export'])
    expect(mail.text).toContain(text)
  expect(mail.text).toContain('> Good morning,\n>\n> can you help me?')
  expect(mail.html).toContain('href="mailto:alex@mail.example"')
})

test('a message without a subject is one from its sender', () => {
  const mail = buildContactMail(
    { to, message: { ...message, subject: '' }, deliveryId: 'job-1' },
    MAIL_ORIGIN,
  )
  expect(mail.subject).toBe('Message from Alex Morgan')
  expect(mail.text).not.toContain('Subject:')
})

test('what was typed adds no line, no header and no markup', () => {
  const typed = 'Mallory\r\nBcc: everybody@evil.example'
  const mail = buildContactMail(
    { to, message: { ...message, name: typed, subject: typed, message: '<b>now</b>' }, deliveryId: 'job-1' },
    MAIL_ORIGIN,
  )
  const line = 'Mallory Bcc: everybody@evil.example'
  expect(mail.subject).toBe(`Message from ${line}: ${line}`)
  expect(mail.replyTo?.name).toBe(line)
  expect(mail.html).toContain('&lt;b&gt;now&lt;/b&gt;')
})
