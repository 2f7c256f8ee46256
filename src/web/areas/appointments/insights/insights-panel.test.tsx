// @vitest-environment happy-dom
import { fireEvent, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import type { Insights } from '#contract/appointments/insights.ts'
import { retryUntilPasses } from '#tests/support/eventually.ts'
import { CALENDAR_ID, makeCalendar } from '#web/testing/make-records.ts'
import { renderComponent } from '#web/testing/render-part.tsx'
import { errorResponse, type SentRequest, stubApi } from '#web/testing/stub-api.ts'
import { InsightsPanel } from './insights-panel.tsx'

const INSIGHTS = `GET /api/calendars/${CALENDAR_ID}/insights`

test('each chart says what it shows, and its numbers are a table one press away', async () => {
  open()
  await screen.findByRole('heading', { name: 'November 2026 to January 2027' })
  for (const [title, sentence] of [
    ['Money by month', '€1,204.50 taken, €90.00 refunded, €180.00 outstanding.'],
    ['How full the week is', 'This week is 25% full, next week closed.'],
    ['Weekdays and hours', 'Busiest time: Tuesdays at 9 AM (7).'],
    ['Bookings by type', 'Most booked: Talk, 8 of 12 appointments.'],
    ['Lead time', 'At least half of the appointments are booked less than a week ahead.'],
    ['New and returning customers', /^3 new customers in these months\./],
    ['Cancellations', '3 of 15 appointments were cancelled: 20%.'],
    [
      'No-shows',
      '2 of 12 past appointments were no-shows: 17%. They cost €120.00, of which €90.00 was paid. They cost $5.00, none of it paid.',
    ],
  ] as const) {
    const card = sectionOf(title)
    expect(within(card).getByText(sentence), title).toBeDefined()
    // Each drawing has an accessible name that describes its content.
    const drawings = within(card).getAllByRole('img')
    expect(drawings.every((drawing) => (drawing.getAttribute('aria-label') ?? '').length > 10)).toBe(true)
    const details = card.querySelector('details')
    expect(details?.open, title).toBe(false)
    expect(within(card).queryByRole('table')).toBeNull()
    showNumbers(card)
    expect(details?.querySelector('table caption')?.textContent).toBe(title)
  }
})

test('the tables have every number of their charts', async () => {
  open()
  await screen.findByRole('heading', { name: 'Money by month' })
  expect(rowsOf('Money by month')).toEqual([
    ['Month', 'Taken', 'Refunded', 'Outstanding'],
    ['November 2026', '€0.00', '€0.00', '€0.00'],
    ['December 2026', '€1,000.00', '€90.00', '€0.00'],
    ['January 2027', '€204.50', '€0.00', '€180.00'],
  ])
  expect(rowsOf('How full the week is').slice(0, 3)).toEqual([
    ['Day', 'Booked', 'Open', 'Full'],
    ['Monday, January 4', '2 h', '8 h', '25%'],
    ['Tuesday, January 5', '0 min', '0 min', 'Closed'],
  ])
  expect(rowsOf('Weekdays and hours')).toEqual([
    ['Starts', 'Appointments'],
    ['Tuesday, 9 AM', '7'],
    ['Sunday, 6 PM', '5'],
  ])
  expect(rowsOf('Bookings by type')).toEqual([
    ['Type', 'Appointments', 'Share'],
    ['Talk', '8', '67%'],
    ['No type', '3', '25%'],
    ['All other types', '1', '8%'],
  ])
  expect(rowsOf('Lead time').at(-1)).toEqual(['Over 4 weeks', '2', '17%'])
  expect(rowsOf('New and returning customers').at(-1)).toEqual(['January 2027', '1', '4'])
  expect(rowsOf('Cancellations').slice(-2)).toEqual([
    ['December 2026', '10', '3', '30%'],
    ['January 2027', '5', '0', '0%'],
  ])
  expect(rowsOf('No-shows')).toEqual([
    ['Month', 'Past appointments', 'No-shows', 'Share'],
    ['November 2026', '0', '0', '–'],
    ['December 2026', '7', '2', '29%'],
    ['January 2027', '5', '0', '0%'],
  ])
})

test('what belongs together is told apart by pattern: each part of a chart has another fill', async () => {
  open()
  await screen.findByRole('heading', { name: 'Money by month' })
  const card = sectionOf('Money by month')
  const fills = [...card.querySelectorAll('svg[role="img"] g rect')]
    .map((bar) => bar.getAttribute('fill') ?? '')
    .filter((fill) => fill !== 'transparent')
  expect(new Set(fills).size).toBe(3)
  expect(fills.filter((fill) => fill.startsWith('url(#')).length).toBeGreaterThan(0)
  const patterns = [...card.querySelectorAll('svg[role="img"] pattern')].map(({ id }) => `url(#${id})`)
  for (const fill of fills.filter((one) => one.startsWith('url('))) expect(patterns).toContain(fill)
  expect(
    within(card)
      .getAllByRole('listitem')
      .map((item) => item.textContent),
  ).toEqual(['Taken', 'Refunded', 'Outstanding'])
})

test('refunded money hangs below the line on which taken money stands', async () => {
  open()
  await screen.findByRole('heading', { name: 'Money by month' })
  const chart = within(sectionOf('Money by month')).getAllByRole('img')[0]
  const base = Number(chart?.querySelector('line')?.getAttribute('y1'))
  const [, december] = chart?.querySelectorAll('g') ?? []
  const bars = [...(december?.querySelectorAll('rect') ?? [])].slice(1)
  const [taken, refunded] = bars.map((bar) => ({
    y: Number(bar.getAttribute('y')),
    height: Number(bar.getAttribute('height')),
  }))
  expect((taken?.y ?? 0) + (taken?.height ?? 0)).toBeCloseTo(base)
  expect(refunded?.y).toBe(base)
  // The heights are proportional to the amounts, 1,000 and 90.
  expect((taken?.height ?? 0) / (refunded?.height ?? 1)).toBeCloseTo(1_000 / 90, 0)
})

test('what is nothing is drawn as nothing: a closed week has a line and no columns', async () => {
  open()
  await screen.findByRole('heading', { name: 'Money by month' })
  expect(document.body.innerHTML).not.toMatch(/NaN|Infinity/)
  const next = within(sectionOf('How full the week is')).getByRole('img', { name: /^Next week/ })
  const bars = [...next.querySelectorAll('g > rect')].filter(
    (bar) => bar.getAttribute('fill') !== 'transparent',
  )
  expect(bars).toEqual([])
  expect(Number(next.querySelector('line')?.getAttribute('y1'))).toBeGreaterThan(0)
})

test('sandbox money has a chart of its own that says so, and nobody owes it', async () => {
  const [chart] = makeInsights().money
  open(makeInsights({ money: chart === undefined ? [] : [chart, { ...chart, sandbox: true }] }))
  await screen.findByRole('heading', { name: 'Money by month, EUR' })
  const card = sectionOf('Money by month, test payments in EUR')
  expect(within(card).queryByText('Outstanding')).toBeNull()
  expect(within(card).getByText('€1,204.50 taken, €90.00 refunded.')).toBeDefined()
})

test('another range is asked for when it is chosen', async () => {
  const asked: string[] = []
  stubApi({
    [INSIGHTS]: ({ search }: SentRequest) => {
      asked.push(search.get('months') ?? '')
      return makeInsights()
    },
  })
  renderComponent(<InsightsPanel scope={makeCalendar().id} />)
  await screen.findByRole('heading', { name: 'Money by month' })
  await userEvent.click(screen.getByRole('button', { name: '24' }))
  await retryUntilPasses(() => expect([...new Set(asked)]).toEqual(['6', '24']))
})

test('a new practice reads what will be here', async () => {
  open(makeInsights({ appointments: 0, money: [], cancellations: [] }))
  expect(await screen.findByText('Your charts will be here')).toBeDefined()
  expect(screen.getByText('New and returning customers')).toBeDefined()
  expect(screen.queryByRole('img')).toBeNull()
})

test('the page says when not every appointment was counted', async () => {
  open(makeInsights({ is_complete: false }))
  expect(await screen.findByText(/These are the latest 50,000\./)).toBeDefined()
})

test('insights that cannot be read say so and can be asked for again', async () => {
  stubApi({ [INSIGHTS]: errorResponse('server.unexpected') })
  renderComponent(<InsightsPanel scope={makeCalendar().id} />)
  expect(await screen.findByText('Failed to load the insights', {}, { timeout: 10_000 })).toBeDefined()
  stubApi({ [INSIGHTS]: () => makeInsights() })
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByRole('heading', { name: 'Money by month' })).toBeDefined()
})

