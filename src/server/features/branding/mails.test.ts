import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  makeCalendar,
  makeOwner,
  startMeridian,
  type TestMeridian,
  type TestOwner,
} from '#tests/support/meridian.ts'

let meridian: TestMeridian
let owner: TestOwner

beforeAll(async () => {
  meridian = await startMeridian()
  owner = await makeOwner(meridian, { tier: 'professional' })
})
afterAll(() => meridian.stop())

test('an email about an appointment has the colour and the logo, as a part of itself. Source: rule K10', async () => {
  const calendar = await makeCalendar(meridian, owner, { color: '#8e44ad' })
  const path = `/api/calendars/${calendar.id}/branding`
  const { cookie } = owner
  const blue = { create: { width: 800, height: 200, channels: 3, background: '#0000ff' } } as const
  const file = (await sharp(blue).png().toBuffer()).toString('base64')
  const logo = (
    await meridian.request({ method: 'POST', url: `${path}/logo`, cookie, payload: { file } })
  ).json()
  await meridian.request({
    method: 'PATCH',
    url: path,
    cookie,
    payload: { logo_hash: logo.hash, primary_color: '#aa0000' },
  })

  await book(calendar.slug, '2027-01-04T10:00:00Z', 'one@example.com')
  const mail = await meridian.waitForMail(({ to }) => to.address === 'one@example.com')
  expect(mail.html).toContain('<img src="cid:logo@meridian" alt="" width="192" height="48"')
  expect(mail.html).toContain('#aa0000')
  expect(mail.html).not.toContain('#8e44ad')
  const [image] = mail.images ?? []
  expect(image).toMatchObject({ contentId: 'logo@meridian', contentType: 'image/png' })
  const shown = await meridian.request({ url: logo.url })
  expect(Buffer.from(image?.content ?? '', 'base64').equals(shown.rawPayload)).toBe(true)
})

test('without a look, and after the plan has ended, an email is as it was. Source: rule K3', async () => {
  const leaving = await makeOwner(meridian, { tier: 'professional' })
  const calendar = await makeCalendar(meridian, leaving, { color: '#8e44ad' })
  const url = `/api/calendars/${calendar.id}/branding`
  await meridian.request({
    method: 'PATCH',
    url,
    cookie: leaving.cookie,
    payload: { primary_color: '#aa0000' },
  })
  await meridian.database.db
    .updateTable('subscriptions')
    .set({ ends_at: new Date(meridian.clock.ms) })
    .where('user_id', '=', leaving.id)
    .execute()
  await book(calendar.slug, '2027-01-04T11:00:00Z', 'two@example.com')
  const mail = await meridian.waitForMail(({ to }) => to.address === 'two@example.com')
  expect(mail.html).toContain('#8e44ad')
  expect(mail.html).not.toContain('<img')
  expect(mail.images).toBeUndefined()
})

async function book(slug: string, startsAt: string, email: string): Promise<void> {
  const answer = await meridian.request({
    method: 'POST',
    url: `/api/public/calendars/${slug}/appointments`,
    payload: { starts_at: startsAt, title: 'Visit', customer: { name: 'Ada Lovelace', email } },
  })
  expect(answer.statusCode, answer.body).toBe(201)
}
