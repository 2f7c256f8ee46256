// @vitest-environment happy-dom

import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { AppointmentActionResponse } from '#contract/appointments/appointment-actions.ts'
import type { AppointmentRow } from '#contract/appointments/appointments.ts'
import { PROBLEMS } from '#contract/shared/problem.ts'
import { type AppointmentAction, decideAction } from '#core/appointments/appointment-actions.ts'
import { DEFAULT_POLICY } from '#core/appointments/policy.ts'
import { CALENDAR_ID, makeAppointment, makeUpcoming } from '#web/testing/make-records.ts'
import { OFFERED_TIMES, OfferedTimes } from '#web/testing/offered-times.tsx'
import { renderComponent } from '#web/testing/render-part.tsx'
import { errorResponse, heldResponse, type SentRequest, stubApi } from '#web/testing/stub-api.ts'
import { AppointmentsCard } from './appointments-card.tsx'
import { DEFAULT_APPOINTMENTS_VIEW } from './appointments-view.ts'
import { UpcomingAppointments } from './upcoming-appointments.tsx'

const LIST = `GET /api/calendars/${CALENDAR_ID}/appointments`
const UPCOMING = 'GET /api/appointments/upcoming'
const ACTIONS = `POST /api/calendars/${CALENDAR_ID}/appointments/${makeAppointment().id}/actions`

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-30T12:00:00Z') })
})
type State = Pick<AppointmentRow, 'status' | 'payment_status'>

describe('the buttons of an open appointment', () => {
  test.each([
    ['confirmed', 'not_required', ['Move', 'Cancel'], ['Mark as Paid', 'Mark as Pending', 'Mark as Failed']],
    ['confirmed', 'pending', ['Move', 'Cancel', 'Mark as Paid'], ['Mark as Failed', 'Mark as Not Required']],
    ['confirmed', 'paid', ['Move', 'Cancel', 'Refund'], null],
    ['pending_payment', 'pending', ['Mark as Paid'], ['Mark as Failed', 'Mark as Not Required']],
    ['pending_payment', 'paid', ['Confirm', 'Cancel', 'Refund'], null],
    ['pending_cancellation', 'paid', ['Move', 'Approve Cancellation', 'Deny', 'Refund'], null],
    [
      'cancelled',
      'refunded',
      ['Restore'],
      ['Mark as Paid', 'Mark as Pending', 'Mark as Failed', 'Mark as Not Required'],
    ],
    ['cancelled', 'failed', ['Restore'], ['Mark as Paid', 'Mark as Pending', 'Mark as Not Required']],
  ] as const)('%s, %s: %j, and in the menu %j', async (status, payment_status, buttons, menu) => {
    const { user } = renderRow({ status, payment_status })
    const actions = within(await screen.findByRole('group', { name: 'Actions' }))
    const labels = actions.getAllByRole('button').map((button) => button.textContent)
    expect(labels).toEqual(menu === null ? buttons : [...buttons, 'Payment'])
    if (menu === null) return
    await user.click(actions.getByRole('button', { name: 'Payment' }))
    const items = await screen.findAllByRole('menuitem')
    expect(items.map((item) => item.textContent)).toEqual(menu)
  })
})

