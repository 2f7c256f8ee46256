// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { CALENDAR_ID, makeAppointment } from '#web/testing/make-records.ts'
import { renderComponent } from '#web/testing/render-part.tsx'
import { stubApi } from '#web/testing/stub-api.ts'
import { CustomerAppointments } from './customer-appointments.tsx'

test('a customer’s appointments name the service, and open everything about them', async () => {
  stubApi({
    [`GET /api/calendars/${CALENDAR_ID}/appointments`]: {
      appointments: [makeAppointment()],
      total: 1,
      page: 1,
      page_size: 10,
    },
  })
  const { user } = renderComponent(<CustomerAppointments calendarId={CALENDAR_ID} clientId="C1" />)
  const list = within(await screen.findByRole('list', { name: 'Appointments' }))
  const service = makeAppointment().appointment_types?.name ?? ''
  const row = list.getByRole('button', { name: service })
  expect(list.queryByText('Ada Lovelace')).toBeNull()
  await user.click(row)
  const dialog = within(await screen.findByRole('dialog', { name: 'Appointment' }))
  expect(dialog.getByText('Ada Lovelace')).toBeDefined()
  expect(dialog.getByRole('button', { name: 'Messages' })).toBeDefined()
})
