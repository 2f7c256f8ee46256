import { expect, type Page, test } from '@playwright/test'
import { expectNoAxeFindings } from '../support/axe.ts'

const PICTURE = '<img src="/favicon.svg">'

/** Returns an HTML page with a heading and the content below it. */
function toDocument(content: string): string {
  return `<!doctype html><html lang="en"><title>Page</title><main><h1>Page</h1>${content}</main></html>`
}

/** Returns the same page with the picture inside an iframe. */
function toFramed(attribute: string): string {
  return toDocument(`<iframe title="Frame" ${attribute} srcdoc='${toDocument(PICTURE)}'></iframe>`)
}

async function open(page: Page, body: string): Promise<void> {
  await page.route('**/a-page', (route) => route.fulfill({ contentType: 'text/html', body }))
  await page.goto('/a-page')
}

test('the check of pages objects to a picture without a text, on the page and in a frame of ours', {
  tag: '@slow',
}, async ({ page }) => {
  await open(page, toDocument(''))
  await expectNoAxeFindings(page)
  await open(page, toDocument(PICTURE))
  await expect(expectNoAxeFindings(page)).rejects.toThrow('image-alt')
  await open(page, toFramed(''))
  await expect(expectNoAxeFindings(page)).rejects.toThrow('image-alt')
  await open(page, toFramed('sandbox'))
  await expectNoAxeFindings(page)
})
