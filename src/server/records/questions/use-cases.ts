import { randomUUID } from 'node:crypto'
import type { z } from 'zod'
import type {
  AppointmentAnswers,
  answersInput,
  Question,
  questionsBody,
  questionsResponse,
} from '#contract/appointments/questions.ts'
import { type AnswerRefusal, checkAnswers } from '#core/appointments/check-answers.ts'
import { findLostCondition, hasChoices } from '#core/appointments/questions.ts'
import { wrapInBidiIsolates } from '#core/shared/text.ts'
import type { OwnerId } from '#server/platform/auth/owner-id.ts'
import type { Db } from '#server/platform/db/database.ts'
import { inTransaction, type Trx } from '#server/platform/db/transaction.ts'
import { ProblemError } from '#server/platform/http/problem-error.ts'
import { refuseStaleChange } from '#server/platform/http/refuse-stale-change.ts'
import type { SecretBox } from '#server/platform/secrets/secret-box.ts'
import { type CalendarsDeps, getOwnCalendar, lockOwnCalendar } from '#server/records/calendars/use-cases.ts'
import {
  areTypesOfCalendar,
  type ListedAppointments,
  listAnswers,
  listQuestions,
  replaceQuestions,
  type StoredAnswer,
} from './repository.ts'

export type QuestionsDeps = Pick<CalendarsDeps, 'db' | 'now'>

/**
 * Returns the questions of one of the owner's calendars.
 * @throws ProblemError `calendar.not_found`, `calendar.forbidden`
 */
export async function getQuestions(
  deps: QuestionsDeps,
  ownerId: OwnerId,
  calendarId: string,
): Promise<z.infer<typeof questionsResponse>> {
  await getOwnCalendar(deps, ownerId, calendarId)
  return { questions: await listQuestions(deps.db, calendarId) }
}

/**
 * Replaces the questions of a calendar. Answers keep the wording that was asked. Source: rule B33.
 * @throws ProblemError `calendar.*`, `request.changed_meanwhile`, `appointment_type.not_found`, `question.condition_lost`
 */
export async function changeQuestions(
  deps: QuestionsDeps,
  ownerId: OwnerId,
  calendarId: string,
  { questions, was }: z.output<typeof questionsBody>,
): Promise<z.infer<typeof questionsResponse>> {
  refuseLostCondition(questions)
  return inTransaction(deps.db, async (trx) => {
    // Bookings lock the calendar too, so each is checked against the questions either before or after this change.
    await lockOwnCalendar(trx, ownerId, calendarId)
    refuseStaleChange({ questions: await listQuestions(trx, calendarId) }, { questions: was })
    const typeIds = questions.flatMap(({ appointment_type_id: id }) => (id === null ? [] : [id]))
    if (!(await areTypesOfCalendar(trx, calendarId, typeIds))) {
      throw new ProblemError('appointment_type.not_found')
    }
    await replaceQuestions(trx, calendarId, questions)
    return { questions: await listQuestions(trx, calendarId) }
  })
}

/**
 * Refuses to change or remove an answer on which another question depends, and names that question. Source: rule B37.
 * @throws ProblemError `question.condition_lost`
 */
function refuseLostCondition(questions: readonly Question[]): void {
  const lost = findLostCondition(questions)
  if (lost === null) return
  const { question, value, earlier } = lost
  const field = hasChoices(earlier.kind) ? 'choices' : 'kind'
  throw new ProblemError('question.condition_lost', [
    {
      path: `questions.${questions.indexOf(earlier)}.${field}`,
      message: `“${wrapInBidiIsolates(question.label)}” is only asked after “${wrapInBidiIsolates(value)}”. Change that question first.`,
    },
  ])
}

const REFUSALS: Readonly<Record<AnswerRefusal, string>> = {
  missing: 'Please answer this question.',
  consent_missing: 'Please agree to this to book.',
  not_a_choice: 'Please choose one of the answers that are offered.',
  not_a_number: 'Please enter a number.',
  not_a_date: 'Please choose a date.',
  too_long: 'This answer is too long.',
}

/**
 * Checks the answers of a booking against the questions of a locked calendar, and encrypts those to private questions.
 * Source: rules B34 to B36.
 * @throws ProblemError `answer.refused` with a sentence for each refused answer
 */
