// @vitest-environment happy-dom

import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { HolidayEntry, HolidaysResponse } from '#contract/availability/holidays.ts'
import { PROBLEMS } from '#contract/shared/problem.ts'
import { CALENDAR_ID, makeCalendar } from '#web/testing/make-records.ts'
import { renderComponent } from '#web/testing/render-part.tsx'
import { NO_HOLIDAYS } from '#web/testing/server-answers.ts'
import { errorResponse, stubApi } from '#web/testing/stub-api.ts'
import { HolidaysCard } from './holidays-card.tsx'

const PATH = `/api/calendars/${CALENDAR_ID}/holidays`
const LIST = `GET ${PATH}`
const CHOOSE = `POST ${PATH}`
const SAVE_REGION = `PUT ${PATH}/region`
const COUNTRIES = {
  'GET /api/holiday-countries': {
    countries: [
      { country: 'DE', name: 'Germany', time_zones: ['Europe/Berlin'], regions: [] },
      {
        country: 'GB',
        name: 'United Kingdom',
        time_zones: ['Europe/London'],
        regions: [{ region: 'SCT', name: 'Scotland' }],
      },
    ],
  },
}
const GOOD_FRIDAY = makeHoliday({ date: '2027-03-26', name: 'Good Friday', appointments: 2 })
const MAY_DAY = makeHoliday({ date: '2027-05-03', name: 'Early May bank holiday' })
const CHRISTMAS = makeHoliday({ date: '2027-12-25', name: 'Christmas Day', state: 'closed' })

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2027-01-04T08:00:00Z') })
})

