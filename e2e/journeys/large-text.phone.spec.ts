import type { Page } from '@playwright/test'
import { MIN_FORM_FILL_MS } from '#core/appointments/bot-signals.ts'
import { connectAccount } from '#e2e/support/calendar-sandboxes.ts'
import { connectStripe } from '#e2e/support/connect.ts'
import { enlargeText, expectReadable, PHONE_HEIGHT } from '#e2e/support/large-text.ts'
import { findLink, waitForMail } from '#e2e/support/mailbox.ts'
import { openAppointment } from '#e2e/support/open-appointment.ts'
import { openDemo } from '#e2e/support/open-demo.ts'
import {
  bookAppointment,
  buyProfessionalPlan,
  chooseDate,
  chooseTime,
  createAppointmentType,
  createCalendar,
  makePerson,
  nextTuesday,
  postToApi,
  signUp,
  toInstant,
  waitAsLongAsAPerson,
} from '#e2e/support/people.ts'
import { expect, test } from '#e2e/support/test.ts'
import { expectToastCoversNothing } from '#e2e/support/toast-strip.ts'
import { SETTINGS_GROUPS } from '#web/entries/app/settings-tab.ts'

/** Maximum share of the screen's height that a toast may cover. */
const LARGEST_TOAST = 0.5

for (const width of [375, 320]) {
  test(`with text of 200 % on a phone of ${width} px a customer books, and an owner logs in`, {
    tag: width > 320 ? '@slow' : [],
  }, async ({ page, newVisitor }) => {
    const ownerPage = await newVisitor()
    const owner = makePerson('Konstanze Wiedemann')
    await signUp(ownerPage, owner)
    const calendar = await createCalendar(ownerPage, { name: 'Praxis Wiedemann' })
    await createAppointmentType(ownerPage, calendar, { name: 'Lymphatic drainage', duration: 45 })
    await createAppointmentType(ownerPage, calendar, { name: 'First consultation', duration: 30 })

    await enlargeText(page, width)
    await page.goto(`/book/${calendar.slug}`)
    await expectReadable(page)
    await page.getByText('Lymphatic drainage', { exact: true }).tap()
    await chooseDate(page, nextTuesday())
    await expectReadable(page)
    await chooseTime(page, '2:00 PM')
    const lines = page.getByRole('button', { name: /^Change / }).locator('xpath=preceding-sibling::span')
    await expect(lines).toHaveCount(2)
    for (const line of await lines.all()) {
      const { shown, whole } = await line.evaluate((el) => ({ shown: el.clientWidth, whole: el.scrollWidth }))
      expect(shown, 'a chosen step shows all its words').toBeGreaterThanOrEqual(whole)
    }
    await page.getByLabel('Full Name').fill('Ada Lovelace')
    await page.getByLabel('Email Address').fill(makePerson('Ada Lovelace').email)
    await expectReadable(page)
    await waitAsLongAsAPerson(page)
    await page.getByRole('button', { name: 'Book appointment' }).tap()
    await expect(page.getByRole('heading', { name: 'Booking Confirmed!' })).toBeVisible()
    await expect(page.getByText('Appointment booked successfully! Confirmation email sent.')).toBeVisible()
    await expect(page.locator('[data-toaster]')).toHaveText('')
    await expectReadable(page)

    await page.goto((await page.getByRole('link', { name: 'Move or cancel' }).getAttribute('href')) ?? '')
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expectReadable(page)
    await page.getByRole('button', { name: 'Change', exact: true }).tap()
    await page.getByLabel('Additional Notes').fill('The left knee.')
    await page.getByRole('button', { name: 'Save' }).tap()
    await expectSmallToast(page, 'Your details have been updated.')
    await expectToastCoversNothing(page)

    await page.goto('/login')
    await page.getByLabel('Email').fill(owner.email)
    await page.getByRole('textbox', { name: /^Password/ }).fill(owner.password)
    await expectWholeWords(page)
    await expectNothingBeside(page)
    await page.keyboard.press('Enter')
    await expectSmallToast(page, 'Successfully logged in!')
    await expect(page).toHaveURL(/\/dashboard$/)
    await expect(page.getByText(calendar.name).first()).toBeVisible()
    await expectToastCoversNothing(page)
    await expectWholeWords(page)
    await expectNothingBeside(page)
  })
}

