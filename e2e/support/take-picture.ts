import { join } from 'node:path'
import { type Page, test } from '@playwright/test'
import { SCREENSHOTS_FOLDER_VARIABLE } from './environment.ts'

const pictureCounts = new Map<string, number>()

/**
 * Takes a screenshot of the page in light and in dark, when a folder for pictures is set. The file name contains the journey, the
 * first heading and the width: `book-booking-confirmed-1-375-dark.png`.
 */
export async function takeScreenshot(page: Page): Promise<void> {
  const folder = process.env[SCREENSHOTS_FOLDER_VARIABLE]
  if (!folder) return
  // Journeys in dark repeat journeys in light, whose screenshots cover both themes.
  const isDark = await page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches)
  if (isDark) return
  const name = await nameOf(page)
  const isDialogOpen = (await page.getByRole('dialog').or(page.getByRole('alertdialog')).count()) > 0
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await page.screenshot({
      path: join(folder, `${name}-${page.viewportSize()?.width}-${colorScheme}.png`),
      // A dialog covers only the viewport, so do not take a full-page screenshot while one is open.
      fullPage: !isDialogOpen,
      animations: 'disabled',
      scale: 'css',
    })
  }
  await page.emulateMedia({ colorScheme: 'light' })
}

async function nameOf(page: Page): Promise<string> {
  const { file, project } = test.info()
  const journey = /([a-z-]+)\.[a-z.]*ts$/.exec(file)?.[1]
  // While a dialog is open, this query returns only its headings, because those behind it are hidden.
  const headings = await page.getByRole('heading').allTextContents()
  const name = [journey, toSlug(headings[0] ?? 'no-heading')].join('-')
  const key = `${project.name} ${name}`
  const count = (pictureCounts.get(key) ?? 0) + 1
  pictureCounts.set(key, count)
  return `${name}-${count}`
}

function toSlug(text: string): string {
  const words = text.toLowerCase().match(/[a-z0-9]+/g) ?? []
  return words.join('-').slice(0, 40)
}