describe('what is said when it is done', () => {
  test.each([
    ['restore', 'Restore', 'cancelled', 'paid', 'Appointment restored and confirmation email sent'],
    ['confirm', 'Confirm', 'pending_payment', 'paid', 'Appointment confirmed and confirmation email sent'],
    [
      'deny_cancellation',
      'Deny',
      'pending_cancellation',
      'paid',
      'Cancellation request denied and customer emailed',
    ],
    ['mark_paid', 'Mark as Paid', 'confirmed', 'pending', 'Payment marked as paid successfully'],
  ] as const)('%s is done at once: "%s" from %s, %s', async (action, label, status, payment_status, text) => {
    const { user, api } = renderRow({ status, payment_status })
    await user.click(await screen.findByRole('button', { name: label }))
    expect(await screen.findByText(text)).toBeDefined()
    expect(api.to(ACTIONS).map(({ body }) => body)).toEqual([{ action, was: { status, payment_status } }])
  })

  test.each([
    ['Mark as Failed', 'Payment marked as failed successfully'],
    ['Mark as Not Required', 'Payment marked as not required'],
  ])('%s in the menu says "%s"', async (label, text) => {
    const { user } = renderRow({ status: 'cancelled', payment_status: 'pending' })
    await chooseInMenu(user, label)
    expect(await screen.findByText(text)).toBeDefined()
  })

  test('Mark as Pending in the menu says so', async () => {
    const { user } = renderRow({ status: 'confirmed', payment_status: 'not_required' })
    await chooseInMenu(user, 'Mark as Pending')
    await confirmWith(user, 'Mark as Pending')
    expect(await screen.findByText('Payment marked as pending successfully')).toBeDefined()
  })

  test.each([
    ['Cancel', 'Cancel appointment', 'confirmed', 'Appointment cancelled and cancellation email sent'],
    [
      'Approve Cancellation',
      'Approve Cancellation',
      'pending_cancellation',
      'Appointment cancelled and cancellation email sent',
    ],
    ['Refund', 'Refund', 'confirmed', 'Payment marked as refunded successfully'],
  ] as const)('%s asks first and is done by %s', async (label, confirm, status, text) => {
    const { user, api } = renderRow({ status, payment_status: 'paid' })
    await user.click(await screen.findByRole('button', { name: label }))
    expect(api.to(ACTIONS)).toEqual([])
    const dialog = within(await screen.findByRole('alertdialog'))
    expect(dialog.getByText('Ada Lovelace, Dec 1, 2026, 9:30 AM')).toBeDefined()
    await user.click(dialog.getByRole('button', { name: confirm }))
    expect(await screen.findByText(text)).toBeDefined()
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
  })

  test('a change of payment says what it did to the appointment and what is left to do', async () => {
    const warning = 'Please refund the money yourself.'
    const { user } = renderRow({ status: 'confirmed', payment_status: 'paid' }, { warning })
    await user.click(await screen.findByRole('button', { name: 'Refund' }))
    await confirmWith(user, 'Refund')
    expect(await screen.findByText('Payment marked as refunded successfully')).toBeDefined()
    expect(screen.getByText('Appointment cancelled and cancellation email sent')).toBeDefined()
    expect(screen.getByText(warning)).toBeDefined()
  })

  test.each([
    ['Cancel', 'confirmed', 'Appointment cancelled but failed to send email notification'],
    ['Restore', 'cancelled', 'Appointment restored but failed to send confirmation email'],
  ] as const)('%s without its message is no failure: "%s", "%s"', async (label, status, text) => {
    const { user } = renderRow({ status, payment_status: 'pending' }, { email: 'failed' })
    await user.click(await screen.findByRole('button', { name: label }))
    if (label === 'Cancel') await confirmWith(user, 'Cancel appointment')
    expect(await screen.findByText(text)).toBeDefined()
    expect(screen.getByRole('status').textContent).toBe(text)
  })

  test.each([
    ['Restore', 'cancelled', 'Appointment restored'],
    ['Deny', 'pending_cancellation', 'Cancellation request denied'],
  ] as const)('%s claims no message where none was sent', async (label, status, text) => {
    const { user } = renderRow({ status, payment_status: 'pending' }, { email: 'none' })
    await user.click(await screen.findByRole('button', { name: label }))
    expect(await screen.findByText(text)).toBeDefined()
  })

  test('the row, its buttons and the dashboard follow', async () => {
    const { user, api } = renderRow({ status: 'confirmed', payment_status: 'pending' })
    await user.click(await screen.findByRole('button', { name: 'Cancel' }))
    const asked = [api.to(LIST).length, api.to(UPCOMING).length]
    await confirmWith(user, 'Cancel appointment')
    expect(await screen.findByRole('button', { name: 'Restore' })).toBeDefined()
    const row = within(screen.getByRole('article', { name: 'Ada Lovelace, December 1, 2026' }))
    expect(row.getByText('Cancelled')).toBeDefined()
    expect([api.to(LIST).length, api.to(UPCOMING).length]).toEqual(asked.map((count) => count + 1))
  })
})

