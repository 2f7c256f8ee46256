import { defineConfig } from '@playwright/test'
import journeys from '../../playwright.config.ts'

const PHONE = { width: 375, height: 812 }
const DESKTOP = { width: 1280, height: 900 }

/** Pictures of every screen, on a product of its own as the journeys have it. `npm run screenshots` runs it. */
export default defineConfig(journeys, {
  testDir: '.',
  testMatch: 'screens.spec.ts',
  outputDir: '../../test-results/screens',
  globalSetup: './global-setup.ts',
  fullyParallel: true,
  reporter: 'list',
  // A full page of a phone at twice the size helps nobody.
  use: { deviceScaleFactor: 1 },
  projects: [
    { name: 'desktop', grepInvert: /@phone/, use: { viewport: DESKTOP } },
    { name: 'phone', grepInvert: /@desktop/, use: { viewport: PHONE, hasTouch: true, isMobile: true } },
  ],
})
