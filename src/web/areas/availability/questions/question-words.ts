import type { QuestionKind } from '#core/appointments/questions.ts'

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
