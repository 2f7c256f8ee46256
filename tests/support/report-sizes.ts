import { beforeEach, vi } from 'vitest'

/** Happy DOM has no layout, and its `ResizeObserver` reports nothing. This one reports each element once, as browsers do at first. */
beforeEach(() => {
  vi.stubGlobal(
    'ResizeObserver',
    class implements ResizeObserver {
      readonly #report: () => void
      constructor(callback: ResizeObserverCallback) {
        this.#report = () => callback([], this)
      }
      observe() {
        this.#report()
      }
      unobserve() {}
      disconnect() {}
    },
  )
})
