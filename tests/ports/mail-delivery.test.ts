import ICAL from 'ical.js'
import { describe, expect, test } from 'vitest'
import { buildSmtpMailer } from '#server/integrations/smtp/adapter.ts'
import {
  buildBookingConfirmation,
  buildOwnerBookingNotice,
} from '#server/messages/emails/appointment-mail.ts'
import { buildCalendarClosedCancellation } from '#server/messages/emails/cancellation-mail.ts'
import { buildReminder } from '#server/messages/emails/reminder-mail.ts'
import type { OutgoingMail } from '#server/ports/mailer.ts'
import { toReminderSettings } from '#server/records/calendars/to-reminder-settings.ts'
import { MAIL_ORIGIN, makeAppointmentMailContent } from '#tests/support/appointment-mail-facts.ts'
import { type ReceivedMail, startSmtpServer } from '#tests/support/smtp-server.ts'

const FACTS = makeAppointmentMailContent({
  title: 'Erstgespräch, „näher“; Teil 1',
  description: 'Knie tut weh.\n\n€ und 😀, שלום',
  customer: { name: 'Łukasz "Luk" Żółć, Esq.', email: 'lukasz@mail.example', phone: null },
})

describe.each([
  [
    'booking confirmation',
    buildBookingConfirmation,
    'REQUEST',
    'Erstgespräch, „näher“; Teil 1 · Dr. Meredith Grey',
  ],
  [
    'owner notice',
    buildOwnerBookingNotice,
    'PUBLISH',
    'Erstgespräch, „näher“; Teil 1 · Łukasz "Luk" Żółć, Esq.',
  ],
  [
    'cancellation',
    buildCalendarClosedCancellation,
    'CANCEL',
    'Erstgespräch, „näher“; Teil 1 · Dr. Meredith Grey',
  ],
] as const)('a %s, sent by SMTP', (_name, build, method, summary) => {
  test('is the same message on the other side', async () => {
    const mail = await build(FACTS, MAIL_ORIGIN)
    const { parsed } = await deliver(mail)
    expect(parsed.text?.trimEnd()).toBe(mail.text.trimEnd())
    expect(parsed.html === false ? '' : parsed.html.trimEnd()).toBe(mail.html.trimEnd())
    expect(parsed.subject).toBe(mail.subject)
    expect(parsed.messageId).toBe(mail.messageId)
    expect(parsed.headers.get('auto-submitted')).toBe('auto-generated')
  })

  test('brings a calendar entry that another program reads', async () => {
    const { parsed, raw } = await deliver(await build(FACTS, MAIL_ORIGIN))
    expect(raw).toContain(`Content-Type: text/calendar; charset=utf-8; method=${method}\r\n`)
    expect(parsed.attachments.map((part) => part.contentType)).toEqual(['text/calendar', 'application/ics'])
    for (const part of parsed.attachments) {
      const calendar = new ICAL.Component(ICAL.parse(part.content.toString('utf8')))
      expect(calendar.getFirstPropertyValue('method')).toBe(method)
      const event = calendar.getFirstSubcomponent('vevent')
      expect(event?.getFirstPropertyValue('summary')).toBe(summary)
      expect(event?.getFirstPropertyValue('uid')).toBe(`${FACTS.appointmentId}@book.example`)
      expect(String(event?.getFirstPropertyValue('dtstart'))).toBe('2026-12-01T09:30:00Z')
    }
  })
})

test('a reminder, sent by SMTP, is the same message on the other side, and brings no file', async () => {
  const settings = toReminderSettings(
    {},
    { calendarName: FACTS.calendar.name, mailFrom: MAIL_ORIGIN.from.address },
  )
  const mail = await buildReminder(FACTS, MAIL_ORIGIN, settings)
  const { parsed } = await deliver(mail)
  expect(parsed.text?.trimEnd()).toBe(mail.text.trimEnd())
  expect(parsed.subject).toBe('Reminder: Your upcoming appointment')
  expect(parsed.messageId).toBe(mail.messageId)
  expect(parsed.attachments).toEqual([])
})

async function deliver(mail: OutgoingMail): Promise<ReceivedMail> {
  const server = await startSmtpServer()
  const mailer = buildSmtpMailer({ url: server.url, timeoutMs: 5_000 })
  await mailer.send(mail)
  await mailer.close()
  await server.stop()
  const [received] = server.received
  if (received === undefined) throw new Error('Nothing arrived')
  return received
}
