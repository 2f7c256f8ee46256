// @vitest-environment happy-dom
import { screen } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { CALENDAR_ID, makeProfile, NEW_SLOT_SETTINGS } from '#web/testing/make-records.ts'
import { LOGGED_IN_RESPONSE } from '#web/testing/server-answers.ts'
import { findSettingsLink } from '#web/testing/settings-links.ts'
import { stubApi } from '#web/testing/stub-api.ts'
import { renderApp } from './testing/render-app.tsx'

const SETTINGS = `/calendar/${CALENDAR_ID}/settings`
const WEEK = `GET /api/calendars/${CALENDAR_ID}/availability`
const ANSWERS = {
  ...LOGGED_IN_RESPONSE,
  'GET /api/profile': makeProfile(),
  [`${WEEK}/preview`]: { time_zone: 'Europe/London', days: [] },
  [WEEK]: {
    ...NEW_SLOT_SETTINGS,
    availability: [],
    appointment_types: [],
  },
}

/** Finds a tab of the profile, or the link to a tab of a calendar's settings. */
function findTab(name: string): Promise<HTMLElement> {
  const tab = screen.queryByRole('tab', { name })
  return tab === null ? findSettingsLink(name) : Promise.resolve(tab)
}

beforeEach(() => {
  vi.spyOn(console, 'info').mockImplementation(() => undefined)
})
test.each([
  [SETTINGS, 'Locations', 'General', 'First name', 'Meredith', ''],
  [`${SETTINGS}?tab=availability`, 'Locations', 'Availability', 'Longest appointment', '120', ''],
  [`${SETTINGS}?tab=reminders`, 'Locations', 'Reminders', 'Sender name', 'Dr. Grey', ''],
  ['/profile', 'Subscription', 'Personal Info', 'Last name', 'Grey', 'Edit Profile'],
])(
  'what is typed at %s outlives a look at another tab, is pointed out, and can be discarded',
  async (path, other, own, label, stored, begin) => {
    stubApi(ANSWERS)
    const { user } = renderApp(path)
    const field = await screen.findByLabelText(label)
    if (begin !== '') await user.click(screen.getByRole('button', { name: begin }))
    await user.type(field, '1')
    expect(screen.queryByText('You have unsaved changes')).toBeNull()
    await user.click(await findTab(other))
    await user.click(await findTab(own))
    expect(await screen.findByText('You have unsaved changes')).toBeDefined()
    expect(screen.getByLabelText(label)).toHaveProperty('value', `${stored}1`)
    await user.click(screen.getByRole('button', { name: 'Discard' }))
    expect(screen.getByLabelText(label)).toHaveProperty('value', stored)
    expect(screen.queryByText('You have unsaved changes')).toBeNull()
  },
)
