import { defineConfig } from '@playwright/test'
import { BROWSER_PATH_VARIABLE, SERVER_URL_VARIABLE } from './e2e/support/environment.ts'

const isQuick = process.env.JOURNEYS_TIER === 'quick'

/**
 * The journeys run against the real product on a database of its own, which the global setup starts. Each file
 * works on a calendar of its own, so that files can run side by side. `*.desktop.spec.ts` and `*.phone.spec.ts`
 * run in that viewport only, everything else in both.
 *
 * `npm test` runs each journey in the viewport that matters most: on a desktop, or on a phone with the tag `@phone`. It
 * leaves out journeys with the tag `@slow`. `npm run test:all` runs all of them.
 */
export default defineConfig({
  testDir: 'e2e/journeys',
  outputDir: 'test-results',
  globalSetup: './e2e/support/global-setup.ts',
  // Five minutes on two quiet cores; a machine that others share takes several times that.
  globalTimeout: 40 * 60_000,
  // A journey takes up to 40 s on a machine that others share.
  timeout: 120_000,
  expect: { timeout: 20_000 },
  retries: 0,
  // One more than the smallest machine that runs them has processors: a journey waits for mails and for the browser.
  workers: 3,
  forbidOnly: true,
  // `npm test` asks for a report to count from.
  reporter: [['list'], ...reportFile()],
  use: {
    ...given('baseURL', process.env[SERVER_URL_VARIABLE]),
    locale: 'en-GB',
    timezoneId: 'Europe/London',
    contextOptions: { reducedMotion: 'reduce' },
    // Recording a trace of everything costs a fifth of the run; `--trace on` asks for one.
    trace: 'off',
    screenshot: 'only-on-failure',
    launchOptions: {
      ...given('executablePath', process.env[BROWSER_PATH_VARIABLE]),
      // Chromium's own sandbox does not start as root or in most containers; the pages are ours.
      args: ['--no-sandbox', '--disable-background-networking'],
    },
  },
  projects: [
    {
      name: 'desktop',
      testIgnore: '**/*.phone.spec.ts',
      ...(isQuick ? { grepInvert: /@phone|@slow/ } : {}),
      use: { viewport: { width: 1280, height: 800 } },
    },
    {
      name: 'phone',
      testIgnore: '**/*.desktop.spec.ts',
      // Playwright compares the name of the file, the titles and the tags.
      ...(isQuick ? { grep: /\.phone\.spec\.ts|@phone/, grepInvert: /@slow/ } : {}),
      use: { viewport: { width: 375, height: 667 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 },
    },
  ],
})

function reportFile(): [['json', { outputFile: string }]] | [] {
  const outputFile = process.env.JOURNEYS_REPORT
  return outputFile ? [['json', { outputFile }]] : []
}

/** The global setup runs after this file was read once; its answers are there when the workers read it again. */
function given<Name extends string>(name: Name, value: string | undefined): { [key in Name]?: string } {
  // A computed name widens to an index signature; the object has that one key or none.
  return (value === undefined ? {} : { [name]: value }) as { [key in Name]?: string }
}
