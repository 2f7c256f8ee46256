// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { type AppointmentMessage, WAIT_REASON_SENTENCES } from '#contract/messages/messages.ts'
import { CALENDAR_ID, makeAppointment } from '#web/testing/make-records.ts'
import { renderComponent } from '#web/testing/render-part.tsx'
import { errorResponse, heldResponse, stubApi } from '#web/testing/stub-api.ts'
import { AppointmentMessages } from './appointment-messages.tsx'

const MESSAGES = `/api/calendars/${CALENDAR_ID}/appointments/${makeAppointment().id}/messages`
const HISTORY = `GET ${MESSAGES.replace('/messages', '/history')}`
const ID = '00000000-0000-4000-8000-000000000901'
const AGAIN = `POST ${MESSAGES}/${ID}/send-again`

function makeMessage(over: Partial<AppointmentMessage> = {}): AppointmentMessage {
  return {
    id: ID,
    kind: 'booking_confirmation',
    recipient: 'customer',
    state: 'sent',
    at: '2026-11-30T10:15:00Z',
    waits_for: null,
    drop_reason: null,
    last_error: null,
    attempts: 1,
    repeat: 0,
    can_send_again: true,
    ...over,
  }
}

test('nothing is asked for until the list is opened; then each message says what became of it', async () => {
  const messages = [
    makeMessage({ id: null, kind: 'reminder', state: 'planned', can_send_again: false }),
    makeMessage(),
    makeMessage({
      id: ID.replace('901', '902'),
      kind: 'owner_booking_notice',
      recipient: 'owner',
      state: 'failed',
      attempts: 3,
      last_error: 'We couldn’t reach the mail server',
    }),
    makeMessage({
      id: ID.replace('901', '903'),
      kind: 'cancelled',
      state: 'dropped',
      drop_reason: 'no_address',
    }),
    ...(['email_owner', 'email_unanswered', 'email_stopped'] as const).map((waits_for, index) =>
      makeMessage({
        id: ID.replace('901', `91${index}`),
        state: 'waiting',
        waits_for,
        attempts: 0,
        can_send_again: waits_for === 'email_unanswered',
      }),
    ),
  ]
  const { user, api } = renderMessages({ messages })
  expect(api.sent).toEqual([])
  const button = screen.getByRole('button', { name: 'Messages' })
  expect(button.getAttribute('aria-expanded')).toBe('false')
  await user.click(button)
  const items = within(await screen.findByRole('list', { name: 'Messages' })).getAllByRole('listitem')
  expect(items.map((item) => item.textContent)).toEqual([
    'ReminderPlannedTo the customer · will be sent Nov 30, 2026, 10:15 AM',
    'Booking confirmationSentTo the customer · Nov 30, 2026, 10:15 AMSend again',
    'New bookingTrying againTo you · Nov 30, 2026, 10:15 AMWe couldn’t reach the mail server, after 3 tries.Send again',
    'CancellationNot sentTo the customer · Nov 30, 2026, 10:15 AMThe customer has no email address.Send again',
    `Booking confirmationWaitingTo the customer · will be tried again Nov 30, 2026, 10:15 AM${WAIT_REASON_SENTENCES.email_owner}`,
    `Booking confirmationWaitingTo the customer · will be tried again Nov 30, 2026, 10:15 AM, or when an earlier email is answered${WAIT_REASON_SENTENCES.email_unanswered}Send again`,
    `Booking confirmationWaitingTo the customer · will be sent if they allow emails again${WAIT_REASON_SENTENCES.email_stopped}`,
  ])
  await user.click(button)
  expect(screen.queryByRole('list', { name: 'Messages' })).toBeNull()
})

test('a message is sent again once, however often its button is pressed, and a toast says so', async () => {
  const held = heldResponse(makeMessage({ state: 'queued', repeat: 1 }))
  const { user, api } = renderMessages({ messages: [makeMessage()] }, held.answer)
  await user.click(screen.getByRole('button', { name: 'Messages' }))
  const again = await screen.findByRole('button', { name: 'Send again: Booking confirmation' })
  await user.dblClick(again)
  expect(again.textContent).toContain('Sending...')
  held.release()
  expect(await screen.findByText('Booking confirmation will be sent again')).toBeDefined()
  expect(api.to(AGAIN).map(({ body }) => body)).toEqual([{ repeat: 0 }])
  await waitFor(() => expect(api.to(`GET ${MESSAGES}`).length).toBeGreaterThan(1))
})

