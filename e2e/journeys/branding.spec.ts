import type { Locator, Page } from '@playwright/test'
import type { Calendar } from '#contract/calendars/calendars.ts'
import { expectNoAxeFindings } from '#e2e/support/axe.ts'
import { connectPaypal, connectStripe } from '#e2e/support/connect.ts'
import { finishTransitions } from '#e2e/support/finish-transitions.ts'
import {
  buyProfessionalPlan,
  chooseDate,
  createAppointmentType,
  createCalendar,
  makePerson,
  nextTuesday,
  signUp,
} from '#e2e/support/people.ts'
import { expect, test } from '#e2e/support/test.ts'

const LOGO =
  '<svg xmlns="http://www.w3.org/2000/svg" width="200" height="80"><rect width="200" height="80" rx="12" fill="#7c3aed"/><circle cx="40" cy="40" r="20" fill="#fff"/></svg>'

test('a look is seen beside the form before it is saved, and by visitors afterwards', async ({
  page,
  newVisitor,
  allowConsole,
}) => {
  // The server refuses the CSS.
  allowConsole(/400 \(Bad Request\)/)
  // The browser blocks the request that the preview may not send.
  allowConsole(/Content Security Policy/)
  await signUp(page, makePerson('Ida Berg'))
  await buyProfessionalPlan(page)
  const calendar = await createCalendar(page, { color: '#3498db' })
  await createAppointmentType(page, calendar, { name: 'First visit', duration: 30 })
  await page.goto(`/calendar/${calendar.id}/settings?tab=branding`)
  const preview = page.frameLocator('iframe[title="The booking page with this branding"]')
  await expect(preview.getByRole('heading', { level: 1 })).toBeVisible()

  await test.step('colours, texts and a logo change the page beside the form', async () => {
    await page.getByRole('switch', { name: 'Use your own colours' }).check()
    await page.getByLabel('Primary colour: hex code').fill('#7c3aed')
    await expect(page.getByText('The text on it is white: contrast 5.7 to 1.')).toBeVisible()
    await page.getByLabel('Secondary colour: hex code').fill('#f59e0b')
    await page
      .getByLabel('Welcome message')
      .fill('Please **ring twice**.\n\n- second floor\n- <b>left</b> door')
    await page.getByLabel('Footer text').fill('Parking: [the map](https://practice.example/map)')
    await page.getByLabel('Logo file').setInputFiles({
      name: 'logo.svg',
      mimeType: 'image/svg+xml',
      buffer: Buffer.from(LOGO),
    })
    await expect(page.getByRole('img', { name: 'Your logo' })).toBeVisible()
    await expect(preview.locator('[data-part="welcome"] strong')).toHaveText('ring twice')
    await expect(preview.locator('[data-part="welcome"]')).toContainText('<b>left</b> door')
    await expect(preview.locator('[data-part="header"] img')).toBeVisible()
    const submit = preview.getByRole('button', { name: 'Book appointment' })
    await expect(submit).toHaveCSS('background-color', 'rgb(124, 58, 237)')
    await expect(submit).toHaveCSS('color', 'rgb(255, 255, 255)')
  })

  await test.step('custom CSS says in which line it cannot be used', async () => {
    const css = page.getByLabel('Custom CSS')
    await css.fill('h1 { letter-spacing: 0.1em }\nbody { display: none }\nh2 { background: url(x.png) }')
    await expect(page.getByText('Line 2: “body” is not part of the booking page.')).toBeVisible()
    await expect(page.getByText('Line 3: “url()” isn’t allowed')).toBeVisible()
    await page.getByRole('button', { name: 'Save branding' }).click()
    await expect(css).toBeFocused()
    await expect(page.getByText('Line 2: “body” is not part of the booking page.')).toHaveCount(1)
    await css.fill('h1 { color: rgb(1 2 3) }')
    await expect(preview.getByRole('heading', { level: 1 })).toHaveCSS('color', 'rgb(1, 2, 3)')
    await expectNoAxeFindings(page)
  })

  await test.step('nothing is booked in the preview', async () => {
    await preview.getByLabel(/^Full Name/).fill('Ada Lovelace')
    await preview.getByRole('button', { name: 'Book appointment' }).click()
    await preview.getByLabel(/^Full Name/).press('Enter')
    await preview.getByLabel(/^Email Address/).press('Enter')
    // A submitted form would mark its missing fields.
    await expect(preview.locator('[aria-invalid="true"]')).toHaveCount(0)
    // No other code in the frame could book either: the browser blocks every POST request.
    const path = `/api/public/calendars/${calendar.slug}`
    const ask = (method: string, url: string) =>
      preview.locator('body').evaluate(
        (_body, [sentBy = '', to = '']) =>
          fetch(to, { method: sentBy }).then(
            () => 'answered',
            () => 'refused by the browser',
          ),
        [method, url],
      )
    expect(await ask('POST', `${path}/appointments`)).toBe('refused by the browser')
    expect(await ask('GET', `${path}/first-times`)).toBe('answered')
  })

  await test.step('it is saved as a whole and is there after a reload', async () => {
    await page.getByRole('button', { name: 'Save branding' }).click()
    await expect(page.getByText('Branding settings saved successfully')).toBeVisible()
    await page.reload()
    await expect(page.getByLabel('Primary colour: hex code')).toHaveValue('#7c3aed')
    await expect(page.getByRole('img', { name: 'Your logo' })).toBeVisible()
  })

  await test.step('visitors get it, by day and by night', async () => {
    const visitor = await newVisitor()
    await visitor.goto(`/book/${calendar.slug}`)
    await expect(visitor.getByRole('heading', { level: 1 })).toHaveCSS('color', 'rgb(1, 2, 3)')
    await expect(visitor.locator('[data-part="header"] img')).toBeVisible()
    await expect(visitor.getByRole('link', { name: 'the map' })).toHaveAttribute(
      'rel',
      'noopener nofollow ugc',
    )
    await chooseDate(visitor, nextTuesday())
    const chosen = visitor.locator('.day-picked')
    if (await chosen.isVisible()) await expect(chosen).toHaveCSS('background-color', 'rgb(124, 58, 237)')
    await visitor.emulateMedia({ colorScheme: 'dark' })
    await visitor.reload()
    await expect(visitor.getByRole('heading', { level: 1 })).toBeVisible()
    // The first page's black heading is the owner's choice. The `?plain` page drops the owner's CSS and stays readable.
    await visitor.goto(`/book/${calendar.slug}?plain`)
    await expect(visitor.getByRole('heading', { level: 1 })).not.toHaveCSS('color', 'rgb(1, 2, 3)')
    await expectNoAxeFindings(visitor)
  })
})

