import { cleanup } from '@testing-library/react'
import { afterEach, vi } from 'vitest'

/** Undoes the changes of a component test: rendered components, stubs, spies and fake timers. */
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
  vi.useRealTimers()
})
