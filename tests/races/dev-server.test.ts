// @module-tag slow
import { expect, test } from 'vitest'
import { startServer } from '#e2e/support/product.ts'

test('the development server serves each entry with its sources', async () => {
  const product = await startServer('tools/dev.ts')
  try {
    for (const [path, entry, start] of [
      ['/', 'site', 'renderIntoDocument('],
      ['/book/demo', 'booking', 'renderIntoDocument('],
      ['/cancel/2c5ea4c0-4067-4f3b-8f4e-3d2f4f0f7a11', 'booking', 'renderIntoDocument('],
      ['/login', 'site', 'renderIntoDocument('],
      ['/dashboard', 'app', 'createRoot('],
    ] as const) {
      const page = await (await fetch(product.url + path)).text()
      expect(page).toContain(`src="/${entry}/main.tsx`)
      const source = await fetch(`${product.url}/${entry}/main.tsx`)
      expect([source.status, source.headers.get('content-type')]).toEqual([200, 'text/javascript'])
      expect(await source.text()).toContain(start)
    }
  } finally {
    await product.stop()
  }
})
