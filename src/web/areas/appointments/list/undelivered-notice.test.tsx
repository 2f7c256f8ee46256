// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { CALENDAR_ID, makeAppointment } from '#web/testing/make-records.ts'
import { renderComponent } from '#web/testing/render-part.tsx'
import { stubApi } from '#web/testing/stub-api.ts'
import { AppointmentsCard } from './appointments-card.tsx'

const UNDELIVERED = `GET /api/calendars/${CALENDAR_ID}/undelivered-messages`
const LIST = `GET /api/calendars/${CALENDAR_ID}/appointments`
const EMPTY = { appointments: [], total: 0, page: 1, page_size: 10 }

test('one notice says how many messages couldn’t be delivered, and shows which', async () => {
  const { user } = renderCard({
    messages: 3,
    appointments: [
      makeAppointment({ undelivered_messages: 2 }),
      makeAppointment({ id: '00000000-0000-4000-8000-000000000777', undelivered_messages: 1 }),
    ],
  })
  await user.click(await screen.findByRole('button', { name: '3 messages couldn’t be delivered' }))
  const dialog = await screen.findByRole('dialog', { name: 'Undelivered messages' })
  expect(within(dialog).getAllByRole('article')).toHaveLength(2)
  expect(within(dialog).getAllByRole('button', { name: 'Messages' })).toHaveLength(2)
})

test('one message is one message', async () => {
  const { user } = renderCard({ messages: 1, appointments: [makeAppointment({ undelivered_messages: 1 })] })
  const notice = await screen.findByRole('button', { name: '1 message couldn’t be delivered' })
  // One line, so that the first appointment of a phone's list stays on the screen.
  expect(screen.queryByText(/send the message again/)).toBeNull()
  await user.click(notice)
  expect(await screen.findByText(/send the message again\.$/)).toBeDefined()
})

test('where every message was delivered there is no notice', async () => {
  const { api } = renderCard({ messages: 0, appointments: [] })
  await screen.findByText('No appointments found')
  await waitFor(() => expect(api.to(UNDELIVERED)).not.toEqual([]))
  expect(screen.queryByText(/couldn’t be delivered/)).toBeNull()
})

function renderCard(undelivered: unknown) {
  const api = stubApi({ [LIST]: EMPTY, [UNDELIVERED]: undelivered })
  return { api, ...renderComponent(<AppointmentsCard calendarId={CALENDAR_ID} />) }
}
