import type { Page } from '@playwright/test'

/** Waits until nothing changes its colour or place any more. During a transition, what is shown belongs to no state of the page. */
export function finishTransitions(page: Page): Promise<unknown> {
  return page.evaluate(() => {
    const endsByItself = ({ effect }: Animation) =>
      effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY
    const finite = document.getAnimations().filter(endsByItself)
    return Promise.allSettled(finite.map(({ finished }) => finished.then(() => null)))
  })
}
