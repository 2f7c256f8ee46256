import { mkdir } from 'node:fs/promises'
import { chromium } from '@playwright/test'
import { startProduct } from '#e2e/support/product.ts'

const t0 = performance.now()
const product = await startProduct()
console.log('product ready in', Math.round(performance.now() - t0), 'ms')
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium-headless-shell' })
await mkdir('/tmp/shots', { recursive: true })
try {
  const ctx = await browser.newContext({ baseURL: product.url })
  await ctx.request.post('/api/auth/sign-in', {
    data: { email: 'demo@example.com', password: 'meridian-demo' },
  })
  const { calendars } = await (await ctx.request.get('/api/calendars')).json()
  const id = calendars[0].id
  const state = await ctx.storageState()
  for (const [w, h] of [
    [1280, 900],
    [375, 800],
  ] as const)
    for (const scheme of ['light', 'dark', 'forced'] as const) {
      if (scheme === 'forced' && w === 375) continue
      const c = await browser.newContext({
        baseURL: product.url,
        viewport: { width: w, height: h },
        storageState: state,
        colorScheme: scheme === 'dark' ? 'dark' : 'light',
        forcedColors: scheme === 'forced' ? 'active' : 'none',
      })
      const page = await c.newPage()
      page.on('console', (m) => {
        if (m.type() === 'error') console.log('console', m.text())
      })
      await page.goto(`/calendar/${id}/settings?tab=insights`)
      await page.getByText('How full the week is').first().waitFor({ timeout: 60000 })
      await page.screenshot({ path: `/tmp/shots/insights-${w}-${scheme}.png`, fullPage: true })
      if (scheme === 'light') {
        await page.getByRole('button', { name: '24', exact: true }).click()
        await page
          .getByRole('heading', { name: /December 2024|2024 to/ })
          .first()
          .waitFor()
        await page.waitForTimeout(500)
        await page.screenshot({ path: `/tmp/shots/insights-${w}-24.png`, fullPage: true })
        await page.goto(`/calendar/${id}/settings?tab=appointments&view=week`)
        await page.waitForTimeout(1500)
        await page.screenshot({ path: `/tmp/shots/week-${w}.png`, fullPage: true })
        await page.goto('/dashboard')
        await page.waitForTimeout(1500)
        await page.screenshot({ path: `/tmp/shots/dashboard-${w}.png`, fullPage: true })
        await page.goto(`/calendar/${id}/settings?tab=transactions`)
        await page.waitForTimeout(1500)
        await page.screenshot({ path: `/tmp/shots/transactions-${w}.png`, fullPage: true })
      }
      await c.close()
    }
} finally {
  await browser.close()
  await product.stop()
}
