import puppeteer from 'puppeteer-core'
import { findProgram } from '#tests/support/find-program.ts'
import { thisMachine } from '#tests/support/machine.ts'
import { type BrowserDriver, MAX_ELEMENT_WAIT_MS } from './browser-at-work.ts'

const FIREFOX = {
  title: 'Firefox',
  command: 'firefox-esr',
  debianPackage: 'firefox-esr',
  elsewhere: 'https://www.mozilla.org/firefox/',
}

/** Starts Firefox without a window, and controls it through WebDriver BiDi. */
export async function startFirefox(): Promise<BrowserDriver> {
  const browser = await puppeteer.launch({
    browser: 'firefox',
    executablePath: findProgram(FIREFOX, thisMachine('Firefox')),
    headless: true,
    // Turns smooth scrolling off, because a click could miss an element that is still scrolling into view.
    extraPrefsFirefox: { 'ui.prefersReducedMotion': 1 },
    timeout: MAX_ELEMENT_WAIT_MS,
  })
  const page = await browser.newPage()
  page.setDefaultTimeout(MAX_ELEMENT_WAIT_MS)
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
    // Waits while a toast covers the element, as a person does.
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

/** True when a click on the element's centre hits it rather than an element on top of it. Runs in the page. */
function isUncovered(element: Node): boolean {
  if (!(element instanceof Element)) return false
  element.scrollIntoView({ block: 'center' })
  const { x, y, width, height } = element.getBoundingClientRect()
  return element.contains(document.elementFromPoint(x + width / 2, y + height / 2))
}
