/** The kinds of questions that an owner can ask. Source: rule B33. */
export const QUESTION_KINDS = [
  'text',
  'long_text',
  'one_of',
  'several_of',
  'number',
  'date',
  'yes_no',
  'phone',
  'consent',
] as const
export type QuestionKind = (typeof QUESTION_KINDS)[number]

/** True for the kinds whose answers the owner writes. */
export function hasChoices(kind: QuestionKind): boolean {
  return kind === 'one_of' || kind === 'several_of'
}

/** Maximum length of an answer, and of an answer to a question for a phone number. */
export const ANSWER_LIMITS = { text: 2_000, phone: 40 } as const

/** A question is asked only if an earlier one has this answer. */
export type QuestionCondition = { readonly question_id: string; readonly value: string }

export type AskedQuestion = {
  readonly id: string
  /** The type whose bookings ask the question; null for all bookings. */
  readonly appointment_type_id: string | null
  readonly kind: QuestionKind
  readonly is_required: boolean
  readonly choices: readonly string[]
  readonly shown_if: QuestionCondition | null
}

/** The texts of each answer, by question id: the chosen ones for `several_of`, otherwise at most one. */
export type TypedAnswers = Readonly<Record<string, readonly string[]>>

/** The answer to a yes/no question, and to a consent. */
export const YES = 'Yes'
export const NO = 'No'

/**
 * Lists the questions that a booking of this type asks, given the answers so far. A question without the condition's answer
 * is hidden, and so are questions that depend on it. Source: rule B34.
 */
export function listShownQuestions<Question extends AskedQuestion>(
  questions: readonly Question[],
  typeId: string | null,
  answers: TypedAnswers,
): Question[] {
  const shown: Question[] = []
  for (const question of questions) {
    const { appointment_type_id: ofType, shown_if: condition } = question
    const isOfType = ofType === null || ofType === typeId
    const isMet =
      condition === null ||
      (shown.some(({ id }) => id === condition.question_id) &&
        (answers[condition.question_id] ?? []).includes(condition.value))
    if (isOfType && isMet) shown.push(question)
  }
  return shown
}

/** Lists the answers on which another question can depend; empty for free text. */
export function listPossibleAnswers({
  kind,
  choices,
}: Pick<AskedQuestion, 'kind' | 'choices'>): readonly string[] {
  if (hasChoices(kind)) return choices
  if (kind === 'yes_no') return [YES, NO]
  return kind === 'consent' ? [YES] : []
}

/** Finds a question whose condition can never hold, because the earlier question no longer has that answer. */
export function findLostCondition<Question extends AskedQuestion>(
  questions: readonly Question[],
): { readonly question: Question; readonly value: string; readonly earlier: Question } | null {
  for (const question of questions) {
    const { shown_if: condition } = question
    const earlier = questions.find(({ id }) => id === condition?.question_id)
    if (condition === null || earlier === undefined) continue
    const { value } = condition
    if (!listPossibleAnswers(earlier).includes(value)) return { question, value, earlier }
  }
  return null
}
