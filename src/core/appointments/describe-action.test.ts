import { expect, test } from 'vitest'
import { describeAction } from './describe-action.ts'

test.each([
  ['restore', 'restored', 'queued', 'Appointment restored and confirmation email sent'],
  ['restore', 'restored', 'failed', 'Appointment restored but failed to send confirmation email'],
  ['restore', 'restored', 'none', 'Appointment restored'],
  ['cancel', 'cancelled', 'queued', 'Appointment cancelled and cancellation email sent'],
  ['cancel', 'cancelled', 'failed', 'Appointment cancelled but failed to send email notification'],
  ['approve_cancellation', 'cancelled', 'none', 'Appointment cancelled'],
  ['deny_cancellation', 'cancellation_denied', 'none', 'Cancellation request denied'],
  ['confirm', 'confirmed', 'queued', 'Appointment confirmed and confirmation email sent'],
] as const)('%s, announced as %s with the email %s, reads "%s"', (action, announces, email, text) => {
  expect(describeAction(action, announces, email)).toEqual({ text, detail: null })
})

test.each([
  ['mark_paid', 'Payment marked as paid successfully'],
  ['refund', 'Payment marked as refunded successfully'],
  ['mark_failed', 'Payment marked as failed successfully'],
  ['mark_pending', 'Payment marked as pending successfully'],
  ['mark_not_required', 'Payment marked as not required'],
] as const)('%s reads "%s", and then what it did to the appointment', (action, text) => {
  expect(describeAction(action, null, 'none')).toEqual({ text, detail: null })
  expect(describeAction(action, 'restored', 'queued')).toEqual({
    text,
    detail: 'Appointment restored and confirmation email sent',
  })
})
