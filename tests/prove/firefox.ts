import puppeteer from 'puppeteer-core'
import { findProgram } from '#tests/support/find-program.ts'
import { thisMachine } from '#tests/support/machine.ts'
import { type BrowserAtWork, PATIENCE_MS } from './browser-at-work.ts'

const FIREFOX = {
  title: 'Firefox',
  command: 'firefox-esr',
  debianPackage: 'firefox-esr',
  elsewhere: 'https://www.mozilla.org/firefox/',
}

/** Firefox without a window, told what to do by WebDriver BiDi. */
export async function startFirefox(): Promise<BrowserAtWork> {
  const browser = await puppeteer.launch({
    browser: 'firefox',
    executablePath: findProgram(FIREFOX, thisMachine('Firefox')),
    headless: true,
    // A press must not land beside what is still scrolling into view; people wait until it stands still.
    extraPrefsFirefox: { 'ui.prefersReducedMotion': 1 },
    timeout: PATIENCE_MS,
  })
  const page = await browser.newPage()
  page.setDefaultTimeout(PATIENCE_MS)
  const at = (xpath: string) => page.locator(`::-p-xpath(${xpath})`)
  return {
    name: await browser.version(),
    open: async (url) => {
      await page.goto(url)
    },
    picture: async (path) => {
      await page.screenshot({ path })
    },
    address: async () => page.url(),
    // Where a toast covers it, a person waits until that has gone.
    press: (xpath) => at(xpath).filter(isUncovered).click(),
    type: async (xpath, text) => {
      await at(xpath).filter(isUncovered).click({ count: 3 })
      await page.keyboard.type(text)
    },
    read: (xpath) =>
      at(xpath)
        .map((field) => (field as HTMLInputElement).value)
        .wait(), // only fields are read
    see: async (xpath) => {
      await at(xpath).wait()
    },
    close: () => browser.close(),
  }
}

/** Whether a press on the middle of an element meets it and not something that lies over it. It runs in the page. */
function isUncovered(element: Node): boolean {
  if (!(element instanceof Element)) return false
  element.scrollIntoView({ block: 'center' })
  const { x, y, width, height } = element.getBoundingClientRect()
  return element.contains(document.elementFromPoint(x + width / 2, y + height / 2))
}
