import { describe, expect, test } from 'vitest'
import { MAIL_ORIGIN, makeAppointmentMailContent } from '#tests/support/appointment-mail-facts.ts'
import type { AppointmentMailContent } from './appointment-facts.ts'
import { buildBookingConfirmation } from './appointment-mail.ts'
import { buildCancellation, buildOwnerCancellationNotice } from './cancellation-mail.ts'

test('a confirmation of several dates links each date to its page, and its file publishes all of them', async () => {
  const mail = await buildBookingConfirmation(makeSeries(), MAIL_ORIGIN)
  expect(mail.subject).toMatch(/^Appointments booked: .*December 1/)
  expect(mail.text).toContain('Your 3 appointments with')
  for (const page of ['/one', '/two', '/three']) expect(mail.text).toContain(`https://book.example${page}`)
  expect(mail.text).not.toContain('Cancel this appointment')
  const content = String(mail.attachments?.[0]?.content)
  expect(content).toContain('METHOD:PUBLISH')
  expect(content.match(/^UID:/gm)).toHaveLength(3)
})

describe('a cancellation of several dates', () => {
  test('names all dates to both sides, and its file cancels all of them', async () => {
    const series = makeSeries({ cancelledBy: 'owner' })
    for (const mail of [
      await buildCancellation(series, MAIL_ORIGIN),
      await buildOwnerCancellationNotice(series, MAIL_ORIGIN),
    ]) {
      expect(mail.text).toContain('3 appointments with')
      for (const date of ['December 1', 'December 8', 'December 15']) expect(mail.text).toContain(date)
      expect(String(mail.attachments?.[0]?.content).match(/STATUS:CANCELLED/g)).toHaveLength(3)
    }
  })

  test('adds up what is refunded for the paid ones', async () => {
    const paid = { paymentStatus: 'paid', refundDueCents: 4_000 } as const
    const [second, third] = makeSeries().otherDates ?? []
    const series = makeSeries({
      ...paid,
      otherDates: [second, third].flatMap((date, i) =>
        date === undefined ? [] : [i === 0 ? { ...date, ...paid, refundDueCents: 1_000 } : date],
      ),
    })
    const mail = await buildCancellation(series, MAIL_ORIGIN)
    expect(mail.text).toContain('We’ll refund €50.00 of the €80.00 you paid.')
  })
})

/** The content of an email about three weekly dates. */
function makeSeries(changes: Partial<AppointmentMailContent> = {}): AppointmentMailContent {
  const dateOf = (day: string, page: string) =>
    makeAppointmentMailContent({
      appointmentId: `7f0c6d1e-1f7b-4a4e-9a53-0f5a4f9c2b${day}`,
      startsAt: `2026-12-${day}T09:30:00Z`,
      endsAt: `2026-12-${day}T10:00:00Z`,
      manageUrl: `https://book.example${page}`,
    })
  return {
    ...dateOf('01', '/one'),
    otherDates: [dateOf('08', '/two'), dateOf('15', '/three')],
    ...changes,
  }
}
