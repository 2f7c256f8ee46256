// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { beforeEach, expect, test, vi } from 'vitest'
import { enterText } from '#web/testing/enter-text.ts'
import { CALENDAR_ID, NEW_SLOT_SETTINGS } from '#web/testing/make-records.ts'
import { LOGGED_IN_RESPONSE, logIn, signOutOnServer } from '#web/testing/server-answers.ts'
import { errorResponse, stubApi } from '#web/testing/stub-api.ts'
import { renderApp } from './testing/render-app.tsx'

/** These tests end the session while the owner is editing the week. After logging in again, all edits are still there. */

const PAGE = `/calendar/${CALENDAR_ID}/settings?tab=availability`
const WEEK = `/api/calendars/${CALENDAR_ID}/availability`
const SETTINGS = NEW_SLOT_SETTINGS
const MONDAY = {
  ...SETTINGS,
  id: '00000000-0000-4000-8000-000000000701',
  calendar_id: CALENDAR_ID,
  day_of_week: 1,
  start_time: '09:00:00',
  end_time: '17:00:00',
}
const OWNER_WITH_A_WEEK = {
  ...LOGGED_IN_RESPONSE,
  [`GET ${WEEK}`]: { ...SETTINGS, availability: [MONDAY], appointment_types: [] },
  [`GET ${WEEK}/preview`]: { time_zone: 'Europe/London', days: [] },
}

beforeEach(() => {
  vi.spyOn(console, 'info').mockImplementation(() => undefined)
})
test('the slot settings that were being changed', async () => {
  const { user, api } = await open()
  const longest = await screen.findByLabelText('Longest appointment')
  await user.clear(longest)
  await user.type(longest, '95')
  expireFor(api, `PATCH /api/calendars/${CALENDAR_ID}/slot-settings`)
  await user.click(screen.getByRole('button', { name: 'Save settings' }))
  await logInAgain(user, api)
  expect(await screen.findByLabelText('Longest appointment')).toHaveProperty('value', '95')
  expect(screen.getByText('You have unsaved changes')).toBeDefined()
})

test('the hours that were being added to a day', async () => {
  const { user, api } = await open()
  await user.click(await screen.findByRole('button', { name: 'Add hours on Saturday' }))
  const form = within(screen.getByRole('form', { name: 'Add hours on Saturday' }))
  await user.clear(form.getByLabelText('Start time'))
  await user.type(form.getByLabelText('Start time'), '10:20')
  await user.click(form.getByRole('checkbox', { name: 'Until midnight' }))
  expireFor(api, `POST ${WEEK}`)
  await user.click(form.getByRole('button', { name: 'Add hours' }))
  await logInAgain(user, api)
  const again = within(await screen.findByRole('form', { name: 'Add hours on Saturday' }))
  expect(again.getByLabelText('Start time')).toHaveProperty('value', '10:20')
  expect(again.getByRole('checkbox', { name: 'Until midnight' })).toHaveProperty('checked', true)
})

test('the times that were being typed for a range', async () => {
  const { user, api } = await open()
  await user.click(await screen.findByRole('button', { name: 'Change Monday 9:00 AM – 5:00 PM' }))
  const form = within(screen.getByRole('form', { name: 'Change Monday 9:00 AM – 5:00 PM' }))
  await user.clear(form.getByLabelText('End time'))
  await user.type(form.getByLabelText('End time'), '15:20')
  expireFor(api, `PUT ${WEEK}/${MONDAY.id}`)
  await user.click(form.getByRole('button', { name: 'Save' }))
  await logInAgain(user, api)
  const again = within(await screen.findByRole('form', { name: 'Change Monday 9:00 AM – 5:00 PM' }))
  expect(again.getByLabelText('End time')).toHaveProperty('value', '15:20')
})

test('the lunch break that was being added', async () => {
  const { user, api } = await open()
  await user.click(await screen.findByRole('button', { name: 'Add lunch break' }))
  const dialog = within(await screen.findByRole('dialog'))
  await user.clear(dialog.getByLabelText('End time'))
  await user.type(dialog.getByLabelText('End time'), '12:40')
  expireFor(api, `PUT ${WEEK}/days`)
  await user.click(dialog.getByRole('button', { name: 'Add to Monday' }))
  await logInAgain(user, api)
  const again = within(await screen.findByRole('dialog', { name: 'Add lunch break' }))
  expect(again.getByLabelText('End time')).toHaveProperty('value', '12:40')
})

test('the days that one was being copied to', async () => {
  const { user, api } = await open()
  await user.click(await screen.findByRole('button', { name: 'Copy Monday to other days' }))
  const dialog = within(await screen.findByRole('dialog'))
  await user.click(dialog.getByRole('checkbox', { name: 'Friday' }))
  expireFor(api, `POST ${WEEK}/copy`)
  await user.click(dialog.getByRole('button', { name: 'Copy' }))
  await logInAgain(user, api)
  const again = within(await screen.findByRole('dialog', { name: 'Copy Monday to other days' }))
  expect(again.getByRole('checkbox', { name: 'Friday' })).toHaveProperty('checked', true)
})

test('the days that were being given other hours', async () => {
  const { user, api } = await open()
  await screen.findByText(/^No days off planned/)
  await user.click(screen.getByRole('button', { name: 'Add days' }))
  const dialog = within(await screen.findByRole('dialog'))
  await user.click(dialog.getByRole('radio', { name: 'Different hours' }))
  await enterText(user, dialog.getByLabelText('Note'), 'Stocktaking')
  expireFor(api, `POST /api/calendars/${CALENDAR_ID}/special-days`)
  await user.click(dialog.getByRole('button', { name: 'Add days' }))
  await logInAgain(user, api)
  const again = within(await screen.findByRole('dialog', { name: 'Add days' }))
  expect(again.getByLabelText('Note')).toHaveProperty('value', 'Stocktaking')
  expect(again.getByLabelText('Start time')).toHaveProperty('value', '09:00')
})

async function open() {
  const api = stubApi(OWNER_WITH_A_WEEK)
  const { user } = renderApp(PAGE)
  await waitForWeek()
  return { user, api }
}

/**
 * Searches by text, because a dialog that has been restored hides the roles behind it. Rendering the whole page takes long on a
 * busy machine.
 */
function waitForWeek(): Promise<HTMLElement> {
  return screen.findByText('Weekly schedule', {}, { timeout: 10_000 })
}

async function logInAgain(user: UserEvent, api: ReturnType<typeof stubApi>): Promise<void> {
  await logIn(user, api, OWNER_WITH_A_WEEK)
  await waitForWeek()
}

function expireFor(api: ReturnType<typeof stubApi>, operation: string): void {
  signOutOnServer(api)
  for (const key of [operation, `GET ${WEEK}`, `GET ${WEEK}/preview`])
    api.answer(key, errorResponse('auth.required'))
}
