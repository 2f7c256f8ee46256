import { expect, type Page } from '@playwright/test'

/**
 * Checks that the toast covers nothing. In the full sidebar, nothing is behind it. Elsewhere it is an opaque strip that leaves
 * nothing half visible beside it, and every control and heading of the page, or of the open dialog, scrolls to a place outside it.
 */
export async function expectToastCoversNothing(page: Page): Promise<void> {
  const toast = page.locator('[data-toaster] .toast')
  // The toast stays while the pointer is over it.
  await toast.hover()
  expect(await toast.evaluate(findFaults), `the toast covers nothing on ${page.url()}`).toEqual([])
}

/** Runs in the page, so it uses nothing from outside. */
function findFaults(toast: Element): string[] {
  const strip = toast.getBoundingClientRect()
  const dialog = [...document.querySelectorAll('[role="dialog"], [role="alertdialog"]')].at(-1)
  const bar = document.querySelector('[data-bottom-bar]')
  const sidebar = document.querySelector('[data-sidebar]')
  const isInSidebar = dialog === undefined && sidebar?.getAttribute('data-sidebar') === 'full'

  function isBehind(part: Element): boolean {
    const { top, bottom, left, right } = part.getBoundingClientRect()
    return top < strip.bottom - 1 && bottom > strip.top + 1 && left < strip.right && right > strip.left
  }

  function findGaps(): string[] {
    const start = dialog === undefined ? (sidebar?.getBoundingClientRect().right ?? 0) : 0
    const end = dialog === undefined ? (bar?.getBoundingClientRect().top ?? innerHeight) : innerHeight
    const isFlush = Math.abs(strip.bottom - end) <= 1 || (dialog !== undefined && strip.top === 0)
    const isWhole = strip.left === start && strip.right === document.documentElement.clientWidth
    const isOpaque = /^rgb\(/.test(getComputedStyle(toast).backgroundColor)
    return isFlush && isWhole && isOpaque ? [] : [`is no strip: ${JSON.stringify(strip)}`]
  }

  const parts = (dialog ?? document.body).querySelectorAll('a, button, input, select, textarea, h1, h2, h3')
  const covered = [...parts].filter((part) => {
    const { width, height } = part.getBoundingClientRect()
    if (width <= 1 || height <= 1 || !part.checkVisibility() || toast.contains(part)) return false
    if (isBehind(part) && !isInSidebar) part.scrollIntoView({ block: 'nearest' })
    return isBehind(part)
  })
  const names = covered.map((part) => `covers “${part.getAttribute('aria-label') ?? part.textContent}”`)
  return isInSidebar ? names : [...findGaps(), ...names]
}
