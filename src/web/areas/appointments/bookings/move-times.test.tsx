// @vitest-environment happy-dom
import { screen } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { renderComponent } from '#web/testing/render-part.tsx'
import { type SentRequest, stubApi } from '#web/testing/stub-api.ts'
import { NewTimeSelection } from './move-times.tsx'

const SLOTS = 'GET /api/public/manage/token/slots'
const NINE = '2027-01-29T09:00:00.000Z'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2027-01-28T08:00:00Z') })
})
test.each([
  ['its own', NINE, 'Friday, January 29', '2027-01-29'],
  [
    'that of a suggested time, also in another month',
    '2027-02-01T09:00:00.000Z',
    'Monday, February 1',
    '2027-02-01',
  ],
])('the first day that is shown is %s', async (_whose, opensAt, heading, date) => {
  const api = stubApi({
    [SLOTS]: { date, time_zone: 'Europe/London', slots: [] },
    'GET /api/public/manage/token/days': { time_zone: 'Europe/London', days: [] },
  })
  renderComponent(
    <NewTimeSelection
      token="token"
      startsAt={NINE}
      opensAt={opensAt}
      timeZone="Europe/London"
      hourCycle="h12"
      selected={null}
      onSelect={() => {}}
      onGone={() => {}}
    />,
  )
  screen.getByRole('heading', { name: heading })
  await screen.findByText('No available times for this date')
  expect(api.to(SLOTS)[0]?.search.get('date')).toBe(date)
})

test.each([
  { where: 'on a phone', isNarrow: true, focused: 'Saturday, January 30' },
  { where: 'beside the days', isNarrow: false, focused: undefined },
])(
  'another day clears the chosen time, and its times come into view: $where',
  async ({ isNarrow, focused }) => {
    vi.stubGlobal('matchMedia', () => ({
      matches: isNarrow,
      addEventListener() {},
      removeEventListener() {},
    }))
    stubApi({
      [SLOTS]: { date: '2027-01-29', time_zone: 'Europe/London', slots: [] },
      'GET /api/public/manage/token/days': { time_zone: 'Europe/London', days: [] },
    })
    const onSelect = vi.fn()
    const { user } = renderComponent(
      <NewTimeSelection
        token="token"
        startsAt={NINE}
        opensAt={NINE}
        timeZone="Europe/London"
        hourCycle="h12"
        selected="2027-01-29T10:00:00.000Z"
        onSelect={onSelect}
        onGone={() => {}}
      />,
    )
    await user.click(screen.getByRole('button', { name: /^Friday, January 29/ }))
    expect(onSelect).not.toHaveBeenCalled()
    await user.click(screen.getByRole('button', { name: /^Saturday, January 30/ }))
    expect(onSelect).toHaveBeenCalledExactlyOnceWith(null)
    expect(document.activeElement?.closest('h3')?.textContent).toBe(focused)
  },
)

test('weeks without a free time lead to the next free day', async () => {
  const api = stubApi({
    [SLOTS]: { date: '2027-01-29', time_zone: 'Europe/London', slots: [] },
    'GET /api/public/manage/token/days': ({ search }: SentRequest) => {
      const dates = ['2027-01-29', '2027-04-06'].filter(
        (date) => (search.get('from') ?? '') <= date && date <= (search.get('to') ?? ''),
      )
      return {
        time_zone: 'Europe/London',
        days: dates.map((date) => ({ date, open_slots: date === '2027-04-06' ? 1 : 0 })),
      }
    },
  })
  const onSelect = vi.fn()
  const { user } = renderComponent(
    <NewTimeSelection
      token="token"
      startsAt={NINE}
      opensAt={NINE}
      timeZone="Europe/London"
      hourCycle="h12"
      selected={null}
      onGone={() => {}}
      onSelect={onSelect}
    />,
  )
  await screen.findByText('No times in these weeks.')
  await user.click(screen.getByRole('button', { name: 'Go to the next free day' }))
  await vi.waitFor(() =>
    expect(document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent).toMatch(
      /^Tuesday, April 6/,
    ),
  )
  expect(screen.queryByText('No times in these weeks.')).toBeNull()
  expect(onSelect).not.toHaveBeenCalled()
  expect(api.to('GET /api/public/manage/token/days').length).toBeGreaterThan(1)
})
