// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react'
import { useState } from 'react'
import { describe, expect, test } from 'vitest'
import { PROBLEMS } from '#contract/shared/problem.ts'
import { enterText } from '#web/testing/enter-text.ts'
import { CALENDAR_ID, makeCalendar } from '#web/testing/make-records.ts'
import { renderComponent } from '#web/testing/render-part.tsx'
import { errorResponse, heldResponse, stubApi } from '#web/testing/stub-api.ts'
import { ProfessionalCard } from './professional-card.tsx'

const READ = `GET /api/calendars/${CALENDAR_ID}`
const SAVE = `PATCH /api/calendars/${CALENDAR_ID}`
const SHOWN = { professional_first_name: 'Meredith', professional_last_name: 'Grey', category: 'Therapist' }

test('saves typed values with their previous values, with a toast', async () => {
  const api = stubApi({ [SAVE]: makeCalendar({ professional_first_name: 'Maya' }) })
  const { user } = renderCard()
  expect(screen.getByRole('button', { name: 'Save details' }).getAttribute('aria-disabled')).toBe('true')
  await rename(user, ' Maya ')
  await save(user)
  expect(await screen.findByText('Professional details updated successfully!')).toBeDefined()
  expect(api.to(SAVE).map(({ body }) => body)).toEqual([
    {
      professional_first_name: 'Maya',
      was: { professional_first_name: SHOWN.professional_first_name },
    },
  ])
  expect(firstName()).toHaveProperty('value', 'Maya')
})

test('the category is one of the list or one’s own', async () => {
  const api = stubApi({ [SAVE]: makeCalendar({ category: 'Midwife' }) })
  const { user } = renderCard()
  await user.click(screen.getByRole('combobox', { name: 'Category' }))
  await user.click(await screen.findByRole('option', { name: 'Other' }))
  await enterText(user, await screen.findByLabelText('Your category'), 'Midwife')
  await save(user)
  await waitFor(() => expect(api.to(SAVE)[0]?.body).toMatchObject({ category: 'Midwife' }))
  expect(await screen.findByLabelText('Your category')).toHaveProperty('value', 'Midwife')
})

test('a double press saves once', async () => {
  const held = heldResponse(makeCalendar({ professional_first_name: 'Maya' }))
  const api = stubApi({ [SAVE]: held.answer })
  const { user } = renderCard()
  await rename(user, 'Maya')
  await save(user)
  await user.click(await screen.findByRole('button', { name: 'Saving...' }))
  held.release()
  await screen.findByText('Professional details updated successfully!')
  expect(api.to(SAVE)).toHaveLength(1)
})

test('a failure is shown, and typed text is kept', async () => {
  stubApi({ [SAVE]: errorResponse('server.unexpected') })
  const { user } = renderCard()
  await rename(user, 'Maya')
  await save(user)
  const sentence = PROBLEMS['server.unexpected'].title
  expect(await screen.findByText(`Failed to update professional details: ${sentence}`)).toBeDefined()
  expect(screen.getAllByText(sentence, { exact: false })).toHaveLength(1)
  expect(firstName()).toHaveProperty('value', 'Maya')
})

test('an error from the server is shown under its field', async () => {
  const remark = { path: 'professional_last_name', message: 'Please use a single line of text.' }
  stubApi({ [SAVE]: errorResponse('request.invalid', [remark]) })
  const { user } = renderCard()
  await rename(user, 'Maya')
  await save(user)
  expect(await screen.findByText(remark.message)).toBeDefined()
  expect(screen.getByLabelText('Last name').getAttribute('aria-invalid')).toBe('true')
})

describe('changed in another window meanwhile', () => {
  const MEANWHILE = makeCalendar({ professional_first_name: 'Cristina', category: 'Doctor' })

  test('shows the stored values and keeps typed text; saving again overwrites only the typed fields', async () => {
    const api = stubApi({ [SAVE]: errorResponse('request.changed_meanwhile'), [READ]: MEANWHILE })
    const { user } = renderCard()
    await rename(user, 'Maya')
    await save(user)
    expect(await screen.findByText('Cristina')).toBeDefined()
    expect(screen.getByText('Doctor', { selector: 'dd' })).toBeDefined()
    expect(screen.getByRole('combobox', { name: 'Category' }).textContent).toContain('Doctor')
    const sentence = PROBLEMS['request.changed_meanwhile'].title
    expect(screen.getByText(sentence)).toBeDefined()
    expect(screen.queryByText(/^Failed to update/)).toBeNull()
    expect(firstName()).toHaveProperty('value', 'Maya')
    api.answer(SAVE, makeCalendar({ professional_first_name: 'Maya' }))
    await save(user)
    await screen.findByText('Professional details updated successfully!')
    expect(api.to(SAVE)[1]?.body).toEqual({
      professional_first_name: 'Maya',
      was: { professional_first_name: 'Cristina' },
    })
    expect(screen.queryByText('Cristina')).toBeNull()
  })

  test('the stored values can be accepted', async () => {
    stubApi({ [SAVE]: errorResponse('request.changed_meanwhile'), [READ]: MEANWHILE })
    const { user } = renderCard()
    await rename(user, 'Maya')
    await save(user)
    await screen.findByText('Cristina')
    await user.click(screen.getByRole('button', { name: 'Use the saved version' }))
    expect(firstName()).toHaveProperty('value', 'Cristina')
    expect(screen.queryByRole('button', { name: 'Use the saved version' })).toBeNull()
  })
})

describe('a calendar that is read anew', () => {
  test('is shown by a form that nobody has touched', async () => {
    stubApi({})
    const { user } = renderComponent(<CardOfChangingCalendar />)
    await user.click(screen.getByRole('button', { name: 'Read anew' }))
    expect(firstName()).toHaveProperty('value', 'Cristina')
  })

  test('keeps typed text, and is not overwritten unseen', async () => {
    const api = stubApi({ [SAVE]: errorResponse('request.changed_meanwhile'), [READ]: makeCalendar() })
    const { user } = renderComponent(<CardOfChangingCalendar />)
    await rename(user, 'Maya')
    await user.click(screen.getByRole('button', { name: 'Read anew' }))
    expect(firstName()).toHaveProperty('value', 'Maya')
    await save(user)
    await waitFor(() =>
      expect(api.to(SAVE)[0]?.body).toEqual({
        professional_first_name: 'Maya',
        was: { professional_first_name: SHOWN.professional_first_name },
      }),
    )
  })

  function CardOfChangingCalendar() {
    const [calendar, setCalendar] = useState(makeCalendar)
    const readAnew = () => setCalendar(makeCalendar({ professional_first_name: 'Cristina' }))
    return (
      <>
        <button type="button" onClick={readAnew}>
          Read anew
        </button>
        <ProfessionalCard calendar={calendar} />
      </>
    )
  }
})

function renderCard() {
  return renderComponent(<ProfessionalCard calendar={makeCalendar()} />)
}

type User = ReturnType<typeof renderCard>['user']

function firstName(): HTMLElement {
  return screen.getByLabelText('First name')
}

async function rename(user: User, name: string): Promise<void> {
  await user.clear(firstName())
  await enterText(user, firstName(), name)
}

async function save(user: User): Promise<void> {
  await user.click(screen.getByRole('button', { name: 'Save details' }))
}