function open(insights = makeInsights()): void {
  stubApi({ [INSIGHTS]: () => insights })
  renderComponent(<InsightsPanel scope={makeCalendar().id} />)
}

function sectionOf(title: string): HTMLElement {
  const section = screen.getByRole('heading', { name: title }).closest('section')
  if (section === null) throw new Error(`there is no card ${title}`)
  return section
}

function showNumbers(card: HTMLElement): void {
  const details = card.querySelector('details')
  if (details === null) throw new Error('This card has no numbers to show')
  details.open = true
  fireEvent(details, new Event('toggle'))
}

function rowsOf(title: string): string[][] {
  const card = sectionOf(title)
  showNumbers(card)
  return [...card.querySelectorAll('tr')].map((row) =>
    [...row.querySelectorAll('th, td')].map((cell) => cell.textContent ?? ''),
  )
}

function makeInsights(over: Partial<Insights> = {}): Insights {
  const months = ['2026-11', '2026-12', '2027-01']
  const money = (taken_cents: number, refunded_cents: number, outstanding_cents: number) => ({
    taken_cents,
    refunded_cents,
    outstanding_cents,
  })
  const [first = '', second = '', last = ''] = months
  return {
    time_zone: 'Europe/London',
    hour_cycle: 'h12',
    first_month: first,
    last_month: last,
    is_complete: true,
    appointments: 12,
    money: [
      {
        currency: 'EUR',
        sandbox: false,
        months: [
          { month: first, ...money(0, 0, 0) },
          { month: second, ...money(100_000, 9_000, 0) },
          { month: last, ...money(20_450, 0, 18_000) },
        ],
      },
    ],
    days: Array.from({ length: 14 }, (_, i) => ({
      date: `2027-01-${String(4 + i).padStart(2, '0')}`,
      open_minutes: i === 0 ? 480 : 0,
      booked_minutes: i === 0 ? 120 : 0,
    })),
    types: [
      { name: 'Talk', appointments: 8 },
      { name: null, appointments: 3 },
    ],
    other_types: 1,
    hours: [
      { day_of_week: 2, hour: 9, appointments: 7 },
      { day_of_week: 0, hour: 18, appointments: 5 },
    ],
    customers: [
      { month: first, new: 0, returning: 0 },
      { month: second, new: 2, returning: 1 },
      { month: last, new: 1, returning: 4 },
    ],
    lead_times: [
      { band: 'under_a_day', appointments: 1 },
      { band: 'one_to_three_days', appointments: 3 },
      { band: 'three_to_seven_days', appointments: 4 },
      { band: 'one_to_two_weeks', appointments: 1 },
      { band: 'two_to_four_weeks', appointments: 1 },
      { band: 'over_four_weeks', appointments: 2 },
    ],
    cancellations: [
      { month: first, appointments: 0, cancelled: 0 },
      { month: second, appointments: 10, cancelled: 3 },
      { month: last, appointments: 5, cancelled: 0 },
    ],
    no_shows: [
      { month: first, appointments: 0, no_shows: 0 },
      { month: second, appointments: 7, no_shows: 2 },
      { month: last, appointments: 5, no_shows: 0 },
    ],
    no_show_money: [
      { currency: 'EUR', paid_cents: 9_000, unpaid_cents: 3_000 },
      { currency: 'USD', paid_cents: 0, unpaid_cents: 500 },
    ],
    ...over,
  }
}
