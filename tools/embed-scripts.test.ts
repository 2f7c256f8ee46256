import { expect, test } from 'vitest'
import { buildScript } from './embed-scripts.ts'

test('the script that websites load has less than 4 kB and leaves no name behind', async () => {
  const code = await buildScript('embed.ts')
  expect(Buffer.byteLength(code)).toBeLessThan(4_000)
  expect(code).toMatch(/^\(function\(\)\{.*\}\)\(\);?\s*$/s)
})

test('the part of the booking page in a frame is one script, too', async () => {
  const code = await buildScript('frame.ts')
  expect(Buffer.byteLength(code)).toBeLessThan(2_000)
  expect(code).not.toMatch(/\b(import|export)\b/)
})