/** CSS that the checker accepts, although it tries to hide the button. */
const ATTACK = `
  :scope { font-family: Wingdings; background: #000; opacity: 0; color: transparent; visibility: hidden; transform: scale(0) }
  * { opacity: 0; color: transparent; visibility: hidden; font-size: 0; transform: translate(-200vw); filter: blur(90px) contrast(0) }
  form { display: none; overflow: hidden; height: 0; width: 0; background: #fffdf9; border-radius: 2rem; font-family: Webdings }
  form > * { max-height: 0; overflow: hidden }
  button, form button, form div, form div *, form > div:last-child, div > div > button { display: none; text-indent: -999em; opacity: 0 }
  [type="submit"] { color: transparent; background: transparent; width: 0; height: 0; padding: 0 }
  header { position: relative; box-shadow: 0 0 0 3000px #000; outline: 3000px solid #000; width: 400vw; height: 400px }
  section { transform: translate(0, 600px) scale(4); background: #000; opacity: 1; box-shadow: 0 0 0 2000px #000 }
  form::before, form::after, form div::before, section::after { content: "x"; display: block; width: 3000px; height: 3000px; background: #000 }
  @keyframes gone { to { opacity: 0; transform: scale(0) } }
  form, form *, button { animation: gone 1ms forwards }
`

/** CSS that the checker accepts as well, and that covers everything around it that is not protected. */
const COVER = `
  section, header { transform: scale(40); background: #000; color: #000 }
  button, h2, p { color: #000; background: #000; border: 9px solid #000; border-radius: 0; box-shadow: 0 0 0 9px #000 }
  form { background: #000; border-radius: 2rem }
`

test('custom CSS cannot hide, cover or disguise what is agreed and the button below it', {
  tag: '@phone',
}, async ({ page, newVisitor }) => {
  // The test visits each page twice, in the light and in the dark theme.
  test.slow()
  await signUp(page, makePerson('Eve Doyle'))
  await buyProfessionalPlan(page)
  const calendar = await createCalendar(page)
  await createAppointmentType(page, calendar, { name: 'First visit', duration: 30 })
  await saveCss(page, calendar, ATTACK)
  const visitor = await newVisitor()
  const button = visitor.getByRole('button', { name: 'Book appointment' })
  for (const colorScheme of ['light', 'dark'] as const) {
    await visitor.emulateMedia({ colorScheme })
    await visitor.goto(`/book/${calendar.slug}`)
    await expect(visitor.getByRole('heading', { level: 1, includeHidden: true })).toHaveCSS('opacity', '0')
    const before = await looksOfKept(button)
    await visitor.goto(`/book/${calendar.slug}?plain`)
    await expect(visitor.getByRole('heading', { level: 1 })).toHaveCSS('opacity', '1')
    expect(before).toEqual(await looksOfKept(button))
    expect(before).toMatchObject({ isOnTop: true, isInPage: true })
  }
})

test('custom CSS cannot cover what is outside of the booking page, and the link to the page without it works', {
  tag: '@slow',
}, async ({ page, newVisitor }) => {
  await signUp(page, makePerson('Eve Doyle'))
  await buyProfessionalPlan(page)
  const calendar = await createCalendar(page)
  await saveCss(page, calendar, COVER)
  const visitor = await newVisitor()
  await visitor.goto(`/book/${calendar.slug}`)
  const header = visitor.locator('[data-part="header"]')
  await expect(header).toHaveCSS('background-color', 'rgb(0, 0, 0)')
  const around = visitor.locator('footer, nav').getByRole('link')
  const names = await around.allTextContents()
  expect(names).toContain('View without custom design')
  expect(names).toContain('Privacy')
  for (const [index, name] of names.entries()) {
    const link = around.nth(index)
    if (await link.isVisible()) expect(await isOnTop(link), name).toBe(true)
  }
  await visitor.getByRole('link', { name: 'View without custom design' }).click()
  await expect(header).not.toHaveCSS('background-color', 'rgb(0, 0, 0)')
})

