// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, type MockInstance, test, vi } from 'vitest'
import { makeOwner } from '#web/testing/make-records.ts'
import { renderComponent } from '#web/testing/render-part.tsx'
import { stubApi } from '#web/testing/stub-api.ts'
import { useWatchSession } from './use-follow-session.ts'

const SESSION = 'GET /api/auth/session'
const meredith = makeOwner()

let log: MockInstance
beforeEach(() => {
  log = vi.spyOn(console, 'info').mockImplementation(() => undefined)
})

test('the first answer is logged once and sets the flag', async () => {
  stubApi({ [SESSION]: { user: meredith } })
  const { onOwnerChange } = renderFollower()
  await screen.findByText('Meredith Grey')
  expect(events()).toEqual(['INITIAL_SESSION'])
  expect(localStorage.getItem('isLoggedIn')).toBe('true')
  expect(onOwnerChange).not.toHaveBeenCalled()
})

test('a stale flag is removed when nobody is signed in', async () => {
  localStorage.setItem('isLoggedIn', 'true')
  stubApi({ [SESSION]: { user: null } })
  renderFollower()
  await screen.findByText('nobody')
  expect(localStorage.getItem('isLoggedIn')).toBeNull()
})

test('a sign-out in another tab is noticed', async () => {
  const api = stubApi({ [SESSION]: { user: meredith } })
  const { onOwnerChange } = renderFollower()
  await screen.findByText('Meredith Grey')
  api.answer(SESSION, { user: null })
  window.dispatchEvent(new StorageEvent('storage', { key: 'isLoggedIn', newValue: null }))
  await screen.findByText('nobody')
  expect(events()).toEqual(['INITIAL_SESSION', 'SIGNED_OUT'])
  expect(localStorage.getItem('isLoggedIn')).toBeNull()
  expect(onOwnerChange).toHaveBeenCalledTimes(1)
})

test('a change of another storage key is ignored', async () => {
  const api = stubApi({ [SESSION]: { user: meredith } })
  renderFollower()
  await screen.findByText('Meredith Grey')
  const asked = api.sent.length
  window.dispatchEvent(new StorageEvent('storage', { key: 'ui-theme', newValue: 'dark' }))
  expect(api.sent).toHaveLength(asked)
})

test.each(['focus', 'visibilitychange'])('the session is refetched on %s of the window', async (event) => {
  const api = stubApi({ [SESSION]: { user: meredith } })
  renderFollower()
  await screen.findByText('Meredith Grey')
  api.answer(SESSION, { user: { ...meredith, full_name: 'Meredith Shepherd' } })
  passTime(1_000)
  window.dispatchEvent(new Event(event))
  await screen.findByText('Meredith Shepherd')
  expect(events()).toEqual(['INITIAL_SESSION', 'USER_UPDATED'])
})

test.each(['focus', 'visibilitychange'])(
  'a session from the last second is not refetched on %s',
  async (event) => {
    const api = stubApi({ [SESSION]: { user: meredith } })
    renderFollower()
    await screen.findByText('Meredith Grey')
    const asked = api.sent.length
    window.dispatchEvent(new Event(event))
    expect(api.sent).toHaveLength(asked)
  },
)

test('a page from the back-forward cache refetches the session', async () => {
  const api = stubApi({ [SESSION]: { user: meredith } })
  renderFollower()
  await screen.findByText('Meredith Grey')
  api.answer(SESSION, { user: null })
  window.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true }))
  await screen.findByText('nobody')
  expect(events()).toEqual(['INITIAL_SESSION', 'SIGNED_OUT'])
})

test('somebody else in another tab replaces the owner', async () => {
  const api = stubApi({ [SESSION]: { user: meredith } })
  const { onOwnerChange } = renderFollower()
  await screen.findByText('Meredith Grey')
  api.answer(SESSION, {
    user: makeOwner({ id: '00000000-0000-4000-8000-000000000002', full_name: 'Cristina Yang' }),
  })
  window.dispatchEvent(new StorageEvent('storage', { key: null }))
  await screen.findByText('Cristina Yang')
  await waitFor(() => expect(onOwnerChange).toHaveBeenCalledTimes(1))
  expect(events()).toEqual(['INITIAL_SESSION', 'SIGNED_IN'])
})

function renderFollower() {
  const onOwnerChange = vi.fn()
  function Follower() {
    const owner = useWatchSession(onOwnerChange)
    return <p>{owner === undefined ? 'unknown' : (owner?.full_name ?? 'nobody')}</p>
  }
  renderComponent(<Follower />)
  return { onOwnerChange }
}

/** Moves `Date.now` forward by `ms` milliseconds. Timers still wait for their full time. */
function passTime(ms: number): void {
  const nowMs = Date.now()
  vi.spyOn(Date, 'now').mockImplementation(() => nowMs + ms)
}

function events(): string[] {
  return log.mock.calls.map(([entry]) => entry.event)
}
