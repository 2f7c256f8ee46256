import { test, expect } from 'vitest'
import { startMeridian, makeOwner, makeCalendar } from '#tests/support/meridian.ts'
test('x', async () => {
  const t0=performance.now(); const c0=process.cpuUsage()
  const m = await startMeridian()
  const t1=performance.now(); const c1=process.cpuUsage(c0)
  const o = await makeOwner(m, {tier:'business'})
  const t2=performance.now()
  const c = await makeCalendar(m,o)
  const t3=performance.now()
  for (let i=0;i<10;i++) await m.request({url:`/api/public/calendars/${c.slug}/slots?date=2027-01-04`})
  const t4=performance.now()
  await m.stop()
  const t5=performance.now()
  console.log({start:t1-t0,cpu:c1,owner:t2-t1,cal:t3-t2,slots10:t4-t3,stop:t5-t4})
  expect(1).toBe(1)
})
