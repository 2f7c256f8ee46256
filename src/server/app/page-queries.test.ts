import { randomUUID } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { meridian, owner, setUpOwner } from '#tests/support/fixtures.ts'
import { makeCalendar } from '#tests/support/meridian.ts'
import { recordStatements } from '#tests/support/record-statements.ts'
import { addAppointmentType, connectStripe } from '#tests/support/stored-rows.ts'
import { toPageTemplate } from './page-templates.ts'
import { registerPages } from './pages.ts'

const recorder = recordStatements()

setUpOwner({
  // Start no workers, so that only the requests send statements.
  env: { ROLE: 'web' },
  extend: async (app, deps) => {
    const template = toPageTemplate('<head><!--page-head--></head><!--page-body--><!--page-data-->')
    registerPages(app, { ...deps, templates: async () => template })
  },
  owner: { tier: 'business' },
})
afterAll(() => recorder.stop())

async function countStatements(url: string): Promise<number> {
  const statements = await recorder.during(async () => {
    expect((await meridian.get(url)).statusCode).toBe(200)
  })
  return statements.length
}

async function makePractice({ hasBranding }: { hasBranding: boolean }): Promise<string> {
  const calendar = await makeCalendar(meridian, owner)
  await addAppointmentType(meridian, calendar.id, { name: 'Yoga' })
  await connectStripe(meridian, calendar.id)
  if (!hasBranding) return calendar.slug
  const saved = await owner.patch(`/api/calendars/${calendar.id}/branding`, {
    primary_color: '#aa0000',
    custom_css: 'h1 { color: red }',
  })
  expect(saved.statusCode, saved.body).toBe(200)
  return calendar.slug
}

// The number matters, because many visitors open these pages, and each statement is a round trip to the database.
test('a booking page takes at most four statements, in a frame too, and one more for its own look', async () => {
  const plain = await makePractice({ hasBranding: false })
  const own = await makePractice({ hasBranding: true })
  for (const query of ['', '?embed']) {
    expect(await countStatements(`/book/${plain}${query}`)).toBeLessThanOrEqual(4)
    expect(await countStatements(`/book/${own}${query}`)).toBeLessThanOrEqual(5)
  }
})

test('a booking page takes as many statements for a link whose type is known, by link only or unknown', async () => {
  const calendar = await makeCalendar(meridian, owner)
  const listed = await addAppointmentType(meridian, calendar.id, { name: 'Yoga' })
  const byLink = await addAppointmentType(meridian, calendar.id, { name: 'Friends', is_listed: false })
  const plain = await countStatements(`/book/${calendar.slug}`)
  for (const type of [listed, byLink, randomUUID(), 'x'])
    expect(await countStatements(`/book/${calendar.slug}?type=${type}`)).toBe(plain)
})

test('a page after a booking asks for its look only, and the page about emails for nothing', async () => {
  const slug = await makePractice({ hasBranding: true })
  expect(await countStatements(`/book/${slug}/confirmation?appointment_id=a`)).toBeLessThanOrEqual(1)
  expect(await countStatements('/cancel/emails')).toBe(0)
})