test('while what was sent again is on its way, its button keeps the focus and sends nothing', async () => {
  const queued = makeMessage({ state: 'queued', repeat: 1, can_send_again: false })
  const { user, api } = renderMessages({ messages: [makeMessage()] }, () => {
    api.answer(`GET ${MESSAGES}`, { messages: [queued] })
    return queued
  })
  await user.click(screen.getByRole('button', { name: 'Messages' }))
  const again = await screen.findByRole('button', { name: 'Send again: Booking confirmation' })
  await user.click(again)
  expect(await screen.findByText('On its way')).toBeDefined()
  expect(document.activeElement).toBe(again)
  await user.keyboard('{Enter}')
  expect(api.to(AGAIN)).toHaveLength(1)
})

test('a refusal is told in a toast, and the list stays', async () => {
  const { user } = renderMessages({ messages: [makeMessage()] }, errorResponse('message.not_true'))
  await user.click(screen.getByRole('button', { name: 'Messages' }))
  await user.click(await screen.findByRole('button', { name: 'Send again: Booking confirmation' }))
  expect(
    await screen.findByText(
      'Failed to send the message again: This message no longer matches the appointment, so it wasn’t sent again.',
    ),
  ).toBeDefined()
  expect(screen.getByRole('list', { name: 'Messages' })).toBeDefined()
})

test('a list that does not load says so and can be asked for again', async () => {
  const { user } = renderMessages(errorResponse('server.unavailable'))
  await user.click(screen.getByRole('button', { name: 'Messages' }))
  expect(await screen.findByText('Failed to load messages', {}, { timeout: 10_000 })).toBeDefined()
})

test('what could not be delivered is said without opening anything', () => {
  stubApi({})
  renderComponent(<AppointmentMessages appointment={makeAppointment({ undelivered_messages: 1 })} />)
  expect(screen.getByText('We couldn’t deliver a message about this appointment.')).toBeDefined()
})

test('what waits is said without opening anything, and that the appointment stands', () => {
  stubApi({})
  renderComponent(<AppointmentMessages appointment={makeAppointment({ waiting_messages: 2 })} />)
  expect(
    screen.getByText(/^2 messages about this appointment are on hold\. The appointment isn’t affected\./),
  ).toBeDefined()
})

function renderMessages(list: unknown, again: unknown = undefined) {
  const api = stubApi({ [`GET ${MESSAGES}`]: list, [AGAIN]: again })
  return { api, ...renderComponent(<AppointmentMessages appointment={makeAppointment()} />) }
}

test('the history says what became of the appointment, newest first, with its time', async () => {
  const api = stubApi({
    [HISTORY]: {
      entries: [
        {
          id: '2',
          at: '2026-11-30T10:15:00Z',
          kind: 'moved',
          caused_by: 'external_calendar',
          text: 'Moved to Tuesday in Google Calendar.',
        },
        { id: '1', at: '2026-11-29T09:00:00Z', kind: 'booked', caused_by: 'customer', text: 'Booked.' },
      ],
    },
  })
  const { user } = renderComponent(<AppointmentMessages appointment={makeAppointment()} />)
  expect(api.sent).toEqual([])
  const button = screen.getByRole('button', { name: 'History' })
  await user.click(button)
  const list = within(await screen.findByRole('list', { name: 'History' }))
  expect(list.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    'Moved to Tuesday in Google Calendar.Nov 30, 2026, 10:15 AM',
    'Booked.Nov 29, 2026, 9:00 AM',
  ])
  expect(button.getAttribute('aria-expanded')).toBe('true')
})

test('a history without entries, and one that cannot be loaded, say so', async () => {
  const api = stubApi({ [HISTORY]: errorResponse('calendar.forbidden') })
  const { user } = renderComponent(<AppointmentMessages appointment={makeAppointment()} />)
  await user.click(screen.getByRole('button', { name: 'History' }))
  expect(await screen.findByText('Failed to load the history')).toBeDefined()
  api.answer(HISTORY, { entries: [] })
  await user.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByText('No history yet.')).toBeDefined()
})
