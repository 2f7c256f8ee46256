import { describe, expect, test } from 'vitest'
import { checkAnswers } from './check-answers.ts'
import { type AskedQuestion, findLostCondition, type QuestionKind } from './questions.ts'

const ANXIETY = 'Anxiety'

function ask(id: string, kind: QuestionKind, more: Partial<AskedQuestion> = {}): AskedQuestion {
  const choices = kind === 'one_of' || kind === 'several_of' ? [ANXIETY, 'Sleep'] : []
  return { id, kind, appointment_type_id: null, is_required: false, choices, shown_if: null, ...more }
}

function check(question: AskedQuestion, value: string[]) {
  const checked = checkAnswers([question], { [question.id]: value }, { typeId: null })
  return checked.ok ? checked.answers.map((answer) => answer.value) : checked.refused[0]?.reason
}

describe('an answer', () => {
  test.each<[QuestionKind, string[], unknown]>([
    ['text', ['x'.repeat(2_000)], [['x'.repeat(2_000)]]],
    ['text', ['x'.repeat(2_001)], 'too_long'],
    ['text', ['<b>a</b> \u05d0'], [['<b>a</b> \u05d0']]],
    ['text', ['a', 'b'], 'too_long'],
    ['long_text', ['a\nb'], [['a\nb']]],
    ['one_of', [ANXIETY], [[ANXIETY]]],
    ['one_of', ['Other'], 'not_a_choice'],
    ['one_of', [ANXIETY, 'Sleep'], 'not_a_choice'],
    ['several_of', [ANXIETY, 'Sleep'], [[ANXIETY, 'Sleep']]],
    ['several_of', [ANXIETY, ANXIETY], 'not_a_choice'],
    ['number', ['-1,5'], [['-1,5']]],
    ['number', ['1e9'], 'not_a_number'],
    ['date', ['2027-02-28'], [['2027-02-28']]],
    ['date', ['2027-02-30'], 'not_a_date'],
    ['yes_no', ['No'], [['No']]],
    ['yes_no', ['Maybe'], 'not_a_choice'],
    ['phone', ['+44 20 7946 0000'], [['+44 20 7946 0000']]],
    ['phone', ['1'.repeat(41)], 'too_long'],
    ['consent', ['Yes'], [['Yes']]],
    ['consent', ['No'], 'not_a_choice'],
  ])('to a question of the kind %s: %j is judged as %j', (kind, value, expected) => {
    expect(check(ask('q', kind), value)).toEqual(expected)
  })

  test('may be missing unless it is required, and a missing consent has its own reason', () => {
    expect(check(ask('q', 'text'), [''])).toEqual([])
    expect(check(ask('q', 'text', { is_required: true }), [''])).toBe('missing')
    expect(check(ask('q', 'consent', { is_required: true }), [])).toBe('consent_missing')
    const open = checkAnswers(
      [ask('q', 'text', { is_required: true })],
      {},
      { typeId: null, mayLeaveOpen: true },
    )
    expect(open).toEqual({ ok: true, answers: [] })
  })
})

describe('a hidden question', () => {
  const first = ask('first', 'yes_no')
  const second = ask('second', 'text', {
    is_required: true,
    shown_if: { question_id: 'first', value: 'Yes' },
  })
  const third = ask('third', 'text', { is_required: true, shown_if: { question_id: 'second', value: 'x' } })

  test('is not required, and its answer is dropped, also when it only depends on a hidden one', () => {
    const typed = { first: ['No'], second: ['x'], third: ['y'] }
    expect(checkAnswers([first, second, third], typed, { typeId: null })).toEqual({
      ok: true,
      answers: [{ question: first, value: ['No'] }],
    })
  })

  test('is asked once its condition holds', () => {
    expect(checkAnswers([first, second], { first: ['Yes'] }, { typeId: null })).toEqual({
      ok: false,
      refused: [{ question: second, reason: 'missing' }],
    })
  })

  test('is also one of another type, and answers to unknown questions are dropped', () => {
    const other = ask('other', 'text', { is_required: true, appointment_type_id: 'type' })
    const typed = { other: ['x'], unknown: ['y'] }
    expect(checkAnswers([other], typed, { typeId: null })).toEqual({ ok: true, answers: [] })
    expect(checkAnswers([other], {}, { typeId: 'type' })).toMatchObject({ ok: false })
  })
})

test.each<[QuestionKind, string, boolean]>([
  ['one_of', ANXIETY, false],
  ['several_of', 'Sleep', false],
  ['one_of', 'Renamed', true],
  ['yes_no', 'No', false],
  ['consent', 'Yes', false],
  ['consent', 'No', true],
  ['text', 'Yes', true],
])('a condition on a question of the kind %s with the answer %s is lost: %s', (kind, value, isLost) => {
  const earlier = ask('earlier', kind)
  const question = ask('question', 'text', { shown_if: { question_id: 'earlier', value } })
  expect(findLostCondition([earlier, question])).toEqual(isLost ? { earlier, question, value } : null)
})
