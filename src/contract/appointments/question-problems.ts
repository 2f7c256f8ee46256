/** Refusals about questions and their answers (rules B33 to B36). */
export const QUESTION_PROBLEMS = {
  'question.label_required': { status: 400, title: 'Please write the question.' },
  'question.has_link': { status: 400, title: 'Questions can’t contain links or email addresses.' },
  'question.choices_required': { status: 400, title: 'Please write at least two different choices.' },
  'question.too_many': { status: 400, title: 'A calendar can have at most 20 questions.' },
  'question.condition_unknown': {
    status: 400,
    title: 'A question can only depend on an answer to an earlier question.',
  },
  'question.condition_lost': {
    status: 400,
    title: 'Another question depends on an answer that you changed or removed.',
  },
  'answer.refused': { status: 400, title: 'Please check your answers to the questions.' },
} as const satisfies Record<string, { status: number; title: string }>
