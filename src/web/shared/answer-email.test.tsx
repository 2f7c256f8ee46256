// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from 'vitest'
import { answerWhenUsed } from './answer-email.ts'

const LINK = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQR'

afterEach(() => {
  history.replaceState(null, '', '/')
  vi.restoreAllMocks()
})

test('an email is answered once, when a person uses the page and not before', async () => {
  history.replaceState(null, '', `/cancel/1#email=${LINK}`)
  const beacon = vi.fn<Navigator['sendBeacon']>(() => true)
  Object.defineProperty(navigator, 'sendBeacon', { configurable: true, value: beacon })
  answerWhenUsed()
  use('scroll', true)
  // What a script does is not a person's.
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
})

function use(kind: string, isTrusted: boolean): void {
  const event = new Event(kind)
  Object.defineProperty(event, 'isTrusted', { value: isTrusted })
  dispatchEvent(event)
}
