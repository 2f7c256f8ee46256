// @vitest-environment happy-dom

import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { SettingChange } from '#contract/calendars/setting-changes.ts'
import { CALENDAR_ID, makeCalendar } from '#web/testing/make-records.ts'
import { renderComponent } from '#web/testing/render-part.tsx'
import { stubApi } from '#web/testing/stub-api.ts'
import { ActivityPanel } from './activity-panel.tsx'

const CHANGES = `GET /api/calendars/${CALENDAR_ID}/setting-changes`
const REFUSALS = `GET /api/calendars/${CALENDAR_ID}/refusals`

test('the keyboard alone turns pages, chooses a kind of setting and reaches the refused bookings', async () => {
  const { user, api } = openPanel()
  expect(await screen.findByText('Minimum notice')).toBeDefined()

  await user.tab()
  expect(focused()).toBe('Changes')
  await user.tab()
  expect(focused()).toBe('Refused bookings')
  await user.tab()
  expect(document.activeElement).toBe(screen.getByRole('combobox', { name: 'Settings' }))
  await user.tab()
  expect(focused()).toBe('Older')
  await user.keyboard('{Enter}')
  await waitFor(() => expect(api.to(CHANGES).at(-1)?.search.get('before')).toBe('2'))
  expect(await screen.findByText('Name')).toBeDefined()
  await user.tab({ shift: true })
  expect(focused()).toBe('Newer')
  await user.keyboard(' ')
  expect(await screen.findByText('Minimum notice')).toBeDefined()

  screen.getByRole('combobox', { name: 'Settings' }).focus()
  await user.keyboard('{Enter}')
  await screen.findByRole('option', { name: 'Tab branding' })
  await user.keyboard('Tab branding{Enter}')
  await waitFor(() => expect(api.to(CHANGES).at(-1)?.search.get('kind')).toBe('branding'))

  screen.getByRole('button', { name: 'Refused bookings' }).focus()
  await user.keyboard('{Enter}')
  expect(await screen.findByText('No refused bookings')).toBeDefined()
  expect(focused()).toBe('Refused bookings')
})

function focused(): string | null | undefined {
  return document.activeElement?.textContent
}

function openPanel() {
  const api = stubApi({
    [CHANGES]: ({ search }: { search: URLSearchParams }) =>
      search.get('before') === null
        ? { changes: [makeChange('2', { minimum_notice_minutes: 60 })], names: {}, next: '2' }
        : { changes: [makeChange('1', { name: 'Practice' })], names: {}, next: null },
    [REFUSALS]: { refusals: [], next: null },
  })
  const { user } = renderComponent(
    <ActivityPanel calendar={makeCalendar()} labelOfKind={(kind) => `Tab ${kind}`} />,
  )
  return { user, api }
}

/** Makes a change of a setting of the calendar. */
function makeChange(id: string, after: Record<string, unknown>): SettingChange {
  const before = Object.fromEntries(Object.keys(after).map((column) => [column, null]))
  return {
    id,
    at: '2027-01-04T10:00:00Z',
    by: 'you',
    rows: [{ what: 'calendars', name: null, before, after }],
  }
}
