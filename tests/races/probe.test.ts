import { expect, test } from 'vitest'
import { openEmbeddedDatabase, openServerDatabase } from '#tests/support/fresh-database.ts'
import { book, makeCalendar, makeOwner, startMeridian } from '#tests/support/meridian.ts'

test.each([['server', openServerDatabase], ['embedded', openEmbeddedDatabase]] as const)('probe %s', async (kind, open) => {
  let t = performance.now()
  const lap = (what: string) => { console.log(kind, what, Math.round(performance.now() - t)); t = performance.now() }
  const database = await open()
  lap('open')
  const meridian = await startMeridian({ database })
  lap('start')
  const calendar = await makeCalendar(meridian, await makeOwner(meridian))
  lap('owner+calendar')
  const answers = await Promise.all(Array.from({ length: 40 }, (_, i) => book(meridian, calendar.slug, { customer: { name: `A ${i}`, email: `a${i}@example.com` } })))
  lap('race')
  const codes = answers.map((a) => a.statusCode).sort()
  console.log(codes.join(' '))
  await meridian.stop()
  lap('stop')
  expect(1).toBe(1)
})
