import { gzipSync } from 'node:zlib'
import { expect, test } from '#e2e/support/test.ts'

/** What the booking page may download in scripts, in bytes after gzip. */
const SCRIPT_BUDGET = 110_000

test('the booking page downloads at most 110 kB of scripts and shows itself without asking the API', async ({
  page,
}) => {
  const scripts: Promise<Buffer>[] = []
  const asked: string[] = []
  page.on('response', (response) => {
    if (response.request().resourceType() === 'script') scripts.push(response.body())
    if (response.url().includes('/api/')) asked.push(response.url())
  })
  await page.goto('/book/demo', { waitUntil: 'networkidle' })
  await expect(page.getByRole('heading', { name: 'Amara Osei' })).toBeVisible()
  const sizes = (await Promise.all(scripts)).map((script) => gzipSync(script, { level: 9 }).length)
  expect(sizes.length).toBeGreaterThan(1)
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(SCRIPT_BUDGET)
  expect(asked).toEqual([])
})
