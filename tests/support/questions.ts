import { randomUUID } from 'node:crypto'
import type { Question } from '#contract/appointments/questions.ts'

/** Makes an optional question for all types of a calendar. */
export function makeQuestion(label: string, more: Partial<Question> = {}): Question {
  return {
    id: randomUUID(),
    appointment_type_id: null,
    kind: 'text',
    label,
    help: null,
    is_required: false,
    is_private: false,
    choices: [],
    shown_if: null,
    ...more,
  }
}
