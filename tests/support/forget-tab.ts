import { beforeEach } from 'vitest'

/**
 * Pages store data in the browser tab (its history entry and its session storage), which would reach the next test. Some tests
 * run without a browser.
 */
beforeEach(() => {
  if (!('document' in globalThis)) return
  history.replaceState(null, '')
  sessionStorage.clear()
  localStorage.clear()
})
