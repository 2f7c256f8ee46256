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
    press: (xpath) => at(xpath).click(),
    type: async (xpath, text) => {
      await at(xpath).click({ count: 3 })
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
