import { cleanup } from '@testing-library/react'
import { afterEach, vi } from 'vitest'

/** Undoes what a component test leaves behind: rendered parts, stubs, spies and fake timers. */
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
  vi.useRealTimers()
})
