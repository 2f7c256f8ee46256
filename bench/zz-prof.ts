import { writeFileSync } from 'node:fs'
import { chromium } from '@playwright/test'
import { openDemo } from '#e2e/support/open-demo.ts'
import { startServer } from '#e2e/support/product.ts'
import { findBrowser } from '#tests/support/find-browser.ts'
const product = await startServer()
const browser = await chromium.launch({ executablePath: findBrowser('whole'), args: ['--no-sandbox', '--disable-background-networking'] })
const page = await browser.newPage({ baseURL: product.url, viewport: { width: 1280, height: 800 } })
await openDemo(page)
await page.goto('/dashboard'); await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Today' }).waitFor()
const E = ['Today', 'Appointments', 'Customers', 'Insights', 'Profile', 'Dashboard']
const cdp = await page.context().newCDPSession(page)
for (let r = 0; r < 4; r++) for (const e of E) {
  if (r === 3) { await browser.startTracing(page, { categories: ['devtools.timeline', 'disabled-by-default-devtools.timeline', 'v8.execute','disabled-by-default-devtools.timeline.invalidationTracking','blink.user_timing'] }); await page.waitForTimeout(300) }
  const res = await page.evaluate(([name, path]) => new Promise((resolve) => {
    const link = [...document.querySelectorAll('nav a')].find((c) => c.textContent?.startsWith(name))
    const before = document.querySelector('h1'); const s = performance.now(); const log: string[] = []
    const obs = new PerformanceObserver((l) => { for (const x of l.getEntries()) log.push(x.name + ' ' + (x.startTime - s).toFixed(0) + '+' + x.duration.toFixed(0)) })
    obs.observe({ type: 'longtask' })
    const o2 = new PerformanceObserver((l) => { for (const x of l.getEntries()) log.push('net ' + x.name.split('/').slice(3).join('/').slice(0, 60) + ' ' + (x.startTime - s).toFixed(0) + '+' + x.duration.toFixed(0)) })
    o2.observe({ type: 'resource' })
    performance.mark('CLICK'); link.click(); log.push('clickreturn ' + (performance.now() - s).toFixed(0))
    let frames = 0
    const look = () => { frames++; const h = document.querySelector('h1'); if (frames<15) log.push('f'+(performance.now()-s).toFixed(0));
      if (location.pathname === path && h !== null && h !== before) requestAnimationFrame(() => { performance.mark('DONE'); log.push('DONE ' + (performance.now() - s).toFixed(0)); setTimeout(() => resolve(log), 400) })
      else requestAnimationFrame(look) }
    requestAnimationFrame(look)
  }), [e, '/' + e.toLowerCase()] as const)
  if (r === 3) { writeFileSync(`/tmp/trace-${e}.json`, await browser.stopTracing()); console.log(e, (res as string[]).join(' | ')) }
  await page.waitForLoadState('networkidle')
}
await browser.close(); await product.stop()
