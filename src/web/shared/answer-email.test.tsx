// @vitest-environment happy-dom
import { renderHook } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { useConfirmEmailWasRead } from './answer-email.ts'

const LINK = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQR'

afterEach(() => {
  history.replaceState(null, '', '/')
  vi.restoreAllMocks()
})

test('an email is answered once, when a person uses the page and not before', async () => {
  history.replaceState(null, '', `/cancel/1#email=${LINK}`)
  const beacon = vi.fn<Navigator['sendBeacon']>(() => true)
  Object.defineProperty(navigator, 'sendBeacon', { configurable: true, value: beacon })
  const { unmount } = renderHook(() => useConfirmEmailWasRead())
  use('scroll', true)
  // Browsers set `isTrusted` to false for an event that a script dispatches.
  use('pointerdown', false)
  expect(beacon).not.toHaveBeenCalled()
  use('pointerdown', true)
  use('keydown', true)
  expect(beacon).toHaveBeenCalledTimes(1)
  const [path, body] = beacon.mock.calls[0] ?? []
  expect(path).toBe('/api/public/email-answers')
  expect(body).toBeInstanceOf(Blob)
  expect((body as Blob).type).toBe('application/json')
  expect(JSON.parse(await (body as Blob).text())).toEqual({ link: LINK })
  unmount()
})

test('a page that no email led to answers none', () => {
  const beacon = vi.fn<Navigator['sendBeacon']>(() => true)
  Object.defineProperty(navigator, 'sendBeacon', { configurable: true, value: beacon })
  renderHook(() => useConfirmEmailWasRead())
  use('pointerdown', true)
  expect(beacon).not.toHaveBeenCalled()
})

function use(kind: string, isTrusted: boolean): void {
  const event = new Event(kind)
  Object.defineProperty(event, 'isTrusted', { value: isTrusted })
  dispatchEvent(event)
}