describe('before an appointment ends', () => {
  test.each([
    // The owner chooses the refund in the same dialog.
    ['confirmed', 'paid', {}, 'We’ll email Ada Lovelace.Refund'],
    ['confirmed', 'pending', {}, 'We’ll email Ada Lovelace. The payment stays pending.'],
    [
      'confirmed',
      'not_required',
      { email: null },
      'Ada Lovelace has no email address, so please tell them yourself.',
    ],
  ] as const)('%s, %s, %j: "%s"', async (status, payment_status, customer, sentence) => {
    const appointment = makeAppointment()
    const customers = { ...appointment.customers, ...customer }
    const { user } = renderRow({ status, payment_status }, {}, { customers })
    await user.click(await screen.findByRole('button', { name: 'Cancel' }))
    expect((await screen.findByRole('alertdialog')).textContent).toContain(
      `The appointment will be cancelled, and its time can be booked again. ${sentence}`,
    )
  })

  test('nobody is said to be told about what is over', async () => {
    vi.setSystemTime(new Date('2026-12-01T10:15:00Z'))
    const { user } = renderRow({ status: 'confirmed', payment_status: 'not_required' })
    await user.click(await screen.findByRole('button', { name: 'Cancel' }))
    expect((await screen.findByRole('alertdialog')).textContent).toContain(
      'in the past, so nobody gets an email.',
    )
  })

  test('a refund says what becomes of the money, and of a request that is open', async () => {
    const { user } = renderRow({ status: 'pending_cancellation', payment_status: 'paid' })
    await user.click(await screen.findByRole('button', { name: 'Refund' }))
    const text = (await screen.findByRole('alertdialog')).textContent
    expect(text).toContain('If it was paid manually, please refund it yourself.')
    expect(text).toContain('The cancellation request stays open until you answer it.')
    expect(text).not.toContain('The appointment will be cancelled')
  })

  test('the way back does nothing', async () => {
    const { user, api } = renderRow({ status: 'confirmed', payment_status: 'not_required' })
    await user.click(await screen.findByRole('button', { name: 'Cancel' }))
    await confirmWith(user, 'Keep appointment')
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
    expect(api.to(ACTIONS)).toEqual([])
  })
})

describe('before an appointment comes back or is unsettled', () => {
  const BACK = 'The appointment will be confirmed again, and its time reserved. We’ll email Ada Lovelace.'
  test.each([
    [
      'Mark as Pending',
      'confirmed',
      'not_required',
      'The payment will be marked as pending. The appointment will await payment again. Its time stays reserved, and nobody gets an email.',
    ],
    ['Mark as Paid', 'cancelled', 'refunded', `The payment will be marked as paid. ${BACK}`],
    [
      'Mark as Pending',
      'cancelled',
      'refunded',
      'The payment will be marked as pending. The appointment will await payment, and its time will be reserved. We’ll email Ada Lovelace.',
    ],
    ['Restore', 'cancelled', 'refunded', `${BACK} The payment stays refunded.`],
  ] as const)('%s of %s, %s says "%s"', async (label, status, payment_status, sentences) => {
    const { user, api } = renderRow({ status, payment_status })
    if (label === 'Restore') await user.click(await screen.findByRole('button', { name: label }))
    else await chooseInMenu(user, label)
    expect((await screen.findByRole('alertdialog')).textContent).toContain(sentences)
    expect(api.to(ACTIONS)).toEqual([])
    await confirmWith(user, label)
    await waitFor(() => expect(api.to(ACTIONS)).toHaveLength(1))
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
  })
})

