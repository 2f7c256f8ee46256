// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react'
import { useState } from 'react'
import { expect, test, vi } from 'vitest'
import type { Question } from '#contract/appointments/questions.ts'
import type { TypedAnswers } from '#core/appointments/questions.ts'
import { enterText } from '#web/testing/enter-text.ts'
import { makeQuestion } from '#web/testing/make-records.ts'
import { renderComponent } from '#web/testing/render-part.tsx'
import { AnswerFields } from './question-fields.tsx'

test('each kind of question has its own field, with its help and whether it must be answered', () => {
  renderFields([
    ask('text', 'Name of your doctor', { help: 'As on the letter.' }),
    ask('long_text', 'What brings you here?', { is_required: true }),
    ask('number', 'How old are you?'),
    ask('date', 'When did it begin?'),
    ask('phone', 'Whom may we call?'),
    ask('yes_no', 'Have you been here before?', { is_required: true }),
    ask('one_of', 'Which side?', { choices: ['Left', 'Right'] }),
    ask('several_of', 'Where?', { choices: ['Back', 'Knee'] }),
    ask('consent', 'I agree to the treatment contract.', { is_required: true }),
  ])
  const doctor = screen.getByRole('textbox', { name: 'Name of your doctor (optional)' })
  expect(describedText(doctor)).toBe('As on the letter.')
  const reason = screen.getByRole('textbox', { name: /^What brings you here\?/ })
  expect([reason.tagName, reason.getAttribute('aria-required')]).toEqual(['TEXTAREA', 'true'])
  expect(screen.getByLabelText('How old are you? (optional)').getAttribute('inputmode')).toBe('decimal')
  expect(screen.getByLabelText('When did it begin? (optional)').getAttribute('type')).toBe('date')
  expect(screen.getByLabelText('Whom may we call? (optional)').getAttribute('type')).toBe('tel')
  const been = within(screen.getByRole('group', { name: 'Have you been here before? (required)' }))
  expect(been.getAllByRole('radio').map(labelOf)).toEqual(['Yes', 'No'])
  const side = within(screen.getByRole('group', { name: 'Which side? (optional)' }))
  expect(side.getAllByRole('radio').map(labelOf)).toEqual(['Left', 'Right'])
  const where = within(screen.getByRole('group', { name: 'Where? (optional)' }))
  expect(where.getAllByRole('checkbox').map(labelOf)).toEqual(['Back', 'Knee'])
  expect(screen.getByRole('checkbox', { name: /^I agree to the treatment contract\./ })).toBeDefined()
})

test('answers are given with the keyboard alone, and several choices can be taken back', async () => {
  const text = ask('text', 'Who referred you?')
  const where = ask('several_of', 'Where?', { choices: ['Back', 'Knee'] })
  const side = ask('one_of', 'Which side?', { choices: ['Left', 'Right'] })
  const { user, onChange } = renderFields([text, where, side])
  await user.tab()
  await user.keyboard('GP')
  await user.tab()
  await user.keyboard(' ')
  await user.tab()
  await user.keyboard(' ')
  expect(onChange).toHaveBeenLastCalledWith(where.id, ['Back', 'Knee'])
  await user.keyboard(' ')
  expect(onChange).toHaveBeenLastCalledWith(where.id, ['Back'])
  await user.tab()
  await user.keyboard(' ')
  expect(onChange).toHaveBeenLastCalledWith(side.id, ['Left'])
  expect(screen.getByRole('textbox')).toHaveProperty('value', 'GP')
})

test('a question with a condition appears with its answer and goes with it, like one that depends on it', async () => {
  const been = ask('yes_no', 'Have you been here before?')
  const where = ask('one_of', 'Where?', {
    choices: ['City', 'Village'],
    shown_if: { question_id: been.id, value: 'Yes' },
  })
  const who = ask('text', 'Whom did you see?', { shown_if: { question_id: where.id, value: 'City' } })
  const { user } = renderFields([been, where, who])
  expect(screen.queryByRole('group', { name: /^Where/ })).toBeNull()
  await user.click(screen.getByRole('radio', { name: 'Yes' }))
  await user.click(screen.getByRole('radio', { name: 'City' }))
  expect(screen.getByLabelText('Whom did you see? (optional)')).toBeDefined()
  await user.click(screen.getByRole('radio', { name: 'No' }))
  expect(screen.queryByRole('group', { name: /^Where/ })).toBeNull()
  expect(screen.queryByLabelText('Whom did you see? (optional)')).toBeNull()
})

test('only the questions of the chosen type and those of all types are asked', () => {
  const [all, own, other] = [
    ask('text', 'For all'),
    ask('text', 'For this type', { appointment_type_id: 'type' }),
    ask('text', 'For another type', { appointment_type_id: 'other' }),
  ] as const
  renderFields([all, own, other], { typeId: 'type' })
  expect(screen.getAllByRole('textbox')).toHaveLength(2)
  expect(screen.queryByLabelText(/^For another type/)).toBeNull()
})

test('a refused answer has its sentence beside it, as its description', () => {
  const reason = ask('text', 'What brings you here?', { is_required: true, help: 'In short.' })
  const agreed = ask('consent', 'I agree.', { is_required: true })
  renderFields([reason, agreed], {
    errors: { [reason.id]: 'Please answer this question.', [agreed.id]: 'Please agree to this to book.' },
  })
  const field = screen.getByRole('textbox')
  expect(field.getAttribute('aria-invalid')).toBe('true')
  expect(describedText(field)).toBe('Please answer this question.')
  expect(describedText(screen.getByRole('checkbox'))).toBe('Please agree to this to book.')
})

test('HTML and right-to-left text of questions and answers stay text, each in its own direction', async () => {
  const html = '<b>Bold</b>'
  const hebrew = 'מה שלומך?'
  const question = ask('one_of', hebrew, { choices: [html, 'טוב'] })
  const { user, onChange } = renderFields([question, ask('text', html)])
  expect(screen.getByRole('group', { name: `\u2068${hebrew}\u2069 (optional)` })).toBeDefined()
  const choice = screen.getByText('טוב')
  expect(choice.tagName).toBe('BDI')
  expect(screen.getByRole('radio', { name: html })).toBeDefined()
  await enterText(user, screen.getByRole('textbox', { name: `${html} (optional)` }), 'שלום <i>')
  expect(onChange.mock.lastCall?.[1]).toEqual(['שלום <i>'])
  expect(document.querySelector('b, i')).toBeNull()
})

let asked = 0

function ask(kind: Question['kind'], label: string, more: Partial<Question> = {}): Question {
  asked += 1
  return makeQuestion({ id: `question-${asked}`, kind, label, ...more })
}

type Shown = { typeId?: string; errors?: Readonly<Record<string, string>> }

function renderFields(questions: readonly Question[], { typeId, errors = {} }: Shown = {}) {
  const onChange = vi.fn<(id: string, value: string[]) => void>()
  function Form() {
    const [answers, setAnswers] = useState<TypedAnswers>({})
    return (
      <AnswerFields
        questions={questions}
        typeId={typeId ?? null}
        answers={answers}
        errorOf={(field) => errors[field.slice('answers.'.length)]}
        onChange={(id, value) => {
          onChange(id, value)
          setAnswers({ ...answers, [id]: value })
        }}
      />
    )
  }
  return { ...renderComponent(<Form />), onChange }
}

function labelOf(field: HTMLElement): string | null | undefined {
  return field.closest('label')?.textContent
}

function describedText(field: HTMLElement): string | null | undefined {
  return document.getElementById(field.getAttribute('aria-describedby') ?? '')?.textContent
}
