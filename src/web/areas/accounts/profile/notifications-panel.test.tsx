// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { makeProfile } from '#web/testing/make-records.ts'
import { renderComponent } from '#web/testing/render-part.tsx'
import { errorResponse, heldResponse, stubApi } from '#web/testing/stub-api.ts'
import { NotificationsPanel } from './notifications-panel.tsx'

const READ = 'GET /api/profile'
const SAVE = 'PATCH /api/profile/notifications'

test.each([
  ['New bookings', 'notify_bookings'],
  ['Cancellation requests', 'notify_cancellation_requests'],
  ['Cancellations', 'notify_cancellations'],
] as const)('%s can be switched off alone, and are saved immediately', async (name, setting) => {
  const { user, api } = openPanel()
  const control = await screen.findByRole('switch', { name })
  expect(control).toHaveProperty('checked', true)
  api.answer(SAVE, makeProfile({ [setting]: false }))
  await user.click(control)
  expect(await screen.findByText('Notification settings saved')).toBeDefined()
  expect(api.to(SAVE).map(({ body }) => body)).toEqual([{ [setting]: false }])
  const states = screen.getAllByRole('switch').map((one) => 'checked' in one && one.checked)
  expect(states.filter((on) => on === false)).toHaveLength(1)
  expect(control).toHaveProperty('checked', false)
})

test('a refusal shows the reason and the stored value', async () => {
  const { user, api } = openPanel()
  api.answer(SAVE, errorResponse('server.unavailable'))
  await user.click(await screen.findByRole('switch', { name: 'New bookings' }))
  expect(await screen.findByText(/^Failed to save notification settings: The service/)).toBeDefined()
  await waitFor(() =>
    expect(screen.getByRole('switch', { name: 'New bookings' })).toHaveProperty('checked', true),
  )
})

test('a second press is ignored while the first is being saved', async () => {
  const { user, api } = openPanel()
  const control = await screen.findByRole('switch', { name: 'New bookings' })
  const held = heldResponse(makeProfile({ notify_bookings: false }))
  api.answer(SAVE, held.answer)
  await user.click(control)
  await user.click(control)
  held.release()
  expect(await screen.findByText('Notification settings saved')).toBeDefined()
  expect(api.to(SAVE)).toHaveLength(1)
})

test('shows the address, and that messages about the account are always sent', async () => {
  openPanel()
  expect(await screen.findByText('Which emails we send to meredith@example.org.')).toBeDefined()
  expect(screen.getByText(/^We always email you about your account itself/)).toBeDefined()
})

test('shows an error when loading fails', async () => {
  stubApi({ [READ]: errorResponse('auth.required') })
  renderComponent(<NotificationsPanel />)
  expect(await screen.findByText('Failed to load profile data')).toBeDefined()
})

function openPanel() {
  const api = stubApi({ [READ]: makeProfile() })
  const { user } = renderComponent(<NotificationsPanel />)
  return { user, api }
}
