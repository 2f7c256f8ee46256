// @vitest-environment happy-dom

import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { CATEGORIES } from '#contract/shared/limits.ts'
import { PROBLEMS } from '#contract/shared/problem.ts'
import { enterText } from '#web/testing/enter-text.ts'
import { makeCalendar, makeOwner, makePeople } from '#web/testing/make-records.ts'
import { renderComponent } from '#web/testing/render-part.tsx'
import { errorResponse, heldResponse, stubApi } from '#web/testing/stub-api.ts'
import { CreateCalendarDialog } from './create-calendar-dialog.tsx'

const CREATE = 'POST /api/calendars'
const RESOLVED = new Intl.DateTimeFormat('en-US').resolvedOptions()

beforeEach(() => {
  vi.spyOn(Intl.DateTimeFormat.prototype, 'resolvedOptions').mockImplementation(() => ({
    ...RESOLVED,
    timeZone: 'Asia/Tokyo',
  }))
})

test('a calendar is created with the typed values; the server makes a link that was not edited', async () => {
  const api = stubApi({ [CREATE]: makeCalendar() })
  const { user, onOpenChange } = renderDialog()
  await user.type(name(), 'Praxis Müller')
  expect(slug()).toHaveProperty('value', 'praxis-mueller')
  expect(screen.getByText('localhost:3000/book/praxis-mueller')).toBeDefined()
  await enterText(user, screen.getByLabelText('Description'), 'Backs')
  await submit(user)
  expect(await screen.findByText('Calendar created successfully!')).toBeDefined()
  expect(onOpenChange).toHaveBeenCalledWith(false)
  expect(api.to(CREATE)[0]?.body).toEqual({
    name: 'Praxis Müller',
    slug: '',
    description: 'Backs',
    category: '',
    color: '#3498db',
    timezone: 'Asia/Tokyo',
    hour_cycle: 'h12',
    appointment_title_required: true,
    default_appointment_title: 'Appointment with {{calendar_name}}',
    payment_required: false,
  })
})

// Source: rule W24.
test('the clock is that of the browser’s region', async () => {
  vi.spyOn(Intl.DateTimeFormat.prototype, 'resolvedOptions').mockImplementation(() => ({
    ...RESOLVED,
    hourCycle: 'h23',
  }))
  const api = stubApi({ [CREATE]: makeCalendar() })
  const { user } = renderDialog()
  expect(screen.getByText('Its booking page opens Monday to Friday, 09:00 to 17:00.')).toBeDefined()
  await user.type(name(), 'Grey')
  await submit(user)
  await waitFor(() => expect(api.to(CREATE)[0]?.body).toMatchObject({ hour_cycle: 'h23' }))
})

describe('the booking link', () => {
  test('an edited link is lowercased, spaces become dashes, and the name no longer changes it', async () => {
    const api = stubApi({ [CREATE]: makeCalendar() })
    const { user } = renderDialog()
    await user.type(name(), 'Grey')
    await user.clear(slug())
    await user.type(slug(), 'My Practice')
    expect(slug()).toHaveProperty('value', 'my-practice')
    await user.type(name(), ' Sloan')
    expect(slug()).toHaveProperty('value', 'my-practice')
    await submit(user)
    await waitFor(() => expect(api.to(CREATE)[0]?.body).toMatchObject({ slug: 'my-practice' }))
  })

  test('an emptied link follows the name again', async () => {
    stubApi({})
    const { user } = renderDialog()
    await user.type(slug(), 'other')
    await user.clear(slug())
    await user.type(name(), 'Grey')
    expect(slug()).toHaveProperty('value', 'grey')
  })

  test('a taken link is reported under its field, and typed text is kept', async () => {
    stubApi({ [CREATE]: errorResponse('calendar.slug_taken') })
    const { user, onOpenChange } = renderDialog()
    await user.type(name(), 'Grey')
    await user.type(slug(), '-2')
    await submit(user)
    const sentence = PROBLEMS['calendar.slug_taken'].title
    expect(await screen.findAllByText(sentence, { exact: false })).toHaveLength(1)
    expect(slug().getAttribute('aria-invalid')).toBe('true')
    expect(slug()).toHaveProperty('value', 'grey-2')
    expect(name()).toHaveProperty('value', 'Grey')
    expect(onOpenChange).not.toHaveBeenCalled()
  })

  test.each([
    ['-grey', PROBLEMS['calendar.slug_invalid'].title],
    ['login', PROBLEMS['calendar.slug_reserved'].title],
  ])('%s is refused before anything is sent', async (written, sentence) => {
    const api = stubApi({})
    const { user } = renderDialog()
    await user.type(name(), 'Grey')
    await user.clear(slug())
    await user.type(slug(), written)
    await submit(user)
    expect(await screen.findByText(sentence)).toBeDefined()
    expect(api.to(CREATE)).toEqual([])
  })
})

