import { vi } from 'vitest'

/**
 * Replaces iframes with inert elements, because the test environment logs errors for frames that it cannot load. Undone by
 * `vi.restoreAllMocks()`.
 */
export function stubFrames(): void {
  const createElement = document.createElement.bind(document)
  vi.spyOn(document, 'createElement').mockImplementation((tag: string) =>
    createElement(tag === 'iframe' ? 'x-frame' : tag),
  )
}