describe('while an update is pending', () => {
  test('all buttons of the row are disabled, the pressed one says so, and a second press is nothing', async () => {
    const { user, api } = renderRow({ status: 'pending_cancellation', payment_status: 'pending' })
    const from = { status: 'pending_cancellation', payment_status: 'pending' } as const
    const held = heldResponse(answerTo('deny_cancellation', from))
    api.answer(ACTIONS, held.answer)
    await user.dblClick(await screen.findByRole('button', { name: 'Deny' }))
    const pressed = await screen.findByRole('button', { name: 'Denying...' })
    await user.click(pressed)
    for (const name of ['Approve Cancellation', 'Mark as Paid', 'Payment']) {
      expect(screen.getByRole<HTMLButtonElement>('button', { name }).disabled).toBe(true)
    }
    held.release()
    await screen.findByText('Cancellation request denied and customer emailed')
    expect(api.to(ACTIONS)).toHaveLength(1)
  })

  test('its question keeps its text until all lists show the new state', async () => {
    const { user, api } = renderRow({ status: 'confirmed', payment_status: 'not_required' })
    await user.click(await screen.findByRole('button', { name: 'Cancel' }))
    const held = heldResponse(makeUpcoming())
    api.answer(UPCOMING, held.answer)
    await confirmWith(user, 'Cancel appointment')
    expect((await screen.findAllByText('Cancelled')).length).toBeGreaterThan(0)
    expect(screen.getByRole('alertdialog').textContent).toContain('We’ll email Ada Lovelace.')
    held.release()
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
  })

  test('the menu says so for what was chosen in it, and does not open', async () => {
    const { user, api } = renderRow({ status: 'confirmed', payment_status: 'pending' })
    const from = { status: 'confirmed', payment_status: 'pending' } as const
    const held = heldResponse(answerTo('mark_not_required', from))
    api.answer(ACTIONS, held.answer)
    await chooseInMenu(user, 'Mark as Not Required')
    await user.click(await screen.findByRole('button', { name: 'Updating...' }))
    expect(screen.queryByRole('menu')).toBeNull()
    held.release()
    expect(await screen.findByText('Payment marked as not required')).toBeDefined()
  })
})

describe('when it fails', () => {
  test.each([
    [
      'Restore',
      'cancelled',
      errorResponse('appointment.restore_conflict'),
      PROBLEMS['appointment.restore_conflict'].title,
    ],
    ['Restore', 'cancelled', errorResponse('server.unexpected'), 'Could not verify appointment conflicts'],
    ['Restore', 'cancelled', errorResponse('server.unavailable'), 'Could not verify appointment conflicts'],
    [
      'Restore',
      'cancelled',
      errorResponse('appointment.not_found'),
      'Failed to update appointment: Appointment Not Found',
    ],
    [
      'Deny',
      'pending_cancellation',
      errorResponse('appointment.action_not_offered'),
      'Failed to update appointment: The appointment has changed. Reload it and try again.',
    ],
    [
      'Mark as Paid',
      'cancelled',
      errorResponse('appointment.restore_conflict'),
      PROBLEMS['appointment.restore_conflict'].title,
    ],
    [
      'Mark as Paid',
      'confirmed',
      errorResponse('appointment.changed_meanwhile'),
      'Failed to update payment status: This appointment has changed. Please check it and try again.',
    ],
  ] as const)('%s of %s says so', async (label, status, answer, text) => {
    const { user, api } = renderRow({ status, payment_status: 'pending' })
    api.answer(ACTIONS, answer)
    const button = await screen.findByRole('button', { name: label })
    const asked = api.to(LIST).length
    await user.click(button)
    if (label === 'Mark as Paid' && status === 'cancelled') await confirmWith(user, label)
    expect(await screen.findByText(text)).toBeDefined()
    // The list is refetched, to show the appointment's current state.
    await waitFor(() => expect(api.to(LIST)).toHaveLength(asked + 1))
  })

  test('offline, a restoration could not be verified', async () => {
    const { user, api } = renderRow({ status: 'cancelled', payment_status: 'pending' })
    api.answer(ACTIONS, () => {
      throw new TypeError('no connection')
    })
    await user.click(await screen.findByRole('button', { name: 'Restore' }))
    expect(await screen.findByText('Could not verify appointment conflicts')).toBeDefined()
  })

  test('the question stays open, so that it can be tried again', async () => {
    const { user, api } = renderRow({ status: 'confirmed', payment_status: 'paid' })
    api.answer(ACTIONS, errorResponse('appointment.refund_failed'))
    await user.click(await screen.findByRole('button', { name: 'Refund' }))
    await confirmWith(user, 'Refund')
    expect(
      await screen.findByText(
        'Failed to update payment status: The payment provider didn’t make the refund, so nothing has changed. Please try again.',
      ),
    ).toBeDefined()
    api.answer(
      ACTIONS,
      errorResponse('appointment.refund_failed', [{ path: 'action', message: 'The card has expired.' }]),
    )
    await confirmWith(user, 'Refund')
    expect(await screen.findByText(/Please try again\. \(The card has expired\.\)$/)).toBeDefined()
    api.answer(ACTIONS, answerTo('refund', { status: 'confirmed', payment_status: 'paid' }))
    await confirmWith(user, 'Refund')
    expect(await screen.findByText('Payment marked as refunded successfully')).toBeDefined()
  })
})

