import { equal } from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MIN_FORM_FILL_MS } from '#core/appointments/bot-signals.ts'
import { NPM_START } from '#tests/support/npm-start.ts'
import { startServer } from '#tests/support/server-process.ts'
import {
  type BrowserDriver,
  withStepNamesInErrors,
  xpathOfButtonOrLink,
  xpathOfField,
  xpathOfText,
} from './browser-at-work.ts'
import { startFirefox } from './firefox.ts'
import { runLongCheck } from './run-proof.ts'
import { startWebKit } from './webkit-gtk.ts'

/**
 * Proves that a first booking, a login and a settings change work in the two other browser families: Firefox and WebKit. The
 * journeys run in Chromium.
 */
await runLongCheck(async (counts, begin) => {
  begin()
  const dataDir = await mkdtemp(join(tmpdir(), 'meridian-browsers-'))
  // Started as by `npm start`, which creates the demo practice.
  const server = await startServer(dataDir, { DEMO: 'true' }, NPM_START.program)
  const url = `http://127.0.0.1:${server.port}`
  try {
    for (const [index, start] of [startFirefox, startWebKit].entries()) {
      const browser = withStepNamesInErrors(await start())
      try {
        counts[`browser ${index + 1}`] = browser.name
        await bookFirst(browser, url)
        await logIn(browser, url)
        await changeSettings(browser, String(12 + index))
        counts[`journeys in browser ${index + 1}`] = 3
      } catch (error) {
        // Saves a screenshot, which tells more than the message about a missing element.
        const path = join(tmpdir(), `meridian-browser-${index + 1}.png`)
        await browser.picture(path)
        counts[`picture of browser ${index + 1}`] = path
        throw error
      } finally {
        await browser.close()
      }
    }
  } finally {
    await server.end('SIGTERM')
    await rm(dataDir, { recursive: true, force: true })
  }
})

/** A customer opens the link, chooses the first available time, and books it. */
async function bookFirst(browser: BrowserDriver, url: string): Promise<void> {
  await browser.open(`${url}/book/demo`)
  await browser.press('//label[contains(., "Individual session")]')
  await browser.press('(//fieldset[starts-with(normalize-space(legend), "Next:")]//button)[1]')
  await browser.type(xpathOfField('Full Name'), 'Ada Lovelace')
  await browser.type(xpathOfField('Email Address'), 'ada.lovelace@example.com')
  // If a form is filled in faster, Meridian assumes a bot.
  await new Promise((resolve) => setTimeout(resolve, MIN_FORM_FILL_MS))
  await browser.press(xpathOfButtonOrLink('Book appointment'))
  await browser.see('//h1[normalize-space()="Booking Confirmed!"]')
  await browser.see(xpathOfText('It was sent to ada.lovelace@example.com.'))
}

async function logIn(browser: BrowserDriver, url: string): Promise<void> {
  await browser.open(`${url}/login`)
  await browser.type(xpathOfField('Email'), 'demo@example.com')
  await browser.type(xpathOfField('Password'), 'meridian-demo')
  await browser.press('//button[@type="submit"]')
  await browser.see(xpathOfButtonOrLink('Manage'))
}

/** Changes a setting, and checks that it is still there after a reload. */
async function changeSettings(browser: BrowserDriver, hours: string): Promise<void> {
  await browser.press(xpathOfButtonOrLink('Manage'))
  await browser.press('//*[@role="tab"][normalize-space()="Reminders"]')
  await browser.type(xpathOfField('Hours before the appointment'), hours)
  await browser.press(xpathOfButtonOrLink('Save reminder settings'))
  await browser.see(xpathOfText('Reminder settings updated successfully'))
  await browser.open(await browser.address())
  equal(await browser.read(xpathOfField('Hours before the appointment')), hours)
}
