import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  makeCalendar,
  makeOwner,
  startMeridian,
  type TestMeridian,
  type TestOwner,
} from '#tests/support/meridian.ts'
import { recordStatements } from '#tests/support/record-statements.ts'
import { addType, connectStripe } from '#tests/support/stored-rows.ts'
import { pageTemplate } from './page-templates.ts'
import { registerPages } from './pages.ts'

/** The queries of a page that many visitors open. */
const recorder = recordStatements()
let meridian: TestMeridian
let owner: TestOwner

beforeAll(async () => {
  meridian = await startMeridian({
    // No workers, so that only the requests send statements.
    env: { ROLE: 'web' },
    extend: async (app, deps) => {
      const template = pageTemplate('<head><!--page-head--></head><!--page-body--><!--page-data-->')
      registerPages(app, { ...deps, templates: async () => template })
    },
  })
  owner = await makeOwner(meridian, { tier: 'professional' })
})
afterAll(async () => {
  recorder.stop()
  await meridian.stop()
})

/** Lists the tables read while a page is loaded. The query builder quotes table names, except in subqueries. */
async function tablesReadFor(url: string): Promise<string[]> {
  const statements = await recorder.during(async () => {
    expect((await meridian.request({ url })).statusCode).toBe(200)
  })
  return statements.map(({ text }) => /from "([a-z_]+)"/.exec(text)?.[1] ?? text)
}

async function makePractice({ hasLook }: { hasLook: boolean }): Promise<string> {
  const calendar = await makeCalendar(meridian, owner)
  await addType(meridian, calendar.id, { name: 'Yoga' })
  await connectStripe(meridian, calendar.id)
  if (!hasLook) return calendar.slug
  const saved = await meridian.request({
    method: 'PATCH',
    url: `/api/calendars/${calendar.id}/branding`,
    cookie: owner.cookie,
    payload: { primary_color: '#aa0000', custom_css: 'h1 { color: red }' },
  })
  expect(saved.statusCode, saved.body).toBe(200)
  return calendar.slug
}

test('a booking page is loaded with four statements, also in a frame of another site', async () => {
  const slug = await makePractice({ hasLook: false })
  for (const query of ['', '?embed']) {
    expect(await tablesReadFor(`/book/${slug}${query}`)).toEqual([
      'calendars',
      'calendar_locations',
      'appointment_types',
      'payment_settings',
    ])
  }
})

test('a look adds one, which asks for the plan, too', async () => {
  const slug = await makePractice({ hasLook: true })
  expect(await tablesReadFor(`/book/${slug}?embed`)).toHaveLength(5)
})

test('a page that follows a booking asks for its look alone', async () => {
  const slug = await makePractice({ hasLook: true })
  expect(await tablesReadFor(`/book/${slug}/confirmation?appointment_id=a`)).toHaveLength(1)
  expect(await tablesReadFor('/cancel/emails')).toEqual([])
})