// Source: rule T38.
describe('whose time it is', () => {
  const PEOPLE = 'GET /api/people'
  const QUESTION = 'Whose time is this?'

  test('is not asked for the first calendar', () => {
    const api = stubApi({})
    renderDialog()
    expect(screen.queryByText(QUESTION)).toBeNull()
    expect(api.to(PEOPLE)).toEqual([])
  })

  test('is the owner’s by default for further calendars', async () => {
    const api = stubApi({ [PEOPLE]: makePeople(), [CREATE]: makeCalendar() })
    const { user } = renderDialog({ isFurther: true })
    const question = within(screen.getByRole('group', { name: QUESTION }))
    expect(question.getByRole('radio', { name: 'Mine' })).toHaveProperty('checked', true)
    expect(screen.queryByLabelText(/^Their name/)).toBeNull()
    await user.type(name(), 'Grey')
    await submit(user)
    await waitFor(() => expect(api.to(CREATE)).toHaveLength(1))
    expect(api.to(CREATE)[0]?.body).not.toHaveProperty('person_name')
  })

  test('somebody else has a name, which the default title reads', async () => {
    const api = stubApi({ [PEOPLE]: makePeople(), [CREATE]: makeCalendar() })
    const { user } = renderDialog({ isFurther: true })
    await user.type(name(), 'Grey')
    await user.click(screen.getByRole('radio', { name: 'Somebody else’s' }))
    await enterText(user, screen.getByLabelText(/^Their name/), 'Dr. Amina Diallo')
    await user.clear(screen.getByLabelText('Default title'))
    await user.click(screen.getByRole('button', { name: 'Insert {{professional_first_name}}' }))
    expect(screen.getByText('Dr. Amina')).toBeDefined()
    await submit(user)
    await waitFor(() => expect(api.to(CREATE)[0]?.body).toMatchObject({ person_name: 'Dr. Amina Diallo' }))
    expect(api.to(CREATE)[0]?.body).not.toHaveProperty('whose')
  })

  test('people who have a calendar can be chosen, and the owner is not among them', async () => {
    const api = stubApi({ [PEOPLE]: makePeople(), [CREATE]: makeCalendar() })
    const { user } = renderDialog({ isFurther: true })
    await user.type(name(), 'Grey')
    await user.click(screen.getByRole('radio', { name: 'Somebody else’s' }))
    const known = within(await screen.findByRole('group', { name: /^Or choose somebody/ }))
    expect(known.getAllByRole('button').map((button) => button.textContent)).toEqual(['Jon Osei'])
    await user.click(known.getByRole('button', { name: 'Jon Osei' }))
    expect(known.getByRole('button', { name: 'Jon Osei', pressed: true })).toBeDefined()
    expect(screen.getByLabelText(/^Their name/)).toHaveProperty('value', 'Jon Osei')
    await submit(user)
    await waitFor(() => expect(api.to(CREATE)[0]?.body).toMatchObject({ person_name: 'Jon Osei' }))
  })

  test('a missing name is reported together with other errors', async () => {
    const api = stubApi({ [PEOPLE]: makePeople(), [CREATE]: makeCalendar() })
    const { user } = renderDialog({ isFurther: true })
    await user.click(screen.getByRole('radio', { name: 'Somebody else’s' }))
    await submit(user)
    expect(await screen.findByText(PROBLEMS['calendar.name_required'].title)).toBeDefined()
    expect(screen.getByText(PROBLEMS['person.name_required'].title)).toBeDefined()
    await user.type(name(), 'Grey')
    await submit(user)
    await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText(/^Their name/)))
    expect(api.to(CREATE)).toEqual([])
    await user.click(screen.getByRole('radio', { name: 'Mine' }))
    await submit(user)
    await waitFor(() => expect(api.to(CREATE)).toHaveLength(1))
  })

  test('a refusal keeps the typed name', async () => {
    stubApi({ [PEOPLE]: makePeople(), [CREATE]: errorResponse('calendar.slug_taken') })
    const { user } = renderDialog({ isFurther: true })
    await user.type(name(), 'Grey')
    await user.click(screen.getByRole('radio', { name: 'Somebody else’s' }))
    await enterText(user, screen.getByLabelText(/^Their name/), 'שרה לוי')
    await submit(user)
    expect(await screen.findByText(PROBLEMS['calendar.slug_taken'].title)).toBeDefined()
    expect(screen.getByLabelText(/^Their name/)).toHaveProperty('value', 'שרה לוי')
  })
})

