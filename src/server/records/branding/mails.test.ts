import sharp from 'sharp'
import { expect, test } from 'vitest'
import { textColorsOf } from '#core/calendars/page-colors.ts'
import { meridian, owner, setUpOwner } from '#tests/support/fixtures.ts'
import { makeCalendar, makeOwner, type TestOwner } from '#tests/support/meridian.ts'
import { joinWaitingList } from '#tests/support/waiting.ts'

setUpOwner({ owner: { tier: 'professional' } })

test('an email about an appointment has the colour and the logo, as a part of itself. Source: rule K10', async () => {
  const calendar = await makeCalendar(meridian, owner, { color: '#8e44ad' })
  const logo_hash = await makeLogo(calendar.id)
  await setLook(calendar.id, { logo_hash, primary_color: '#aa0000' })

  await book(calendar.slug, '2027-01-04T10:00:00Z', 'one@example.com')
  const mail = await meridian.waitForMail(({ to }) => to.address === 'one@example.com')
  expect(mail.html).toContain('<img src="cid:logo@meridian" alt="" width="192" height="48"')
  expect(mail.html).toContain('#aa0000')
  expect(mail.html).not.toContain('#8e44ad')
  const [image] = mail.images ?? []
  expect(image).toMatchObject({ contentId: 'logo@meridian', contentType: 'image/png' })
  const shown = await meridian.get(`/branding/${calendar.id}/${logo_hash}.png`)
  expect(Buffer.from(image?.content ?? '', 'base64').equals(shown.rawPayload)).toBe(true)
})

test('its buttons and links have the colour, and can be read by day and by night whatever it is. Source: rules K2 and K10', async () => {
  const calendar = await makeCalendar(meridian, owner, { color: '#8e44ad' })
  await setLook(calendar.id, { primary_color: '#fff8b0', footer_text: 'x' })
  await book(calendar.slug, '2027-01-04T10:00:00Z', 'pale@example.com')
  const { html } = await meridian.waitForMail(({ to }) => to.address === 'pale@example.com')
  const onPage = textColorsOf('#fff8b0')
  expect(onPage.light).not.toBe('#fff8b0')
  expect(html).toMatch(
    new RegExp(
      `<a href="[^"]*/manage/[^>]*background-color:#fff8b0;border-color:${onPage.light};color:#000000`,
    ),
  )
  expect(html).toMatch(new RegExp(`class="link" style="color:${onPage.light};`))
  expect(html).toContain(
    `.button{background-color:#fff8b0!important;border-color:${onPage.dark}!important;color:#000000!important}`,
  )
  expect(html).toContain(`.link{color:${onPage.dark}!important}`)
})

test('an email of the waiting list has the colour and the logo. Source: rule K10', async () => {
  const calendar = await makeCalendar(meridian, owner, { color: '#8e44ad' })
  const logo_hash = await makeLogo(calendar.id)
  await setLook(calendar.id, { logo_hash, primary_color: '#aa0000' })
  await joinWaitingList(meridian, calendar.slug, { email: 'waiting@example.com' })
  const mail = await meridian.waitForMail(({ to }) => to.address === 'waiting@example.com')
  expect(mail.html).toMatch(/<a href="[^"]*\/waiting\/[^>]*background-color:#aa0000/)
  expect(mail.html).not.toContain('#8e44ad')
  expect(mail.html).toContain('<img src="cid:logo@meridian"')
  expect(mail.images).toHaveLength(1)
})

test('without a look, and after the plan has ended, an email is as it was. Source: rule K3', async () => {
  const leaving = await makeOwner(meridian, { tier: 'professional' })
  const calendar = await makeCalendar(meridian, leaving, { color: '#8e44ad' })
  await setLook(calendar.id, { primary_color: '#aa0000' }, leaving)
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

/** Uploads a logo, which becomes 400 by 100 pixels. Returns its name. */
async function makeLogo(calendarId: string): Promise<string> {
  const blue = { create: { width: 800, height: 200, channels: 3, background: '#0000ff' } } as const
  const file = (await sharp(blue).png().toBuffer()).toString('base64')
  const made = await owner.post(`/api/calendars/${calendarId}/branding/logo`, { file })
  return made.json().hash
}

async function setLook(calendarId: string, payload: object, { cookie }: TestOwner = owner): Promise<void> {
  const saved = await meridian.as({ cookie }).patch(`/api/calendars/${calendarId}/branding`, payload)
  expect(saved.statusCode, saved.body).toBe(200)
}

async function book(slug: string, startsAt: string, email: string): Promise<void> {
  const answer = await meridian.post(`/api/public/calendars/${slug}/appointments`, {
    starts_at: startsAt,
    title: 'Visit',
    customer: { name: 'Ada Lovelace', email },
  })
  expect(answer.statusCode, answer.body).toBe(201)
}
