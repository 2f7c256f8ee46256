import { expect, type Page } from '@playwright/test'

/** Twice the default text size of browsers, in CSS pixels. */
const LARGE_TEXT = 32

/** The height of a small phone, in CSS pixels. */
export const PHONE_HEIGHT = 667

/** Narrows the window to a phone and sets the text size, as a user does in the browser's settings. */
export async function enlargeText(page: Page, width: number): Promise<void> {
  await page.setViewportSize({ width, height: PHONE_HEIGHT })
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Page.setFontSizes', { fontSizes: { standard: LARGE_TEXT, fixed: LARGE_TEXT } })
}

/**
 * Checks that nothing of the page, or of its topmost dialog, is beside the screen, that no word is broken or cut, and that
 * nothing covers a focused field, a button of the dialog or the end of the page. Addresses and long numbers may
 * break anywhere, and parts that scroll sideways are left out.
 */
export async function expectReadable(page: Page): Promise<void> {
  const faults = await page.evaluate(findFaults)
  expect.soft(faults, `${page.url()} is readable`).toEqual([])
}

/** Runs in the page, so it uses nothing from outside. */
function findFaults(): string[] {
  const screen = document.documentElement
  const dialog = [...document.querySelectorAll('[role="dialog"], [role="alertdialog"]')].at(-1)
  const root = dialog ?? document.body

  function isSeen(part: Element): boolean {
    const { width, height } = part.getBoundingClientRect()
    return (
      width > 1 && height > 1 && part.checkVisibility({ visibilityProperty: true, opacityProperty: true })
    )
  }

  /** Returns the left and right edge between which a part of the page can be seen; null if it scrolls, or only screen readers read it. */
  function findEdges(part: Element): { left: number; right: number } | null {
    let edges = { left: 0, right: screen.clientWidth }
    for (let at: Element | null = part; at !== null && at !== document.body; at = at.parentElement) {
      const { overflowX, position } = getComputedStyle(at)
      if (!isSeen(at) || (/auto|scroll/.test(overflowX) && at.scrollWidth > at.clientWidth + 1)) return null
      if (/hidden|clip/.test(overflowX)) {
        const { left, right } = at.getBoundingClientRect()
        edges = { left: Math.max(edges.left, left), right: Math.min(edges.right, right) }
      }
      if (position === 'fixed') break
    }
    return edges
  }

  /** Returns the lines of a word, which is a part of a text. */
  function findLines(text: Node, start: number, length: number): DOMRect[] {
    const range = document.createRange()
    range.setStart(text, start)
    range.setEnd(text, start + length)
    return [...range.getClientRects()].filter(({ width }) => width > 0)
  }

  function findFaultyWordsOf(text: Node): string[] {
    const parent = text.parentElement
    const edges = parent && findEdges(parent)
    if (edges === null) return []
    return [...(text.nodeValue ?? '').matchAll(/[^\s\u05be\u2010-\u2015-]+/g)].flatMap(
      ({ 0: word, index }) => {
        const lines = findLines(text, index, word.length)
        const isAddress = /[@/.]\w|\d{8}/.test(word) || parent?.closest('code') !== null
        if (new Set(lines.map(({ top }) => top)).size > 1 && !isAddress) return [`breaks “${word}”`]
        const isWhole = lines.every(({ left, right }) => left >= edges.left - 1 && right <= edges.right + 1)
        return isWhole ? [] : [`cuts “${word}” of “${text.nodeValue}”`]
      },
    )
  }

  function findFaultyWords(): string[] {
    const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
    const faults: string[] = []
    while (texts.nextNode()) faults.push(...findFaultyWordsOf(texts.currentNode))
    return faults
  }

  /** Returns what covers a focused part; null if nothing does, or if the part cannot be focused. */
  function findCover(part: HTMLElement): Element | null {
    // The browser scrolls to a part only when it gets the focus.
    part.blur()
    part.focus()
    if (document.activeElement !== part) return null
    const { left, right, top, bottom } = part.getBoundingClientRect()
    // The browser shows the nearest edge of a part that does not fit above the bar.
    const y = bottom - top < innerHeight / 2 ? Math.min(bottom, innerHeight) - 2 : Math.max(top, 0) + 2
    const above = document.elementFromPoint((left + right) / 2, y)
    const isOwn = above !== null && (part.contains(above) || above.contains(part))
    return isOwn || above?.closest('label') ? null : above
  }

  function findCoveredControls(): string[] {
    // The field that only bots fill in is beside the screen.
    const fields = 'input:not([tabindex="-1"]), textarea, select, [role="combobox"]'
    // The last buttons of a dialog must be within reach, too.
    const controls = root.querySelectorAll<HTMLElement>(dialog ? `${fields}, button` : fields)
    return [...controls].filter(isSeen).flatMap((control) => {
      const cover = findCover(control)
      return cover === null ? [] : [`covers “${control.id || control.textContent}” by ${cover.className}`]
    })
  }

  function findCoveredEnd(): string[] {
    const bar = document.querySelector('[data-bottom-bar]')
    const main = document.querySelector('main')
    if (dialog !== undefined || bar === null || main === null) return []
    scrollTo(0, screen.scrollHeight)
    const edge = bar.getBoundingClientRect().top
    return [...main.querySelectorAll('*')]
      .filter((part) => part.childElementCount === 0 && isSeen(part))
      .filter((part) => part.getBoundingClientRect().bottom > edge + 1)
      .map((part) => `covers the end: “${part.textContent}”`)
  }

  const beside = screen.scrollWidth > screen.clientWidth ? [`is ${screen.scrollWidth} px wide`] : []
  return [...new Set([...beside, ...findFaultyWords(), ...findCoveredControls(), ...findCoveredEnd()])]
}