test.each([
  ['nothing was moved', { most: null, least: null }, '€40.00'],
  ['its customer moved it when half would have gone back', { most: 50, least: null }, '€20.00'],
])(
  'the question of a cancellation says what the policy gives back: %s',
  async (_what, refund_shares, amount) => {
    const policy = { ...DEFAULT_POLICY, refunds: [{ hours: 1, percent: 100 }] }
    const at = { starts_at: '2026-12-02T12:00:00Z', ends_at: '2026-12-02T12:30:00Z' }
    const state = { status: 'confirmed', payment_status: 'paid' } as const
    const { user } = renderRow(state, {}, { ...at, policy, policy_text: '', refund_shares })
    await user.click(await screen.findByRole('button', { name: 'Cancel' }))
    screen.getByRole('radio', { name: new RegExp(`^Policy refund: ${amount}`) })
  },
)

test('a row without a type says what it is about by its title', async () => {
  renderRow({ status: 'confirmed', payment_status: 'pending' }, {}, { appointment_types: null })
  expect(await screen.findByText('My back')).toBeDefined()
})

test('the times that the owner’s own booking offers are asked for again', async () => {
  const { user, api } = renderRow({ status: 'cancelled', payment_status: 'paid' })
  const button = await screen.findByRole('button', { name: 'Restore' })
  const before = api.to(OFFERED_TIMES).length
  await user.click(button)
  await waitFor(() => expect(api.to(OFFERED_TIMES).length).toBeGreaterThan(before))
})

/**
 * Renders a list with one open appointment, together with the dashboard's list. The stubbed server applies actions to the
 * appointment.
 */
function renderRow(
  state: State,
  outcome: Partial<AppointmentActionResponse> = {},
  over: Partial<AppointmentRow> = {},
) {
  let row = makeAppointment({ ...over, ...state })
  const api = stubApi({
    [LIST]: () => ({ appointments: [row], total: 1, page: 1, page_size: 10 }),
    [OFFERED_TIMES]: {},
    [UPCOMING]: makeUpcoming(),
    [ACTIONS]: ({ body }: SentRequest) => {
      const { action } = body as { action: AppointmentAction } // safe: sent by the hook under test
      const answer = { ...answerTo(action, row), ...outcome }
      row = { ...row, status: answer.status, payment_status: answer.payment_status }
      return answer
    },
  })
  const { user } = renderComponent(
    <>
      <AppointmentsCard
        calendarId={CALENDAR_ID}
        choice={{ ...DEFAULT_APPOINTMENTS_VIEW, appointment: row.id }}
      />
      <UpcomingAppointments />
      <OfferedTimes />
    </>,
  )
  return { user, api }
}

function answerTo(action: AppointmentAction, from: State): AppointmentActionResponse {
  const decision = decideAction(action, { status: from.status, paymentStatus: from.payment_status })
  if (!decision.ok) throw new Error(`${action} is not offered`)
  return {
    id: makeAppointment().id,
    status: decision.to.status,
    payment_status: decision.to.paymentStatus,
    announced: decision.announces,
    email: decision.announces === null ? 'none' : 'queued',
    warning: null,
  }
}

type User = ReturnType<typeof renderRow>['user']

async function chooseInMenu(user: User, label: string): Promise<void> {
  await user.click(await screen.findByRole('button', { name: 'Payment' }))
  await user.click(await screen.findByRole('menuitem', { name: label }))
}

async function confirmWith(user: User, label: string): Promise<void> {
  await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: label }))
}
