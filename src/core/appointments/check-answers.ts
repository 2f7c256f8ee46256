import { isDate } from '#core/shared/calendar-date.ts'
import {
  ANSWER_LIMITS,
  type AskedQuestion,
  listShownQuestions,
  NO,
  type QuestionKind,
  type TypedAnswers,
  YES,
} from './questions.ts'

/** Why an answer is refused; each reason has one sentence. */
export type AnswerRefusal =
  | 'missing'
  | 'consent_missing'
  | 'not_a_choice'
  | 'not_a_number'
  | 'not_a_date'
  | 'too_long'

type CheckedAnswers<Question> =
  | { readonly ok: true; readonly answers: readonly { question: Question; value: readonly string[] }[] }
  | { readonly ok: false; readonly refused: readonly { question: Question; reason: AnswerRefusal }[] }

/**
 * Decides about the answers to a calendar's questions, in the order of the questions. Drops answers to questions that are
 * unknown, hidden, or of another type. With `mayLeaveOpen`, required answers may be missing. Source: rules B33 to B35.
 */
export function checkAnswers<Question extends AskedQuestion>(
  questions: readonly Question[],
  typed: TypedAnswers,
  { typeId, mayLeaveOpen = false }: { readonly typeId: string | null; readonly mayLeaveOpen?: boolean },
): CheckedAnswers<Question> {
  const given = listShownQuestions(questions, typeId, typed).map((question) => {
    const value = (typed[question.id] ?? []).filter((text) => text !== '')
    return { question, value, reason: findRefusal(question, value, mayLeaveOpen) }
  })
  const refused = given.flatMap(({ question, reason }) => (reason === null ? [] : [{ question, reason }]))
  if (refused.length > 0) return { ok: false, refused }
  const answers = given.filter(({ value }) => value.length > 0)
  return { ok: true, answers: answers.map(({ question, value }) => ({ question, value })) }
}

function findRefusal(
  question: AskedQuestion,
  value: readonly string[],
  mayLeaveOpen: boolean,
): AnswerRefusal | null {
  const { kind, is_required: isRequired } = question
  if (value.length > 0) return FIND_REFUSAL[kind](value, question)
  if (mayLeaveOpen || !isRequired) return null
  return kind === 'consent' ? 'consent_missing' : 'missing'
}

type FindRefusal = (value: readonly string[], question: AskedQuestion) => AnswerRefusal | null

/** Refuses several answers, and an answer that does not fit. */
function one(fits: (text: string, question: AskedQuestion) => boolean, reason: AnswerRefusal): FindRefusal {
  return (value, question) =>
    value.length === 1 && value.every((text) => fits(text, question)) ? null : reason
}

const FIND_REFUSAL: Readonly<Record<QuestionKind, FindRefusal>> = {
  text: one((text) => text.length <= ANSWER_LIMITS.text, 'too_long'),
  long_text: one((text) => text.length <= ANSWER_LIMITS.text, 'too_long'),
  phone: one((text) => text.length <= ANSWER_LIMITS.phone, 'too_long'),
  number: one((text) => /^[-+]?\d{1,15}([.,]\d{1,10})?$/.test(text), 'not_a_number'),
  date: one(isDate, 'not_a_date'),
  one_of: one((text, { choices }) => choices.includes(text), 'not_a_choice'),
  yes_no: one((text) => text === YES || text === NO, 'not_a_choice'),
  consent: one((text) => text === YES, 'not_a_choice'),
  several_of: (value, { choices }) =>
    value.every((text, index) => choices.includes(text) && value.indexOf(text) === index)
      ? null
      : 'not_a_choice',
}
