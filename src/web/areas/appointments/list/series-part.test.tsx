// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { SeriesResponse } from '#contract/appointments/series.ts'
import { CALENDAR_ID, makeAppointment } from '#web/testing/make-records.ts'
import { renderComponent } from '#web/testing/render-part.tsx'
import { stubApi } from '#web/testing/stub-api.ts'
import { SeriesPart } from './series-part.tsx'

const ID = '00000000-0000-4000-8000-000000000901'
const SERIES = `GET /api/calendars/${CALENDAR_ID}/series/${ID}`
const END = `POST /api/calendars/${CALENDAR_ID}/series/${ID}/end`

test('an appointment shows its place among the dates that are not cancelled, and cancels all following ones but those that await payment, when confirmed', async () => {
  const { user, api } = openSecondOf([
    makeDate(1, '2020-01-07', 'confirmed'),
    makeDate(2, '2090-01-07', 'confirmed'),
    makeDate(3, '2090-01-14', 'cancelled'),
    makeDate(4, '2090-01-21', 'confirmed'),
    makeDate(5, '2090-01-28', 'pending_payment'),
  ])
  expect((await screen.findByText(/every 2 weeks/)).textContent).toBe('2 of 4 · every 2 weeks')
  await user.click(screen.getByRole('button', { name: 'All dates' }))
  expect(screen.getAllByRole('listitem')[2]?.textContent).toContain('Cancelled')
  expect(screen.queryByRole('button', { name: 'End standing appointment' })).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Cancel this and all following' }))
  expect(api.to(END)).toEqual([])
  const dialog = within(await screen.findByRole('alertdialog'))
  expect(
    dialog.getByText(
      /1 date that awaits payment stays\. To cancel such a date, mark its payment as failed\./,
    ),
  ).toBeDefined()
  await user.click(dialog.getByRole('button', { name: 'Cancel 2 appointments' }))
  expect(await screen.findByText('2 appointments cancelled. 1 date that awaits payment stays.')).toBeDefined()
  expect(api.to(END).map(({ body }) => body)).toEqual([{ cancel_from: 2 }])
})

test('a standing appointment is ended without cancelling what is booked', async () => {
  const { user, api } = openSecondOf(
    [makeDate(1, '2020-01-07', 'confirmed'), makeDate(2, '2020-01-14', 'confirmed')],
    true,
  )
  await user.click(await screen.findByRole('button', { name: 'End standing appointment' }))
  expect(screen.queryByRole('button', { name: 'Cancel this and all following' })).toBeNull()
  const dialog = within(await screen.findByRole('alertdialog'))
  await user.click(dialog.getByRole('button', { name: 'End standing appointment' }))
  expect(await screen.findByText('No further dates will be booked')).toBeDefined()
  expect(api.to(END).map(({ body }) => body)).toEqual([{ cancel_from: null }])
})

function makeDate(
  number: number,
  date: string,
  status: 'confirmed' | 'cancelled' | 'pending_payment',
): SeriesResponse['dates'][number] {
  const appointment_id = `00000000-0000-4000-8000-00000000091${number}`
  return {
    appointment_id,
    number,
    starts_at: `${date}T10:00:00Z`,
    ends_at: `${date}T10:30:00Z`,
    status,
    payment_status: 'pending',
  }
}

function openSecondOf(dates: SeriesResponse['dates'], is_standing = false) {
  const api = stubApi({
    [SERIES]: { every_weeks: 2, is_standing, dates },
    [END]: is_standing ? { cancelled: 0, kept: 0 } : { cancelled: 2, kept: 1 },
  })
  const series = { id: ID, number: 2 }
  const id = dates[1]?.appointment_id ?? ''
  const { user } = renderComponent(<SeriesPart appointment={{ ...makeAppointment({ id }), series }} />)
  return { user, api }
}