describe('without a region', () => {
  test('proposes the country of the time zone, and saves what the owner chooses', async () => {
    const { user, api } = renderCard(NO_HOLIDAYS)
    expect(await screen.findByText('No country chosen.')).toBeDefined()
    expect(api.to('GET /api/holiday-countries')).toEqual([])
    await user.click(screen.getByRole('button', { name: 'Choose a country' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Public holidays' }))
    expect(await dialog.findByRole('combobox', { name: 'Country' })).toHaveProperty('value', 'United Kingdom')
    await user.click(dialog.getByRole('combobox', { name: 'Region' }))
    await user.click(await screen.findByRole('option', { name: 'Scotland' }))
    api.answer(SAVE_REGION, makeResponse([MAY_DAY]))
    await user.click(dialog.getByRole('button', { name: 'Save' }))
    expect(await screen.findByText('Early May bank holiday')).toBeDefined()
    expect(api.to(SAVE_REGION)[0]?.body).toEqual({ country: 'GB', region: 'SCT' })
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  test('nothing can be saved while no country is known', async () => {
    const { user } = renderCard(NO_HOLIDAYS, { timezone: 'UTC' })
    await user.click(await screen.findByRole('button', { name: 'Choose a country' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Public holidays' }))
    expect(await dialog.findByRole('combobox', { name: 'Country' })).toHaveProperty('value', '')
    expect(dialog.getByRole('button', { name: 'Save' })).toHaveProperty('disabled', true)
  })
})

describe('with a region', () => {
  test('lists the proposals with their days and appointments; all holidays on request', async () => {
    const { user } = renderCard(makeResponse([GOOD_FRIDAY, MAY_DAY, CHRISTMAS]))
    expect(await screen.findByText('Scotland, United Kingdom')).toBeDefined()
    expect(listNames()).toEqual(['Good Friday', 'Early May bank holiday'])
    expect(screen.getByText('Fri, Mar 26, 2027')).toBeDefined()
    expect(screen.getByRole('link', { name: '2 appointments on this day stay' }).getAttribute('href')).toBe(
      `/calendar/${CALENDAR_ID}/settings?tab=appointments&view=day&date=2027-03-26`,
    )
    await user.click(screen.getByRole('button', { name: 'Show all 3 holidays' }))
    expect(listNames()).toEqual(['Good Friday', 'Early May bank holiday', 'Christmas Day'])
    const christmas = within(screen.getAllByRole('listitem')[2] as HTMLElement)
    expect(christmas.getByText('Closed')).toBeDefined()
    expect(christmas.queryByRole('button')).toBeNull()
    await user.click(screen.getByRole('button', { name: 'Show fewer' }))
    expect(listNames()).toEqual(['Good Friday', 'Early May bank holiday'])
  })

  test('closes one, or all that are proposed', async () => {
    const { user, api } = renderCard(makeResponse([GOOD_FRIDAY, MAY_DAY, CHRISTMAS]))
    const closedOne = makeResponse([{ ...GOOD_FRIDAY, state: 'closed' }, MAY_DAY, CHRISTMAS])
    api.answer(CHOOSE, closedOne)
    await user.click(await screen.findByRole('button', { name: 'Close on all 2 days' }))
    expect(await screen.findByText('Days closed')).toBeDefined()
    expect(api.to(CHOOSE)[0]?.body).toEqual({ choice: 'close', dates: ['2027-03-26', '2027-05-03'] })
    api.answer(LIST, closedOne)
    await user.click(screen.getByRole('button', { name: 'Close on Fri, Mar 26, 2027' }))
    await waitFor(() => expect(listNames()).toEqual(['Early May bank holiday']))
    expect(api.to(CHOOSE)[1]?.body).toEqual({ choice: 'close', dates: ['2027-03-26'] })
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Change region' }))
  })

  test('keeps one open, which can be undone', async () => {
    const { user, api } = renderCard(makeResponse([GOOD_FRIDAY]))
    api.answer(CHOOSE, makeResponse([]))
    api.answer(LIST, makeResponse([]))
    await user.click(await screen.findByRole('button', { name: 'Keep open on Fri, Mar 26, 2027' }))
    expect(await screen.findByText(/Nothing left to decide/)).toBeDefined()
    api.answer(LIST, makeResponse([GOOD_FRIDAY]))
    await user.click(screen.getByRole('button', { name: 'Undo' }))
    expect(await screen.findByText('Good Friday')).toBeDefined()
    expect(api.to(CHOOSE).map(({ body }) => body)).toEqual([
      { choice: 'keep_open', dates: ['2027-03-26'] },
      { choice: 'undecided', dates: ['2027-03-26'] },
    ])
  })

  test('a refusal is shown, and the list is read again', async () => {
    const { user, api } = renderCard(makeResponse([GOOD_FRIDAY]))
    api.answer(CHOOSE, errorResponse('special_days.too_many'))
    const close = await screen.findByRole('button', { name: 'Close on Fri, Mar 26, 2027' })
    const before = api.to(LIST).length
    await user.click(close)
    const refusal = PROBLEMS['special_days.too_many'].title
    expect(await screen.findByText(`Failed to close days: ${refusal}`)).toBeDefined()
    await waitFor(() => expect(api.to(LIST).length).toBeGreaterThan(before))
  })

  test('can be changed to none', async () => {
    const { user, api } = renderCard(makeResponse([GOOD_FRIDAY]))
    await user.click(await screen.findByRole('button', { name: 'Change region' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Public holidays' }))
    expect(await dialog.findByRole('combobox', { name: 'Region' })).toHaveProperty('value', 'Scotland')
    await user.click(dialog.getByRole('combobox', { name: 'Country' }))
    await user.click(await screen.findByRole('option', { name: 'None' }))
    api.answer(SAVE_REGION, NO_HOLIDAYS)
    await user.click(dialog.getByRole('button', { name: 'Save' }))
    expect(await screen.findByText('No country chosen.')).toBeDefined()
    expect(api.to(SAVE_REGION)[0]?.body).toEqual({ country: null, region: null })
  })
})

function renderCard(holidays: HolidaysResponse, over: { timezone?: string } = {}) {
  const api = stubApi({ [LIST]: holidays, ...COUNTRIES })
  const { user } = renderComponent(
    <HolidaysCard calendar={makeCalendar({ timezone: 'Europe/London', ...over })} />,
  )
  return { user, api }
}

function listNames(): (string | null | undefined)[] {
  const items = screen.queryAllByRole('listitem')
  return items.map((item) => item.querySelector('p')?.textContent)
}

function makeHoliday(over: Partial<HolidayEntry>): HolidayEntry {
  return { date: '2027-01-01', name: 'New Year', state: 'proposed', appointments: 0, ...over }
}

function makeResponse(holidays: HolidayEntry[]): HolidaysResponse {
  return { country: 'GB', region: 'SCT', place: 'Scotland, United Kingdom', holidays }
}