test('a name is required', async () => {
  const api = stubApi({})
  const { user } = renderDialog()
  await user.type(name(), '   ')
  await submit(user)
  expect(await screen.findByText(PROBLEMS['calendar.name_required'].title)).toBeDefined()
  expect(api.to(CREATE)).toEqual([])
})

describe('the plan’s limit', () => {
  const LIMIT = PROBLEMS['calendar.limit_reached'].title

  test('a limit known beforehand is shown instead of the form, with a link to the plans', () => {
    stubApi({})
    renderDialog({ limitReached: true })
    expect(screen.getByText(LIMIT)).toBeDefined()
    expect(screen.getByRole('link', { name: 'Upgrade Plan' }).getAttribute('href')).toBe('/pricing')
    expect(screen.queryByRole('textbox')).toBeNull()
    expect(screen.queryByRole('button', { name: 'Create Calendar' })).toBeNull()
  })

  test('a refusal by the server is shown once, in the form', async () => {
    stubApi({ [CREATE]: errorResponse('calendar.limit_reached') })
    const { user } = renderDialog()
    await user.type(name(), 'Grey')
    await submit(user)
    expect(await screen.findAllByText(LIMIT, { exact: false })).toHaveLength(1)
    expect(name()).toHaveProperty('value', 'Grey')
  })
})

test('without a connection the dialog shows an error and keeps typed text', async () => {
  stubApi({})
  const { user } = renderDialog()
  await user.type(name(), 'Grey')
  await submit(user)
  const sentence = 'You’re offline. Check your connection and try again.'
  expect(await screen.findByText(`Failed to create calendar: ${sentence}`)).toBeDefined()
  expect(screen.getAllByText(sentence, { exact: false })).toHaveLength(1)
  expect(name()).toHaveProperty('value', 'Grey')
})

test('a double press creates one calendar', async () => {
  const held = heldResponse(makeCalendar())
  const api = stubApi({ [CREATE]: held.answer })
  const { user, onOpenChange } = renderDialog()
  await user.type(name(), 'Grey')
  await submit(user)
  await user.click(await screen.findByRole('button', { name: 'Creating...' }))
  held.release()
  await waitFor(() => expect(onOpenChange).toHaveBeenCalledWith(false))
  expect(api.to(CREATE)).toHaveLength(1)
})

