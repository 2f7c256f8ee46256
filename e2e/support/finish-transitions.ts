import type { Page } from '@playwright/test'

/**
 * Waits until all transitions have finished. During a transition, the colours and positions belong to no real state of the page.
 */
export function finishTransitions(page: Page): Promise<unknown> {
  return page.evaluate(() => {
    const endsByItself = ({ effect }: Animation) =>
      effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY
    const finite = document.getAnimations().filter(endsByItself)
    return Promise.allSettled(finite.map(({ finished }) => finished.then(() => null)))
  })
}
