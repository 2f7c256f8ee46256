// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from 'vitest'
import { currentToast, dismissToast, showToast } from '#web/ui/toast-store.ts'
import { carryToast, showCarriedToast } from './carried-toast.ts'

afterEach(() => {
  dismissToast(currentToast()?.id ?? 0)
  sessionStorage.clear()
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

test('what is said is said once more in the next document, and not in the one after it', () => {
  showToast('success', 'Successfully logged in!')
  carryToast()
  forget()
  showCarriedToast()
  expect(currentToast()).toMatchObject({ tone: 'success', text: 'Successfully logged in!' })
  forget()
  showCarriedToast()
  expect(currentToast()).toBeNull()
})

test('what was said long ago is not said again', () => {
  vi.useFakeTimers()
  showToast('success', 'Successfully logged in!')
  carryToast()
  forget()
  vi.advanceTimersByTime(11_000)
  showCarriedToast()
  expect(currentToast()).toBeNull()
})

test('where nothing is said, nothing is carried', () => {
  carryToast()
  showCarriedToast()
  expect(currentToast()).toBeNull()
})

test('where storage is forbidden, nothing fails', () => {
  const denied = () => {
    throw new DOMException('denied', 'SecurityError')
  }
  vi.stubGlobal('sessionStorage', { getItem: denied, setItem: denied, clear: () => undefined })
  showToast('success', 'Successfully logged in!')
  carryToast()
  forget()
  showCarriedToast()
  expect(currentToast()).toBeNull()
})

/** As a new document has. */
function forget(): void {
  dismissToast(currentToast()?.id ?? 0)
}
