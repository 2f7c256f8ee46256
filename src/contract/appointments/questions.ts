import { z } from 'zod'
import { componentSchema } from '#contract/shared/component.ts'
import { LIMITS } from '#contract/shared/limits.ts'
import { idSchema, multilineTextSchema, orNull, singleLineSchema } from '#contract/shared/primitives.ts'
import { hasChoices, QUESTION_KINDS } from '#core/appointments/questions.ts'
import { hasLink } from '#core/messages/typed-links.ts'

const isPlain = (text: string | null) => text === null || !hasLink(text)

const kindSchema = z.enum(QUESTION_KINDS).meta({ id: 'QuestionKind' })

/** A question as its owner writes it. */
const newQuestionSchema = componentSchema('NewQuestion', {
  /** Chosen by the client, so that the same list can be sent again. */
  id: idSchema,
  /** The type whose bookings ask the question; null for all bookings. */
  appointment_type_id: idSchema.nullable(),
  kind: kindSchema,
  label: singleLineSchema(LIMITS.question, 'question.label_required')
    .min(1, 'question.label_required')
    .refine(isPlain, 'question.has_link'),
  help: orNull(singleLineSchema(LIMITS.question)).refine(isPlain, 'question.has_link'),
  is_required: z.boolean(),
  /** True when only the owner's screens and export show the answer, which is stored encrypted. Source: rule B36. */
  is_private: z.boolean(),
  /** For `one_of` and `several_of`; otherwise empty. */
  choices: z
    .array(
      singleLineSchema(LIMITS.question)
        .min(1, 'question.choices_required')
        .refine(isPlain, 'question.has_link'),
    )
    .max(LIMITS.questionChoices),
  /** The question is asked only if an earlier question has this answer. */
  shown_if: z.object({ question_id: idSchema, value: singleLineSchema(LIMITS.question) }).nullable(),
})

/** A question that customers answer when they book. Source: rule B33. */
export const questionSchema = componentSchema('Question', {
  id: idSchema,
  appointment_type_id: idSchema.nullable(),
  kind: kindSchema,
  label: z.string(),
  help: z.string().nullable(),
  is_required: z.boolean(),
  is_private: z.boolean(),
  choices: z.array(z.string()),
  shown_if: z.object({ question_id: idSchema, value: z.string() }).nullable(),
})
export type Question = z.infer<typeof questionSchema>

/** The questions of a calendar, in their order. */
export const questionsResponse = componentSchema('Questions', { questions: z.array(questionSchema) })

const listSchema = z.array(newQuestionSchema).max(LIMITS.questions, 'question.too_many')

/** All questions of a calendar in their new order; others are removed. `was` is the list that the form showed. Source: rule X4. */
export const questionsBody = z
  .object({ questions: listSchema.superRefine(refine), was: listSchema.optional() })
  .meta({ id: 'QuestionsChange' })

function refine(questions: readonly Question[], context: z.RefinementCtx): void {
  questions.forEach(({ id, kind, choices, shown_if }, index) => {
    const refuse = (field: string, message: string) =>
      context.addIssue({ code: 'custom', path: [index, field], message })
    const earlier = questions.slice(0, index)
    if (hasChoices(kind) && (choices.length < 2 || new Set(choices).size < choices.length)) {
      refuse('choices', 'question.choices_required')
    }
    if (earlier.some((other) => other.id === id)) refuse('id', 'Each question needs its own id.')
    if (shown_if !== null && !earlier.some((other) => other.id === shown_if.question_id)) {
      refuse('shown_if', 'question.condition_unknown')
    }
  })
}

/** The answers of a booking. The server checks them against the questions at that moment. Source: rule B34. */
export const answersInput = z
  .array(
    componentSchema('Answer', {
      question_id: idSchema,
      value: z.array(multilineTextSchema(LIMITS.answer)).max(LIMITS.questionChoices),
    }),
  )
  .max(2 * LIMITS.questions)

/** The answers of an appointment, for its owner. `label` is the wording that was asked. */
export const appointmentAnswersResponse = componentSchema('AppointmentAnswers', {
  answers: z.array(
    z.object({
      question_id: idSchema,
      label: z.string(),
      kind: kindSchema,
      is_private: z.boolean(),
      value: z.array(z.string()),
    }),
  ),
})
export type AppointmentAnswers = z.infer<typeof appointmentAnswersResponse>
