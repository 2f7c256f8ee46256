import { beforeEach } from 'vitest'

/** Pages keep things in the tab: in the entry of its history, and in its storage. The test before has its own. Not all tests have a tab. */
beforeEach(() => {
  if (!('document' in globalThis)) return
  history.replaceState(null, '')
  sessionStorage.clear()
  localStorage.clear()
})