export async function acceptAnswers(
  deps: { readonly secrets: Pick<SecretBox, 'seal'> },
  trx: Trx,
  given: GivenAnswers,
): Promise<StoredAnswer[]> {
  return (await checkGivenAnswers(deps, trx, given))()
}

type GivenAnswers = {
  readonly calendarId: string
  readonly typeId: string | null
  readonly answers: z.output<typeof answersInput>
  readonly mayLeaveOpen?: boolean
}

/**
 * Checks answers once for several appointments. Returns a function that makes the answers of each appointment.
 * @throws ProblemError `answer.refused`
 */
export async function checkGivenAnswers(
  { secrets }: { readonly secrets: Pick<SecretBox, 'seal'> },
  trx: Trx,
  { calendarId, answers, ...asked }: GivenAnswers,
): Promise<() => StoredAnswer[]> {
  const typed = Object.fromEntries(answers.map(({ question_id, value }) => [question_id, value]))
  const checked = checkAnswers(await listQuestions(trx, calendarId), typed, asked)
  if (!checked.ok) {
    throw new ProblemError(
      'answer.refused',
      checked.refused.map(({ question, reason }) => ({
        path: `answers.${question.id}`,
        message: REFUSALS[reason],
      })),
    )
  }
  const accepted = checked.answers
  return () =>
    accepted.map(({ question, value }, place) => toStoredAnswer(secrets, { question, value, place }))
}

function toStoredAnswer(
  secrets: Pick<SecretBox, 'seal'>,
  { question, value, place }: { question: Question; value: readonly string[]; place: number },
): StoredAnswer {
  const id = randomUUID()
  const { id: question_id, label, kind, is_private: isPrivate } = question
  return {
    id,
    question_id,
    place,
    label,
    kind,
    value: isPrivate ? null : value,
    value_encrypted: isPrivate ? secrets.seal(JSON.stringify(value), toAnswerPurpose(id)) : null,
  }
}

/** Returns the encryption purpose of a private answer. */
export function toAnswerPurpose(id: string): string {
  return `answer ${id}`
}

/** An answer in clear, as only its owner may read it. */
export type OwnAnswer = AppointmentAnswers['answers'][number]

/** Loads the answers of appointments, grouped by appointment. The caller has checked that they belong to the owner. */
export async function listAnswersOfAppointments(
  { db, secrets }: { readonly db: Db; readonly secrets: Pick<SecretBox, 'open'> },
  appointments: ListedAppointments,
): Promise<ReadonlyMap<string, readonly OwnAnswer[]>> {
  return groupAnswers(await listAnswers(db, appointments), (stored) => openAnswer(secrets, stored))
}

/** Loads the answers of appointments for their customer. The value of a private answer is null. Source: rule B36. */
export async function listAnswersForCustomer(
  db: Db,
  appointments: ListedAppointments,
): Promise<ReadonlyMap<string, readonly (Omit<OwnAnswer, 'value'> & { readonly value: string[] | null })[]>> {
  return groupAnswers(await listAnswers(db, appointments), ({ value }) => value && [...value])
}

type AnswerOfAppointment = Awaited<ReturnType<typeof listAnswers>>[number]

function groupAnswers<Value>(
  answers: readonly AnswerOfAppointment[],
  toValue: (stored: AnswerOfAppointment) => Value,
) {
  const groups = Map.groupBy(answers, ({ appointment_id }) => appointment_id)
  const toOwn = (stored: AnswerOfAppointment) => ({
    question_id: stored.question_id,
    label: stored.label,
    kind: stored.kind,
    is_private: stored.value_encrypted !== null,
    value: toValue(stored),
  })
  return new Map([...groups].map(([id, group]) => [id, group.map(toOwn)]))
}

/** Returns the value of an answer. @throws Error when a private answer was encrypted with another key */
function openAnswer(
  secrets: Pick<SecretBox, 'open'>,
  { id, value, value_encrypted: sealed }: Pick<StoredAnswer, 'id' | 'value' | 'value_encrypted'>,
): string[] {
  if (sealed === null) return [...(value ?? [])]
  return JSON.parse(secrets.open(sealed, toAnswerPurpose(id)))
}
