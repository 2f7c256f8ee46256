// @vitest-environment happy-dom
import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { AppointmentRow } from '#contract/appointments/appointments.ts'
import { makeAppointment } from '#web/testing/make-records.ts'
import { AppointmentBadges } from './appointment-badges.tsx'

const REFUND: NonNullable<AppointmentRow['refund']> = {
  returned: 0,
  due: null,
  percent: 50,
  failure: null,
  by_hand: false,
}

test.each([
  ['half of which went back', { returned: 30, due: 30 }, 'Partly refunded'],
  ['half of which is to go back', { due: 30 }, 'Refund due'],
  ['of which nothing goes back', { due: 0, percent: 0 }, 'Paid'],
  ['about which nothing is decided', {}, 'Paid'],
])('a cancelled appointment with a payment %s says so', (_which, refund, payment) => {
  const appointment = makeAppointment({
    status: 'cancelled',
    payment_status: 'paid',
    refund: { ...REFUND, ...refund },
  })
  render(<AppointmentBadges appointment={appointment} />)
  expect(screen.getByText('Cancelled')).toBeDefined()
  expect(screen.getByText(payment)).toBeDefined()
  expect(screen.queryAllByText('Paid')).toHaveLength(payment === 'Paid' ? 1 : 0)
})
