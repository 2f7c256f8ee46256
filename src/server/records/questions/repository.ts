import { sql } from 'kysely'
import type { Question } from '#contract/appointments/questions.ts'
import type { QuestionKind } from '#core/appointments/questions.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Trx } from '#server/platform/db/transaction.ts'
import type { CustomerKey } from '#server/records/appointments/customer-record-repository.ts'
import type { AppointmentKey } from '#server/records/appointments/state-repository.ts'

/** Lists the questions that a calendar asks, in their order. */
export async function listQuestions(db: Db, calendarId: string): Promise<Question[]> {
  return questionsOf(db, calendarId).execute()
}

/**
 * Lists the questions that customers can be asked, in their order. Leaves out those of types by link only, except the type of
 * the link that they opened. Source: rule T65.
 */
export async function listPublicQuestions(
  db: Db,
  calendarId: string,
  linkedTypeId: string | null,
): Promise<Question[]> {
  return questionsOf(db, calendarId)
    .leftJoin('appointment_types as type', (join) =>
      join
        .onRef('type.calendar_id', '=', 'questions.calendar_id')
        .onRef('type.id', '=', 'appointment_type_id'),
    )
    .where(sql<boolean>`(type.id is null or type.is_listed or type.id::text = ${linkedTypeId})`)
    .execute()
}

function questionsOf(db: Db, calendarId: string) {
  return db
    .selectFrom('questions')
    .select([
      'questions.id',
      'appointment_type_id',
      'kind',
      'label',
      'help',
      'is_required',
      'is_private',
      'choices',
      'shown_if',
    ])
    .where('questions.calendar_id', '=', calendarId)
    .orderBy('place')
    .orderBy('questions.id')
}

/** Replaces the questions of a locked calendar. */
export async function replaceQuestions(
  trx: Trx,
  calendarId: string,
  questions: readonly Question[],
): Promise<void> {
  await trx.deleteFrom('questions').where('calendar_id', '=', calendarId).execute()
  if (questions.length === 0) return
  await trx
    .insertInto('questions')
    .values(
      questions.map((question, place) => ({
        ...question,
        calendar_id: calendarId,
        place,
        choices: JSON.stringify(question.choices),
        shown_if: question.shown_if === null ? null : JSON.stringify(question.shown_if),
      })),
    )
    .execute()
}

/** True when all of these appointment types belong to the calendar. */
export async function areTypesOfCalendar(
  db: Db,
  calendarId: string,
  typeIds: readonly string[],
): Promise<boolean> {
  const { count } = await db
    .selectFrom('appointment_types')
    .select(sql<number>`count(*)::integer`.as('count'))
    .where('calendar_id', '=', calendarId)
    .where('id', '=', sql<string>`any(${typeIds}::uuid[])`)
    .executeTakeFirstOrThrow()
  return count === new Set(typeIds).size
}

/** An answer as it is stored: in clear, or encrypted when its question was private. */
export type StoredAnswer = {
  readonly id: string
  readonly question_id: string
  readonly place: number
  readonly label: string
  readonly kind: QuestionKind
  readonly value: readonly string[] | null
  readonly value_encrypted: Buffer | null
}

export async function insertAnswers(
  trx: Trx,
  { calendarId, id }: AppointmentKey,
  answers: readonly StoredAnswer[],
): Promise<void> {
  await trx
    .insertInto('answers')
    .values(
      answers.map((answer) => ({
        ...answer,
        calendar_id: calendarId,
        appointment_id: id,
        value: answer.value === null ? null : JSON.stringify(answer.value),
      })),
    )
    .execute()
}

/** Appointments of the owner's calendars. */
export type ListedAppointments = { readonly calendarIds: readonly string[]; readonly ids: readonly string[] }

/** Lists the answers of appointments, in the order of the questions. */
export async function listAnswers(
  db: Db,
  { calendarIds, ids }: ListedAppointments,
): Promise<(StoredAnswer & { readonly appointment_id: string })[]> {
  return db
    .selectFrom('answers')
    .select(['appointment_id', 'id', 'question_id', 'place', 'label', 'kind', 'value', 'value_encrypted'])
    .where('calendar_id', '=', sql<string>`any(${calendarIds}::uuid[])`)
    .where('appointment_id', '=', sql<string>`any(${ids}::uuid[])`)
    .orderBy('place')
    .execute()
}

/** Deletes the answers of all appointments of a customer. Source: rule R11. */
export async function deleteAnswersOfCustomer(
  trx: Trx,
  { calendarId, customerId }: CustomerKey,
): Promise<void> {
  await trx
    .deleteFrom('answers')
    .where('calendar_id', '=', calendarId)
    .where('appointment_id', 'in', (eb) =>
      eb
        .selectFrom('appointments')
        .select('id')
        .where('calendar_id', '=', calendarId)
        .where('customer_id', '=', customerId),
    )
    .execute()
}
