import type { Question } from '#contract/appointments/questions.ts'
import { hasChoices, NO, type QuestionKind, YES } from '#core/appointments/questions.ts'

export const QUESTION_KIND_LABELS: Readonly<Record<QuestionKind, string>> = {
  text: 'Short text',
  long_text: 'Long text',
  one_of: 'One choice',
  several_of: 'Several choices',
  number: 'Number',
  date: 'Date',
  yes_no: 'Yes or no',
  phone: 'Phone number',
  consent: 'Agreement',
}

/** Lists the answers on which another question can depend; empty for free text. */
export function listPossibleAnswers({
  kind,
  choices,
}: Pick<Question, 'kind' | 'choices'>): readonly string[] {
  if (hasChoices(kind)) return choices
  if (kind === 'yes_no') return [YES, NO]
  return kind === 'consent' ? [YES] : []
}
