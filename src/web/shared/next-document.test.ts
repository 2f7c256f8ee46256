// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from 'vitest'
import { showToast } from '#web/ui/toast.tsx'
import { currentToast, dismissToast } from '#web/ui/toast-store.ts'
import { showToastOfPreviousDocument, storeToastForNextDocument } from './next-document.ts'

afterEach(() => {
  dismissToast(currentToast()?.id ?? 0)
  sessionStorage.clear()
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

test('a toast is shown again in the next document, but not in the one after it', () => {
  showToast('success', 'Successfully logged in!')
  storeToastForNextDocument()
  forget()
  showToastOfPreviousDocument()
  expect(currentToast()).toMatchObject({ tone: 'success', text: 'Successfully logged in!' })
  forget()
  showToastOfPreviousDocument()
  expect(currentToast()).toBeNull()
})

test('a toast older than ten seconds is not shown again', () => {
  vi.useFakeTimers()
  showToast('success', 'Successfully logged in!')
  storeToastForNextDocument()
  forget()
  vi.advanceTimersByTime(11_000)
  showToastOfPreviousDocument()
  expect(currentToast()).toBeNull()
})

test('without a toast nothing is stored', () => {
  storeToastForNextDocument()
  showToastOfPreviousDocument()
  expect(currentToast()).toBeNull()
})

test('where storage is forbidden, nothing fails', () => {
  const denied = () => {
    throw new DOMException('denied', 'SecurityError')
  }
  vi.stubGlobal('sessionStorage', { getItem: denied, setItem: denied, clear: () => undefined })
  showToast('success', 'Successfully logged in!')
  storeToastForNextDocument()
  forget()
  showToastOfPreviousDocument()
  expect(currentToast()).toBeNull()
})

/** Dismisses the toast, as if a new document had loaded. */
function forget(): void {
  dismissToast(currentToast()?.id ?? 0)
}
