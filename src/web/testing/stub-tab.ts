import { vi } from 'vitest'

/** Stubs `window.open`. Pass null to simulate a browser that blocks new tabs. Undone by `vi.restoreAllMocks()`. */
export function stubTab(opened: 'opened' | null = 'opened') {
  const tab = { opener: window as unknown, location: { replace: vi.fn() }, close: vi.fn() }
  // The stub has only the members of a window that the page uses.
  const open = vi
    .spyOn(window, 'open')
    .mockReturnValue(opened === null ? null : (tab as unknown as Window & typeof globalThis))
  return { open, tab }
}
