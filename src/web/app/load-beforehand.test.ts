// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { loadOwnerPagesBeforehand } from './owner-pages.ts'

const LATER_MS = 2_000
const download = vi.fn(async () => {})

beforeEach(() => {
  vi.useFakeTimers()
  download.mockClear()
  // As in Safari, so that the time is that of the timers.
  vi.stubGlobal('requestIdleCallback', undefined)
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('an owner’s page has the owner’s part downloaded at once', () => {
  loadOwnerPagesBeforehand('/dashboard', download)
  expect(download).toHaveBeenCalledOnce()
})

test('the login has it downloaded once it has been painted', () => {
  loadOwnerPagesBeforehand('/login', download)
  vi.advanceTimersByTime(400)
  expect(download).not.toHaveBeenCalled()
  vi.advanceTimersByTime(LATER_MS)
  expect(download).toHaveBeenCalledOnce()
})

test('a download that fails is nobody’s trouble yet', async () => {
  download.mockRejectedValueOnce(new Error('offline'))
  loadOwnerPagesBeforehand('/dashboard', download)
  await expect(vi.advanceTimersByTimeAsync(1)).resolves.toBeDefined()
})
