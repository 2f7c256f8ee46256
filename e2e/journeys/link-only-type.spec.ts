import { randomUUID } from 'node:crypto'
import { expectNoAxeFindings } from '#e2e/support/axe.ts'
import { waitForMail } from '#e2e/support/mailbox.ts'
import {
  chooseDate,
  createAppointmentType,
  createCalendar,
  makePerson,
  nextTuesday,
  signUp,
  waitAsLongAsAPerson,
} from '#e2e/support/people.ts'
import { takeScreenshot } from '#e2e/support/take-picture.ts'
import { expect, test } from '#e2e/support/test.ts'

test('an owner takes a type off the booking page, and a customer books it by its link', {
  tag: '@phone',
}, async ({ page, newVisitor }) => {
  await signUp(page, makePerson('Ida Berg'))
  const calendar = await createCalendar(page)
  await createAppointmentType(page, calendar, { name: 'Visit' })
  const { id } = await createAppointmentType(page, calendar, { name: 'Friends', duration: 60 })
  await page.goto(`/calendar/${calendar.id}/settings?tab=types`)
  await page.getByRole('button', { name: 'Edit Friends' }).click()
  const form = page.getByRole('dialog', { name: 'Edit Appointment Type' })
  const listed = form.getByRole('switch', { name: 'Listed on the booking page' })
  await listed.click()
  await expect(form.getByText(/Anyone with the link can book it/)).toBeVisible()
  await listed.scrollIntoViewIfNeeded()
  await takeScreenshot(page)
  await form.getByRole('button', { name: 'Update' }).click()
  const row = page.getByRole('article', { name: 'Friends' })
  await expect(row.getByText('By link only')).toBeVisible()
  await expect(row.getByRole('button', { name: 'Copy link to Friends' })).toBeVisible()
  await expectNoAxeFindings(page)
  await takeScreenshot(page)

  const customer = makePerson('Grace Hopper')
  const visitor = await newVisitor()
  await visitor.goto(`/book/${calendar.slug}`)
  await expect(visitor.getByRole('radio', { name: /Visit/ })).toBeVisible()
  await expect(visitor.getByText('Friends')).toHaveCount(0)
  await visitor.goto(`/book/${calendar.slug}?type=${id}`)
  await expect(visitor.getByRole('radio', { name: /Friends/ })).toBeChecked()
  await expect(visitor.getByRole('radio')).toHaveCount(1)
  await chooseDate(visitor, nextTuesday())
  await visitor.getByRole('button', { name: '9:00 AM', exact: true }).click()
  await visitor.getByLabel('Full Name').fill(customer.name)
  await visitor.getByLabel('Email Address').fill(customer.email)
  await waitAsLongAsAPerson(visitor)
  await visitor.getByRole('button', { name: 'Book appointment' }).click()
  await expect(visitor.getByRole('heading', { name: 'Booking Confirmed!' })).toBeVisible()
  expect((await waitForMail({ to: customer.email })).text).toContain('Friends')
})

test('a link opens the page with its listed type chosen, and says when its type is gone', {
  tag: '@phone',
}, async ({ page, newVisitor }) => {
  await signUp(page, makePerson('Ida Berg'))
  const calendar = await createCalendar(page)
  const { id } = await createAppointmentType(page, calendar, { name: 'Visit' })
  const friends = await createAppointmentType(page, calendar, { name: 'Friends' })
  const visitor = await newVisitor()
  await visitor.goto(`/book/${calendar.slug}?type=${id}`)
  await expect(visitor.getByRole('radio', { name: /Visit/, includeHidden: true })).toBeChecked()
  await expect(visitor.getByRole('radio', { includeHidden: true })).toHaveCount(2)
  await visitor.goto(`/book/${calendar.slug}?type=${randomUUID()}`)
  await expect(visitor.getByText(/We can’t find the appointment type in this link/)).toBeVisible()
  await expect(visitor.getByRole('radio', { name: /Visit/ })).not.toBeChecked()
  await expectNoAxeFindings(visitor)
  await takeScreenshot(visitor)

  for (const typeId of [id, friends.id]) {
    const path = `/api/calendars/${calendar.id}/appointment-types/${typeId}`
    expect((await page.request.patch(path, { data: { is_listed: false } })).ok()).toBe(true)
  }
  await visitor.goto(`/book/${calendar.slug}`)
  await expect(visitor.getByText(/To book here, you need a link/)).toBeVisible()
  await expect(visitor.getByRole('button', { name: 'Book appointment' })).toHaveCount(0)
  await expectNoAxeFindings(visitor)
  await takeScreenshot(visitor)
})