test('with text of 200 % on a phone of 320 px the list of appointments and an open one stay readable', async ({
  page,
}) => {
  const name = 'Maximiliane Theodora von Hohenstein-Wittgenstein zu Augsburg'
  await signUp(page, makePerson('Konstanze Wiedemann'))
  const calendar = await createCalendar(page)
  const type = await createAppointmentType(page, calendar, { name: 'Lymphatic drainage', duration: 45 })
  const startsAt = toInstant(nextTuesday(), '14:00')
  await bookAppointment(page.context().request, calendar, {
    startsAt,
    person: { ...makePerson('Customer'), name },
    typeId: type.id,
  })
  await enlargeText(page, 320)
  const row = page.getByRole('article', { name })
  for (const address of ['/appointments?view=list', `/calendar/${calendar.id}/settings?tab=appointments`]) {
    await page.goto(address)
    await expect(row).toBeVisible()
    await expectReadable(page)
  }
  const details = await openAppointment(page, name)
  await expect(details.getByRole('heading', { name })).toBeVisible()
  await details.getByText('Booking reference').scrollIntoViewIfNeeded()
  await expectReadable(page)
  for (const action of ['Cancel', 'Move']) {
    await details.getByRole('button', { name: action, exact: true }).tap()
    await expect(page.getByRole('dialog').or(page.getByRole('alertdialog'))).toHaveCount(2)
    await page.waitForLoadState('networkidle')
    await expectReadable(page)
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog').or(page.getByRole('alertdialog'))).toHaveCount(1)
  }
})

test('with text of 200 % on a phone of 320 px a customer joins the waiting list: nothing is cut or covered', async ({
  page,
  newVisitor,
}) => {
  const ownerPage = await newVisitor()
  await signUp(ownerPage, makePerson('Konstanze Wiedemann'))
  const calendar = await createCalendar(ownerPage, { name: 'Praxis Wiedemann' })
  const customer = makePerson('Ada Lovelace')
  await enlargeText(page, 320)
  await page.goto(`/book/${calendar.slug}`)
  await page.getByRole('button', { name: 'Can’t find a time? Join the waiting list' }).tap()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByLabel('Full Name')).toBeVisible()
  await expectReadable(page)
  await dialog.getByRole('textbox', { name: 'From', exact: true }).fill(nextTuesday())
  await dialog.getByRole('textbox', { name: 'To', exact: true }).fill(nextTuesday())
  await dialog.getByLabel('Full Name').fill(customer.name)
  await dialog.getByLabel('Email Address').fill(customer.email)
  // The server refuses forms that are filled in faster than a person could. Source: rule B20.
  await page.waitForTimeout(MIN_FORM_FILL_MS)
  await dialog.getByRole('button', { name: 'Join the list' }).tap()
  const mail = await waitForMail({ to: customer.email, subject: 'Confirm your place' })
  await page.goto(findLink(mail, '/waiting/'))
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expectReadable(page)
  await page.getByRole('button', { name: 'Join the waiting list' }).tap()
  await expect(page.getByRole('heading', { name: 'You’re on the waiting list' })).toBeFocused()
  await expectReadable(page)
})

/** The tabs of a calendar's settings. Some repeat the pages about all calendars. */
const TABS = SETTINGS_GROUPS.flatMap(({ tabs }) => tabs.map(({ id }) => `?tab=${id}`))
const REPEATED_TABS = ['?tab=appointments', '?tab=insights']

/** The owner's pages in areas. A search alone belongs to the address of the settings of a calendar. */
const AREAS: Readonly<Record<string, readonly string[]>> = {
  'the settings of a calendar': ['', ...TABS.filter((tab) => !REPEATED_TABS.includes(tab))],
  'the settings that repeat pages about all calendars': REPEATED_TABS,
  'the pages about all calendars': [
    '/dashboard',
    '/today',
    '/appointments?view=list',
    '/appointments?view=day',
    '/appointments?view=week',
    '/customers',
    '/insights',
  ],
  'the account': ['personal', 'subscription', 'account', 'security', 'notifications'].map(
    (tab) => `/profile?tab=${tab}`,
  ),
}

for (const [area, addresses] of Object.entries(AREAS)) {
  test(`with text of 200 % on a phone of 320 px ${area}: nothing is cut or covered`, {
    tag: addresses === REPEATED_TABS ? '@slow' : [],
  }, async ({ page }) => {
    await openDemo(page)
    const settings = new URL(page.url()).pathname
    await enlargeText(page, 320)
    for (const address of addresses) {
      await page.goto(address.startsWith('/') ? address : settings + address)
      await page.waitForLoadState('networkidle')
      await expectReadable(page)
    }
  })
}