test('custom CSS cannot hide, cover or disguise the choice how to pay', { tag: '@phone' }, async ({
  page,
  newVisitor,
}) => {
  // The test visits each page twice, in the light and in the dark theme.
  test.slow()
  // The plan of the demo practice includes both payment providers.
  await page.context().request.post('/api/auth/sign-in', {
    data: { email: 'demo@example.com', password: 'meridian-demo' },
  })
  const calendar = await createCalendar(page)
  await connectStripe(page, calendar)
  await connectPaypal(page, calendar)
  await createAppointmentType(page, calendar, { name: 'Massage', duration: 30, price: 45 })
  await saveCss(page, calendar, COVER)
  const visitor = await newVisitor()
  for (const colorScheme of ['light', 'dark'] as const) {
    await visitor.emulateMedia({ colorScheme })
    const covered = await looksOfPayment(visitor, `/book/${calendar.slug}`)
    expect(covered).toEqual(await looksOfPayment(visitor, `/book/${calendar.slug}?plain`))
    for (const looks of covered) expect(looks).toMatchObject({ isOnTop: true, isInPage: true })
  }
  // Delete the calendar: the demo practice's plan leaves room for only one additional calendar at a time.
  expect((await page.request.delete(`/api/calendars/${calendar.id}`)).ok()).toBe(true)
})

async function saveCss(page: Page, { id }: Calendar, css: string): Promise<void> {
  const saved = await page.request.patch(`/api/calendars/${id}/branding`, { data: { custom_css: css } })
  expect(saved.status(), await saved.text()).toBe(200)
}

/**
 * Returns the looks of the buttons that pay, in the order in which a customer reaches them. It presses keys because custom CSS
 * may cover other buttons.
 */
async function looksOfPayment(page: Page, address: string) {
  await page.goto(address)
  await page
    .getByRole('group', { name: /^Next: / })
    .getByRole('button')
    .first()
    .press('Enter')
  await page.getByLabel('Full Name').fill('Ada Lovelace')
  await page.getByLabel('Email Address').fill('ada@example.com')
  const payNow = page.getByRole('button', { name: 'Pay Now' })
  // A placeholder button stands here until the code of the payment choice is downloaded. The placeholder cannot be pressed.
  await expect(payNow).not.toHaveAttribute('aria-disabled', 'true')
  const start = await looksOfKept(payNow)
  await payNow.click()
  await expect(page.getByRole('heading', { name: 'How would you like to pay?' })).toBeVisible()
  const choice = []
  for (const name of ['Credit Card', 'PayPal']) {
    const button = page.getByRole('button', { name, exact: true })
    // The payment buttons are disabled until the form has been validated.
    await expect(button).toBeEnabled()
    choice.push(await looksOfKept(button))
  }
  return [start, ...choice]
}

/**
 * True when a click in the middle of an element reaches it. Scrolls and measures in one step, because the page may still grow.
 */
function isOnTop(target: Locator): Promise<boolean> {
  return target.evaluate((element) => {
    element.scrollIntoView({ block: 'center', behavior: 'instant' })
    const { left, top, width, height } = element.getBoundingClientRect()
    return element.contains(document.elementFromPoint(left + width / 2, top + height / 2))
  })
}

/** Returns the styles that decide whether a button can be seen and pressed, for the button and all of its ancestors. */
async function looksOfKept(button: Locator) {
  await finishTransitions(button.page())
  return button.evaluate((element) => {
    element.scrollIntoView({ block: 'center', behavior: 'instant' })
    const around = [
      'display',
      'visibility',
      'opacity',
      'transform',
      'filter',
      'clip-path',
      'font-size',
      'text-indent',
      'max-height',
      'animation-name',
      'letter-spacing',
      'line-height',
    ] as const
    // The owner may choose the fonts and colours of the ancestors, so these are compared only inside the protected part.
    const inside = [
      ...around,
      ...['color', 'font-family', 'background-color', 'background-image', 'overflow', 'box-shadow'],
      ...['border-width', 'border-style', 'border-color', 'border-radius', 'outline-style'],
    ] as const
    const kept = element.closest('[data-kept]')
    const looks: Record<string, string>[] = []
    for (let at: Element | null = element; at !== null; at = at.parentElement) {
      const style = getComputedStyle(at)
      const names = kept?.contains(at) ? inside : around
      looks.push(Object.fromEntries(names.map((name) => [name, style.getPropertyValue(name)])))
    }
    const { left, top, width, height } = element.getBoundingClientRect()
    const hit = document.elementFromPoint(left + width / 2, top + height / 2)
    return { looks, isOnTop: element.contains(hit), isInPage: width > 0 && height > 0 && left >= 0 }
  })
}
