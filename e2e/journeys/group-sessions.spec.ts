import type { Page } from '@playwright/test'
import { expectNoAxeFindings } from '#e2e/support/axe.ts'
import { waitForMail } from '#e2e/support/mailbox.ts'
import { openTypeForm } from '#e2e/support/open-type-form.ts'
import {
  bookAppointment,
  chooseDate,
  createAppointmentType,
  createCalendar,
  makePerson,
  nextTuesday,
  type Person,
  signUp,
  toInstant,
  waitAsLongAsAPerson,
} from '#e2e/support/people.ts'
import { takeScreenshot } from '#e2e/support/take-picture.ts'
import { expect, test } from '#e2e/support/test.ts'

test('two customers fill a group from two browsers, and the owner frees a seat again', async ({
  page,
  newVisitor,
}) => {
  await signUp(page, makePerson('Ida Berg'))
  const calendar = await createCalendar(page)
  const form = await openTypeForm(page, calendar, 'Yoga')
  await form.getByLabel('Duration (minutes)').fill('60')
  await form.getByText('Group sessions', { exact: true }).click()
  await expect(form.getByText('Leave this empty if each appointment is for one customer.')).toBeVisible()
  await form.getByLabel('Seats per session').fill('2')
  await expect(form.getByText(/Up to 2 customers can book the same time/)).toBeVisible()
  await expectNoAxeFindings(page)
  await takeScreenshot(page)
  await form.getByRole('button', { name: 'Create' }).click()
  await expect(page.getByRole('article', { name: 'Yoga' })).toBeVisible()

  const [grace, alan] = [makePerson('Grace Hopper'), makePerson('Alan Turing')]
  const [first, second] = [await newVisitor(), await newVisitor()]
  await first.goto(`/book/${calendar.slug}`)
  await expect(first.getByRole('button', { name: / · 2 left$/ }).first()).toBeVisible()
  await takeScreenshot(first)
  await openDay(first, calendar.slug)
  await openDay(second, calendar.slug)
  await takeScreenshot(first)
  await bookAt(first, '9:00 AM · 2 left', grace)
  // The other browser still shows two seats, and gets the last one.
  await bookAt(second, '9:00 AM · 2 left', alan)
  await expect(second.locator('body')).not.toContainText('Grace')
  const confirmation = await waitForMail({ to: alan.email })
  expect(`${confirmation.text} ${JSON.stringify(confirmation.attachments)}`).not.toContain('Grace')

  const third = await newVisitor()
  await openDay(third, calendar.slug)
  await expect(third.getByRole('button', { name: '11:00 AM · 2 left' })).toBeVisible()
  await expect(third.getByRole('button', { name: /^9:00 AM/ })).toHaveCount(0)

  await page.goto(`/calendar/${calendar.id}/settings?tab=appointments&view=day&date=${nextTuesday()}`)
  const block = page.getByRole('button', { name: /Yoga.*2 of 2/ })
  await expect(block).toHaveCount(1)
  await takeScreenshot(page)
  await block.click()
  const session = page.getByRole('dialog', { name: 'Session' })
  await expect(session.getByText('2 of 2 seats taken')).toBeVisible()
  const people = session.getByRole('list', { name: 'People in this session' })
  await expect(people.getByRole('button', { name: /Grace Hopper/ })).toBeVisible()
  await expectNoAxeFindings(page)
  await takeScreenshot(page)
  await people.getByRole('button', { name: /Alan Turing/ }).click()
  await people.getByRole('button', { name: 'Cancel', exact: true }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel appointment' }).click()
  await expect(session.getByText('1 of 2 seats taken')).toBeVisible()

  await openDay(third, calendar.slug)
  await expect(third.getByRole('button', { name: '9:00 AM · 1 left' })).toBeVisible()
})

test('an owner moves a whole session, and cancels it with one message to everybody', async ({ page }) => {
  await signUp(page, makePerson('Ida Berg'))
  const calendar = await createCalendar(page)
  const { id: typeId } = await createAppointmentType(page, calendar, { name: 'Yoga', duration: 60, seats: 8 })
  const people = ['Grace Hopper', 'Alan Turing', 'Ada Lovelace', 'Emmy Noether'].map(makePerson)
  const startsAt = toInstant(nextTuesday(), '09:00')
  for (const person of people) await bookAppointment(page.request, calendar, { startsAt, person, typeId })

  await page.goto(`/calendar/${calendar.id}/settings?tab=appointments&view=day&date=${nextTuesday()}`)
  await page.getByRole('button', { name: /Yoga.*4 of 8/ }).click()
  const session = page.getByRole('dialog', { name: 'Session' })
  await session.getByRole('button', { name: 'Move session' }).click()
  const move = page.getByRole('dialog', { name: 'Move session' })
  await move.getByRole('button', { name: /^11:00 AM/ }).click()
  await move.getByRole('button', { name: 'Move session' }).click()
  await expect(page.locator('[data-toaster]').getByText(/^Moved to/)).toBeVisible()
  await expect(session.getByText(/11:00 AM/).first()).toBeVisible()

  await session.getByRole('button', { name: 'Cancel session' }).click()
  const cancel = page.getByRole('dialog', { name: 'Cancel session' })
  await cancel.getByLabel('Your message to the customers').fill('The room is flooded.')
  await expect(cancel.getByText('4 appointments. 4 customers get an email.')).toBeVisible()
  await expectNoAxeFindings(page)
  await takeScreenshot(page)
  await cancel.getByRole('button', { name: 'Cancel session' }).click()
  await expect(cancel.getByText('4 of 4 cancelled')).toBeVisible()
  for (const { email } of people) {
    const mail = await waitForMail({ to: email, subject: /cancel/i })
    expect(mail.text).toContain('The room is flooded.')
  }
})

async function openDay(visitor: Page, slug: string): Promise<void> {
  await visitor.goto(`/book/${slug}`)
  await chooseDate(visitor, nextTuesday())
}

async function bookAt(visitor: Page, time: string, person: Person): Promise<void> {
  await visitor.getByRole('button', { name: time, exact: true }).click()
  await visitor.getByLabel('Full Name').fill(person.name)
  await visitor.getByLabel('Email Address').fill(person.email)
  await waitAsLongAsAPerson(visitor)
  await visitor.getByRole('button', { name: 'Book appointment' }).click()
  await expect(visitor.getByRole('heading', { name: 'Booking Confirmed!' })).toBeVisible()
}
