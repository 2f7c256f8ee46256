// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { PageProblem } from '#contract/availability/page-problems.ts'
import { PAGE_PROBLEM_TEXTS } from '#core/calendars/page-problem-texts.ts'
import { PAGE_PROBLEM_KINDS } from '#core/calendars/page-problems.ts'
import { renderComponent } from '#web/testing/render-part.tsx'
import { stubApi } from '#web/testing/stub-api.ts'
import { PageProblemsNotice } from './page-problems-notice.tsx'

const LIST = 'GET /api/page-problems'
const CALENDAR = '00000000-0000-4000-8000-000000000101'

test('a page without problems has no notice', async () => {
  const api = stubApi({ [LIST]: { problems: [] } })
  renderComponent(<PageProblemsNotice />)
  await waitFor(() => expect(api.to(LIST).length).toBeGreaterThan(0))
  expect(screen.queryByText('Customers may not be able to book')).toBeNull()
})

test('each problem names its calendar, and links to the settings that solve it', async () => {
  const problems = PAGE_PROBLEM_KINDS.map(
    (kind): PageProblem => ({
      calendar_id: CALENDAR,
      calendar_name: 'שרה לוי',
      kind,
      appointment_type_name: 'Retreat',
      missed_date:
        kind === 'standing_date_missed'
          ? { customer_name: 'Grace Hopper', date: '2027-05-03', reason: 'special_day' }
          : null,
    }),
  )
  stubApi({ [LIST]: { problems } })
  renderComponent(<PageProblemsNotice />)
  await screen.findByText('Customers may not be able to book')
  const items = screen.getAllByRole('listitem')
  expect(items).toHaveLength(PAGE_PROBLEM_KINDS.length)
  expect(screen.getByText(/Grace Hopper/).textContent).toContain(
    'could not be booked on May 3, 2027. This day has its own opening hours, and this time is outside them.',
  )
  PAGE_PROBLEM_KINDS.forEach((kind, i) => {
    const item = items[i] as HTMLElement
    expect(item.textContent).toContain('\u2068שרה לוי\u2069')
    const { tab, action } = PAGE_PROBLEM_TEXTS[kind]
    const link = within(item).getByRole('link', { name: action })
    expect(link.getAttribute('href')).toBe(`/calendar/${CALENDAR}/settings?tab=${tab}`)
  })
})
