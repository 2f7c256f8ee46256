import { chromium } from '@playwright/test'
import { productUrl } from '#e2e/support/environment.ts'
import startJourneys from '#e2e/support/global-setup.ts'
import { findBrowser } from '#tests/support/find-browser.ts'
import { prepareWorld, WORLD_VARIABLE } from './world.ts'

/** Starts the product as for the journeys, and fills it with what the screens show. */
export default async function setUpScreens(): Promise<() => Promise<void>> {
  const stop = await startJourneys()
  try {
    const browser = await chromium.launch({
      executablePath: findBrowser('shell'),
      args: ['--no-sandbox', '--disable-background-networking'],
    })
    process.env[WORLD_VARIABLE] = JSON.stringify(await prepareWorld(browser, productUrl()))
    await browser.close()
  } catch (error) {
    await stop()
    throw error
  }
  return stop
}
