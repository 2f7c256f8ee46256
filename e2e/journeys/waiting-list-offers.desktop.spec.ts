import { findLink, listMails, waitForMail } from '#e2e/support/mailbox.ts'
import { createCalendar, makePerson, nextTuesday, signUp, toInstant } from '#e2e/support/people.ts'
import { expect, test } from '#e2e/support/test.ts'

test('an owner takes an offer back, offers the time by hand, and takes that back as well', async ({
  page,
  newVisitor,
  allowConsole,
}) => {
  await signUp(page, makePerson('Ida Berg'))
  const calendar = await createCalendar(page)
  const customer = makePerson('Alan Turing')
  // The practice closes at five, so the evening has only the time that the owner opens.
  const wish = {
    name: customer.name,
    email: customer.email,
    from_date: nextTuesday(),
    to_date: nextTuesday(),
    weekdays: [2],
    day_parts: ['evening'],
  }
  const evening = { day_of_week: 2, start_time: '18:00', end_time: '18:30' }
  for (const [path, data] of [
    ['waiting-list', wish],
    ['availability', evening],
  ] as const) {
    const made = await page.request.post(`/api/calendars/${calendar.id}/${path}`, { data })
    expect(made.status()).toBe(201)
  }
  const offered = { to: customer.email, subject: 'A time is free' }
  const first = await waitForMail(offered)

  await page.goto(`/calendar/${calendar.id}/settings?tab=appointments`)
  const offers = page.getByRole('list', { name: `Offers to ${customer.name}` }).getByRole('listitem')
  await expect(offers).toHaveText([/6:00 PM: not answered yet/])
  await page.getByRole('button', { name: 'Withdraw offer' }).click()
  await expect(offers).toHaveText([/6:00 PM: withdrawn/])
  const visitor = await newVisitor()
  await visitor.goto(findLink(first, '/waiting/'))
  await expect(visitor.getByRole('heading', { name: 'This offer is no longer available' })).toBeVisible()

  // The waiting list never offers the same time twice to a customer, but the owner can.
  await page.getByRole('button', { name: 'Offer a time' }).click()
  const dialog = page.getByRole('dialog', { name: `Offer a time to ${customer.name}` })
  await expect(dialog.getByRole('button', { name: 'Offer this time' })).toBeDisabled()
  await dialog.getByRole('combobox', { name: /^Free time/ }).click()
  await page.getByRole('option', { name: /6:00 PM$/ }).click()
  await dialog.getByRole('button', { name: 'Offer this time' }).click()
  await expect(dialog).toBeHidden()
  await expect(offers).toHaveText([/6:00 PM: not answered yet/, /6:00 PM: withdrawn/])
  await expect(async () => expect(await listMails(offered)).toHaveLength(2)).toPass()
  const [second] = await listMails(offered)
  if (second === undefined) throw new Error('two mails were there')
  await visitor.goto(findLink(second, '/waiting/'))
  await expect(visitor.getByRole('heading', { name: 'A time is free for you' })).toBeVisible()

  // The owner withdraws the offer while the customer is reading it.
  await page.getByRole('button', { name: 'Withdraw offer' }).click()
  await expect(offers).toHaveText([/6:00 PM: withdrawn/, /6:00 PM: withdrawn/])
  allowConsole(/409/)
  await visitor.getByRole('button', { name: 'Accept this time' }).click()
  await expect(visitor.getByRole('heading', { name: 'This offer is no longer available' })).toBeVisible()
  const slots = await visitor.request.get(
    `/api/public/calendars/${calendar.slug}/slots?date=${nextTuesday()}`,
  )
  expect(JSON.stringify(await slots.json())).toContain(toInstant(nextTuesday(), '18:00'))
})