describe('the category', () => {
  test('it is one of eight', async () => {
    const api = stubApi({ [CREATE]: makeCalendar() })
    const { user } = renderDialog()
    await user.type(name(), 'Grey')
    await user.click(screen.getByRole('combobox', { name: 'Category' }))
    const options = within(await screen.findByRole('listbox')).getAllByRole('option')
    expect(options.map((option) => option.textContent)).toEqual(['No category', ...CATEGORIES, 'Other'])
    await user.click(screen.getByRole('option', { name: 'Coach' }))
    await submit(user)
    await waitFor(() => expect(api.to(CREATE)[0]?.body).toMatchObject({ category: 'Coach' }))
  })

  test('or one’s own', async () => {
    const api = stubApi({ [CREATE]: makeCalendar() })
    const { user } = renderDialog()
    await user.type(name(), 'Grey')
    await user.click(screen.getByRole('combobox', { name: 'Category' }))
    await user.click(await screen.findByRole('option', { name: 'Other' }))
    await enterText(user, await screen.findByLabelText('Your category'), 'Midwife')
    await submit(user)
    await waitFor(() => expect(api.to(CREATE)[0]?.body).toMatchObject({ category: 'Midwife' }))
  })
})

describe('the colour', () => {
  test('a swatch is chosen', async () => {
    const api = stubApi({ [CREATE]: makeCalendar() })
    const { user } = renderDialog()
    await user.type(name(), 'Grey')
    await user.click(screen.getByRole('radio', { name: 'Purple' }))
    await submit(user)
    await waitFor(() => expect(api.to(CREATE)[0]?.body).toMatchObject({ color: '#8e44ad' }))
  })

  test('an invalid hex code is reported', async () => {
    const api = stubApi({})
    const { user } = renderDialog()
    await user.type(name(), 'Grey')
    await user.clear(screen.getByLabelText('Colour: hex code'))
    await user.type(screen.getByLabelText('Colour: hex code'), 'red')
    await submit(user)
    expect(await screen.findByText('Please choose a colour like #3498db.')).toBeDefined()
    expect(api.to(CREATE)).toEqual([])
  })
})

test('any time zone is found by typing', async () => {
  const api = stubApi({ [CREATE]: makeCalendar() })
  const { user } = renderDialog()
  await user.type(name(), 'Grey')
  const zone = screen.getByRole<HTMLInputElement>('combobox', { name: 'Time zone' })
  expect(zone).toHaveProperty('value', 'Tokyo (Asia/Tokyo)')
  zone.focus()
  zone.select()
  await user.paste('st johns')
  await user.click(await screen.findByRole('option', { name: 'St Johns (America/St_Johns)' }))
  await submit(user)
  await waitFor(() => expect(api.to(CREATE)[0]?.body).toMatchObject({ timezone: 'America/St_Johns' }))
})

describe('the default title', () => {
  test('the example has the names filled in', async () => {
    stubApi({})
    const { user } = renderDialog()
    await user.type(name(), 'Grey')
    expect(screen.getByText('Appointment with Grey')).toBeDefined()
    await user.clear(screen.getByLabelText('Default title'))
    await user.click(screen.getByRole('button', { name: 'Insert {{professional_full_name}}' }))
    expect(screen.getByText('Meredith Grey')).toBeDefined()
  })

  test('is hidden unless a title is required', async () => {
    const api = stubApi({ [CREATE]: makeCalendar() })
    const { user } = renderDialog()
    await user.type(name(), 'Grey')
    await user.click(screen.getByRole('switch', { name: 'Ask for an appointment title' }))
    expect(screen.queryByLabelText('Default title')).toBeNull()
    await user.click(screen.getByRole('switch', { name: 'Require payment when booking' }))
    await submit(user)
    await waitFor(() =>
      expect(api.to(CREATE)[0]?.body).toMatchObject({
        appointment_title_required: false,
        payment_required: true,
      }),
    )
  })
})

function renderDialog({ limitReached = false, isFurther = false } = {}) {
  const onOpenChange = vi.fn()
  const { user } = renderComponent(
    <CreateCalendarDialog
      owner={makeOwner()}
      open
      onOpenChange={onOpenChange}
      isFurther={isFurther}
      limitReached={limitReached}
    />,
  )
  return { user, onOpenChange }
}

function name(): HTMLElement {
  return screen.getByLabelText(/^Name/)
}

function slug(): HTMLElement {
  return screen.getByLabelText('Booking link')
}

async function submit(user: ReturnType<typeof renderDialog>['user']) {
  await user.click(screen.getByRole('button', { name: 'Create Calendar' }))
}
