// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { PROBLEMS } from '#contract/shared/problem.ts'
import { makeOverlapping } from '#web/testing/make-records.ts'
import { renderComponent } from '#web/testing/render-part.tsx'
import { errorResponse, stubApi } from '#web/testing/stub-api.ts'
import { ExistingOverlapsNotice } from './kept-overlaps.tsx'

// These tests cover the list of appointments that already overlap. Source: rule T42.

const LIST = 'GET /api/people/overlaps'
const AWAY = 'DELETE /api/people/overlaps'
const TITLE = 'Appointments at the same time'
const KEPT = {
  total: 1,
  overlaps: [
    {
      first: makeOverlapping(),
      second: makeOverlapping({
        id: '00000000-0000-4000-8000-000000000502',
        calendar_id: '00000000-0000-4000-8000-000000000102',
        calendar_name: 'Tenancy law',
        customer_name: 'שרה לוי',
      }),
    },
  ],
}

test('without overlaps there is nothing', async () => {
  const api = stubApi({ [LIST]: { total: 0, overlaps: [] } })
  renderComponent(<ExistingOverlapsNotice />)
  await waitFor(() => expect(api.to(LIST).length).toBeGreaterThan(0))
  expect(screen.queryByText(TITLE)).toBeNull()
})

test('both appointments of an overlap lead to themselves in the lists', async () => {
  stubApi({ [LIST]: KEPT })
  renderComponent(<ExistingOverlapsNotice />)
  const list = within(await screen.findByRole('list', { name: TITLE }))
  expect(list.getAllByText('Tue, Dec 1, 2026, 9:30 AM – 10:15 AM')).toHaveLength(2)
  const links = list.getAllByRole('link')
  expect(
    links.map((link) => [link.textContent, link.getAttribute('href'), link.getAttribute('target')]),
  ).toEqual([
    [
      'Ada Lovelace',
      '/calendar/00000000-0000-4000-8000-000000000101/settings?tab=appointments&appointment=00000000-0000-4000-8000-000000000501',
      null,
    ],
    [
      '\u2068שרה לוי\u2069',
      '/calendar/00000000-0000-4000-8000-000000000102/settings?tab=appointments&appointment=00000000-0000-4000-8000-000000000502',
      null,
    ],
  ])
})

test('the list can be hidden', async () => {
  const api = stubApi({ [LIST]: KEPT, [AWAY]: undefined })
  const { user } = renderComponent(<ExistingOverlapsNotice />)
  await user.click(await screen.findByRole('button', { name: 'Hide this list' }))
  await waitFor(() => expect(screen.queryByText(TITLE)).toBeNull())
  expect(api.to(AWAY)).toHaveLength(1)
})

test('a list that could not be hidden stays, with an error', async () => {
  stubApi({ [LIST]: KEPT, [AWAY]: errorResponse('server.unexpected') })
  const { user } = renderComponent(<ExistingOverlapsNotice />)
  await user.click(await screen.findByRole('button', { name: 'Hide this list' }))
  expect(await screen.findByText(PROBLEMS['server.unexpected'].title)).toBeDefined()
  expect(screen.getByRole('list', { name: TITLE })).toBeDefined()
})