test('with text of 200 % on a phone of 320 px the set-up: nothing is cut or covered', async ({ page }) => {
  await signUp(page, makePerson('Konstanze Wiedemann'))
  await enlargeText(page, 320)
  await page.goto('/setup')
  await expect(page.getByRole('heading', { level: 2, name: 'You' })).toBeVisible()
  await expectReadable(page)
  for (const title of ['Hours', 'Services', 'Your own calendar', 'Your booking page is ready']) {
    await page
      .getByRole('button', { name: /^(Continue|Skip for now)$/ })
      .first()
      .tap()
    await expect(page.getByRole('heading', { level: 2, name: title })).toBeVisible()
    await page.waitForLoadState('networkidle')
    await expectReadable(page)
  }
})

/** Dialogs: the page and the name of the button that opens each. A search alone belongs to the settings of a calendar. */
const DIALOGS = [
  ['/appointments?view=list', 'New appointment'],
  ['/appointments?view=list', /^\d+ messages? couldn’t be delivered$/],
  ['/dashboard', 'Create Calendar'],
  ['/dashboard', 'Duplicate'],
  ['/dashboard', 'Delete Calendar'],
  ['/dashboard', /cancellation requests? to review$/],
  ['/dashboard', 'More'],
  ['/profile?tab=account', 'Export all my data'],
  ['/profile?tab=account', 'Delete my account'],
  ['/profile?tab=security', 'Turn on'],
  ['', 'Add to website'],
  ['?tab=general', 'Duplicate calendar'],
  ['?tab=availability', 'Add lunch break'],
  ['?tab=availability', 'Copy Monday to other days'],
  ['?tab=availability', /^(Choose a country|Change region)$/],
  ['?tab=availability', 'Add days'],
  ['?tab=availability', 'Why isn’t a time offered?'],
  ['?tab=appointments', 'Add customer'],
  ['?tab=types', 'Add Type'],
  ['?tab=types', /^Edit /],
  ['?tab=types', /^Delete /],
  ['?tab=types', 'Add question'],
  ['?tab=locations', 'Add location'],
  ['?tab=locations', 'Use a shared location'],
  ['?tab=locations', /^Edit /],
  ['?tab=locations', /^Remove /],
] as const

test('with text of 200 % on a phone of 320 px a dialog or a customer: nothing is cut or covered', async ({
  page,
}) => {
  await openDemo(page)
  const settings = new URL(page.url()).pathname
  await enlargeText(page, 320)
  for (const [address, name] of DIALOGS) {
    await page.goto(address.startsWith('/') ? address : settings + address)
    await page.getByRole('button', { name }).first().tap()
    await expectReadableDialog(page)
  }
  await page.goto('/customers')
  await page.locator('main a[href*="/customers/"]').first().tap()
  await expect(page.getByRole('heading', { name: 'Record' })).toBeVisible()
  await expectReadable(page)
  for (const name of ['Edit', 'Merge with another record', 'Erase']) {
    await page.getByRole('button', { name, exact: true }).tap()
    await expectReadableDialog(page)
    await page.reload()
  }
})

/** Dialogs that the demo cannot open. */
const DIALOGS_OF_A_PRACTICE = [
  ['?tab=general', 'Change person'],
  ['?tab=appointments', 'Offer a time'],
  ['?tab=appointments', 'Remove'],
  ['?tab=integrations', 'Connect to CalDAV'],
  ['?tab=integrations', 'Add an address'],
  ['?tab=integrations', 'Disconnect'],
  ['?tab=integrations', 'Revoke address'],
  ['?tab=payments', 'Disconnect Stripe'],
  ['/profile?tab=subscription', 'End plan'],
  ['/profile?tab=security', 'Sign out all other devices'],
] as const

