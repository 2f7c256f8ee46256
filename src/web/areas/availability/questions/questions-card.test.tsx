// @vitest-environment happy-dom
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { describe, expect, test } from 'vitest'
import type { Question } from '#contract/appointments/questions.ts'
import { PROBLEMS } from '#contract/shared/problem.ts'
import { enterText } from '#web/testing/enter-text.ts'
import { CALENDAR_ID, makeAppointmentType, makeQuestion } from '#web/testing/make-records.ts'
import { renderComponent } from '#web/testing/render-part.tsx'
import { errorResponse, type SentRequest, stubApi } from '#web/testing/stub-api.ts'
import { QuestionsCard } from './questions-card.tsx'

const QUESTIONS = `GET /api/calendars/${CALENDAR_ID}/questions`
const CHANGE = `PUT /api/calendars/${CALENDAR_ID}/questions`
const type = makeAppointmentType()
const before = makeQuestion({
  id: '00000000-0000-4000-8000-000000000911',
  label: 'Have you been here before?',
  kind: 'one_of',
  choices: ['Yes', 'No'],
})
const when = makeQuestion({
  id: '00000000-0000-4000-8000-000000000912',
  label: 'מתי?',
  appointment_type_id: type.id,
  is_required: true,
  is_private: true,
  shown_if: { question_id: before.id, value: 'Yes' },
})

describe('the card', () => {
  test('shows each question with its kind, type and condition, in its own writing direction', async () => {
    open([before, when])
    const item = within(await screen.findByRole('article', { name: 'מתי?' }))
    expect(item.getByRole('heading', { name: 'מתי?' }).getAttribute('dir')).toBe('auto')
    for (const text of ['Short text', `Only for ${type.name}`, 'Required', 'Private', 'Asked after “Yes”']) {
      expect(await item.findByText(text)).toBeDefined()
    }
  })

  test('without questions says what the form asks anyway; at 20 questions no more can be added', async () => {
    open([])
    expect(await screen.findByText(/No questions yet/)).toBeDefined()
    cleanup()
    open(
      Array.from({ length: 20 }, (_, i) =>
        makeQuestion({ id: `00000000-0000-4000-8000-0000000001${10 + i}`, label: `Question ${i}` }),
      ),
    )
    await screen.findByRole('article', { name: 'Question 19' })
    expect(screen.getByRole('button', { name: 'Add question' })).toHaveProperty('disabled', true)
  })

  test('is used with the keyboard: questions are added, ordered and removed, and the focus is never lost', async () => {
    const { user, api } = open([before])
    await screen.findByRole('article', { name: before.label })
    await press(user, 'Add question')
    const dialog = within(await screen.findByRole('dialog', { name: 'Add question' }))
    await waitFor(() => expect(document.activeElement?.closest('[role=dialog]')).not.toBeNull())
    await enterText(user, dialog.getByLabelText(/^Question/), 'Who referred you?')
    dialog.getByRole('button', { name: 'Add question' }).focus()
    await user.keyboard('{Enter}')
    await screen.findByRole('article', { name: 'Who referred you?' })
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(listLabels(api.to(CHANGE).at(-1))).toEqual([before.label, 'Who referred you?'])

    await press(user, 'Move up Who referred you?')
    await waitFor(() =>
      expect(listLabels(api.to(CHANGE).at(-1))).toEqual(['Who referred you?', before.label]),
    )
    await waitFor(() =>
      expect(screen.getAllByRole('article')[0]?.getAttribute('aria-label')).toBe('Who referred you?'),
    )
    expect(document.activeElement?.getAttribute('aria-label')).toBe('Move up Who referred you?')
    const sent = api.to(CHANGE).length
    await user.keyboard('{Enter}')
    expect(api.to(CHANGE)).toHaveLength(sent)

    await press(user, 'Remove Who referred you?')
    await waitFor(() => expect(screen.queryByRole('article', { name: 'Who referred you?' })).toBeNull())
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Add question' }))
  })

  test('removes the condition on a question that is removed, and says why a change was refused', async () => {
    const { user, api } = open([before, when])
    await screen.findByRole('article', { name: 'מתי?' })
    api.answer(CHANGE, errorResponse('request.changed_meanwhile'))
    await user.click(screen.getByRole('button', { name: `Remove ${before.label}` }))
    expect(await screen.findByText(/^Failed to change the questions: /)).toBeDefined()
    expect(screen.getByRole('article', { name: before.label })).toBeDefined()
    expect(api.to(CHANGE)[0]?.body).toMatchObject({
      questions: [{ id: when.id, shown_if: null }],
      was: [{ id: before.id }, { id: when.id }],
    })
  })
})

