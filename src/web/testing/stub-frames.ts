import { vi } from 'vitest'

/**
 * The environment loads no pages into frames and complains loudly; an element without meaning does as well. Undone by
 * `vi.restoreAllMocks()`.
 */
export function stubFrames(): void {
  const createElement = document.createElement.bind(document)
  vi.spyOn(document, 'createElement').mockImplementation((tag: string) =>
    createElement(tag === 'iframe' ? 'x-frame' : tag),
  )
}