test('with text of 200 % on a phone of 320 px a dialog about an account or the waiting list: nothing is cut or covered', async ({
  page,
  request: elsewhere,
}) => {
  const owner = makePerson('Konstanze Wiedemann')
  await signUp(page, owner)
  await buyProfessionalPlan(page)
  const calendar = await createCalendar(page, { name: 'Praxis Wiedemann' })
  await createCalendar(page, { name: 'Praxis Wiedemann, Augsburg' })
  const api = `/api/calendars/${calendar.id}`
  const { request } = page.context()
  await postToApi(request, `${api}/waiting-list`, {
    name: 'Maximiliane Theodora von Hohenstein-Wittgenstein zu Augsburg',
    email: makePerson('Customer').email,
    from_date: nextTuesday(),
    to_date: nextTuesday(),
    weekdays: [2],
    day_parts: ['evening'],
  })
  await connectAccount(page, calendar, { provider: 'google', email: makePerson('Konstanze').email })
  await connectStripe(page, calendar)
  await postToApi(request, `${api}/feed`, undefined)
  await postToApi(elsewhere, '/api/auth/sign-in', { email: owner.email, password: owner.password })
  await enlargeText(page, 320)
  for (const [address, name] of DIALOGS_OF_A_PRACTICE) {
    await page.goto(address.startsWith('/') ? address : `/calendar/${calendar.id}/settings${address}`)
    await page.getByRole('button', { name }).first().tap()
    await expectReadableDialog(page)
  }
  await page.goto(`/calendar/${calendar.id}/settings?tab=general`)
  await page.getByRole('combobox', { name: 'Time zone' }).fill('kathmandu')
  await page.getByRole('option', { name: 'Kathmandu (Asia/Kathmandu)' }).tap()
  await page.getByRole('button', { name: 'Update time zone' }).tap()
  await expectReadableDialog(page)
})

test('with text of 200 % on a phone of 320 px names of 60 characters stay whole in both directions', async ({
  page,
}) => {
  const names = [
    'Maximiliane Theodora von Hohenstein-Wittgenstein zu Augsburg',
    'אלכסנדרה מרים שושנה בן־דוד הלוי גולדשטיין מירושלים הבירה ועוד',
  ]
  await signUp(page, makePerson('Konstanze Wiedemann'))
  const calendar = await createCalendar(page, { name: names[1] })
  for (const [i, name] of names.entries()) {
    await bookAppointment(page.context().request, calendar, {
      startsAt: toInstant(nextTuesday(), `1${4 + i}:00`),
      person: { ...makePerson('Customer'), name },
    })
  }
  await enlargeText(page, 320)
  for (const address of ['/appointments?view=list', '/customers', '/dashboard']) {
    await page.goto(address)
    for (const name of names) await expect(page.getByText(name).first()).toBeVisible()
    await page.waitForLoadState('networkidle')
    await expectReadable(page)
  }
})

async function expectReadableDialog(page: Page): Promise<void> {
  await expect(page.getByRole('dialog').or(page.getByRole('alertdialog'))).toBeVisible()
  await page.waitForLoadState('networkidle')
  await expectReadable(page)
}

async function expectSmallToast(page: Page, text: string): Promise<void> {
  const toast = page.locator('[data-toaster]').filter({ hasText: text })
  await expect(toast).toBeVisible()
  expect((await toast.boundingBox())?.height, text).toBeLessThan(PHONE_HEIGHT * LARGEST_TOAST)
}

async function expectNothingBeside(page: Page): Promise<void> {
  const { wide, seen } = await page.evaluate(() => ({
    wide: document.documentElement.scrollWidth,
    seen: document.documentElement.clientWidth,
  }))
  expect(wide, `${page.url()} does not scroll sideways`).toBeLessThanOrEqual(seen)
}

/** Checks that no heading breaks a word across lines, except at a hyphen. */
async function expectWholeWords(page: Page): Promise<void> {
  const broken = await page.locator('h1, h2, h3').evaluateAll((headings) => {
    const texts = headings.flatMap((heading) => {
      const walker = document.createTreeWalker(heading, NodeFilter.SHOW_TEXT)
      const found: Node[] = []
      while (walker.nextNode()) found.push(walker.currentNode)
      return found
    })
    return texts.flatMap((text) =>
      [...(text.nodeValue ?? '').matchAll(/[^\s-]+/g)].flatMap(({ 0: word, index }) => {
        const range = document.createRange()
        range.setStart(text, index)
        range.setEnd(text, index + word.length)
        const lines = new Set([...range.getClientRects()].map(({ top }) => top))
        return lines.size > 1 ? [word] : []
      }),
    )
  })
  expect(broken, `${page.url()} breaks no word of a heading`).toEqual([])
}