describe('the dialog', () => {
  test('names the question that depends on a removed choice, at the choices, and keeps what was typed', async () => {
    const message = '“מתי?” is only asked after “Yes”. Change that question first.'
    const { user, api, dialog } = await edit(before)
    api.answer(CHANGE, errorResponse('question.condition_lost', [{ path: 'questions.0.choices', message }]))
    const choices = dialog.getByLabelText(/^Choices/)
    await user.clear(choices)
    await enterText(user, choices, 'Once\nNever')
    await user.click(dialog.getByRole('button', { name: 'Save' }))
    expect(await dialog.findByText(message)).toBeDefined()
    expect(dialog.getByText(PROBLEMS['question.condition_lost'].title)).toBeDefined()
    expect(choices).toHaveProperty('value', 'Once\nNever')
    expect(choices.getAttribute('aria-invalid')).toBe('true')
  })

  test('an ended session keeps what was typed for the way back, and nothing of it after Cancel', async () => {
    const { user, api, dialog } = await edit(before)
    api.answer(CHANGE, errorResponse('auth.required'))
    await enterText(user, dialog.getByLabelText(/^Question/), ' Really?')
    await enterText(user, dialog.getByLabelText(/^Choices/), '\nMaybe')
    await user.click(dialog.getByRole('button', { name: 'Save' }))
    expect(await dialog.findByText(PROBLEMS['auth.required'].title)).toBeDefined()
    cleanup()

    const again = open([before, when])
    const restored = within(await screen.findByRole('dialog', { name: 'Edit question' }))
    expect(restored.getByLabelText(/^Question/)).toHaveProperty('value', `${before.label} Really?`)
    expect(restored.getByLabelText(/^Choices/)).toHaveProperty('value', 'Yes\nNo\nMaybe')
    await again.user.click(restored.getByRole('button', { name: 'Cancel' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    cleanup()
    open([before, when])
    await screen.findByRole('article', { name: before.label })
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  test('adds a question again that was removed elsewhere, and overwrites no other', async () => {
    const { user, api, dialog } = await edit(before)
    api.answer(CHANGE, errorResponse('request.changed_meanwhile'))
    api.answer(QUESTIONS, { questions: [when] })
    await user.click(dialog.getByRole('button', { name: 'Save' }))
    await dialog.findByText(PROBLEMS['request.changed_meanwhile'].title)
    api.answer(CHANGE, echo)
    await user.click(dialog.getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(listLabels(api.to(CHANGE).at(-1))).toEqual([when.label, before.label])
  })
})

function open(questions: readonly Question[]) {
  const api = stubApi({
    [QUESTIONS]: { questions },
    [`GET /api/calendars/${CALENDAR_ID}/appointment-types`]: { appointment_types: [type] },
    [CHANGE]: echo,
  })
  return { ...renderComponent(<QuestionsCard calendarId={CALENDAR_ID} />), api }
}

/** Opens the dialog of a question of the calendar, which has two. */
async function edit({ label }: Question) {
  const opened = open([before, when])
  await opened.user.click(await screen.findByRole('button', { name: `Edit ${label}` }))
  return { ...opened, dialog: within(await screen.findByRole('dialog', { name: 'Edit question' })) }
}

async function press(user: UserEvent, name: string): Promise<void> {
  screen.getByRole('button', { name }).focus()
  await user.keyboard('{Enter}')
}

function echo({ body }: SentRequest) {
  return { questions: questionsIn(body) }
}

function listLabels(request: SentRequest | undefined): string[] {
  return questionsIn(request?.body).map(({ label }) => label)
}

function questionsIn(body: unknown): Question[] {
  return (body as { questions: Question[] }).questions // what `useChangeQuestions` sends
}
