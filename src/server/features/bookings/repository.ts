import { type CompiledQuery, type Insertable, sql } from 'kysely'
import type { SchedulingCalendar } from '#server/features/slots/use-cases.ts'
import type { Db } from '#server/platform/db/database.ts'
import { isFutureAppointment } from '#server/platform/db/future-appointment.ts'
import {
  listRows,
  prepareQuery,
  prepareStatement,
  type Query,
} from '#server/platform/db/prepared-statement.ts'
import type { AppointmentStatus, PaymentStatus, Schema } from '#server/platform/db/schema.ts'
import { listRowsTogether, type Trx } from '#server/platform/db/transaction.ts'

/** The calendar as a booking needs it. */
export type BookableCalendar = SchedulingCalendar & {
  readonly name: string
  readonly titleTemplate: string | null
  readonly professionalFirstName: string | null
  readonly professionalLastName: string | null
  readonly paymentRequired: boolean
  readonly emailConfirmationRequired: boolean
}

/** How a calendar is asked for: by its public link or its id. */
export type CalendarName = { readonly slug: string } | { readonly id: string }

/**
 * Locks the calendar's row and reads it: from here to the commit no other transaction takes time on this
 * calendar. Null when there is none.
 */
export async function lockBookableCalendar(trx: Trx, id: string): Promise<BookableCalendar | null> {
  const [row] = await listRows(trx, lockById(trx, { id }))
  return row === undefined ? null : toBookableCalendar(row)
}

/**
 * Locks the calendar's row, always as the first lock of a booking; then locks and reads what is booked there (see
 * `lockingChoice`). Other questions about the calendar are sent with it, and answered under its lock.
 */
export async function lockCalendarAndChoice<Row>(
  trx: Trx,
  named: CalendarName,
  typeId: string | null,
  questions: readonly Query<Row>[],
): Promise<{ calendar: BookableCalendar; choice: Choice; answers: Row[][] } | null> {
  const [[row], [chosen], ...answers] = await listRowsTogether(trx, [
    lockCalendar(trx, named),
    lockChoice(named, [typeId]),
    ...questions,
  ])
  if (row === undefined || chosen === undefined) return null
  return { calendar: toBookableCalendar(row), choice: toChoice(chosen, typeId), answers }
}

function toBookableCalendar(row: CalendarRow): BookableCalendar {
  return {
    id: row.id,
    name: row.name,
    timeZone: row.timezone,
    rules: {
      slotMinutes: row.slot_duration_minutes,
      bufferMinutes: row.buffer_time_minutes,
      maxDurationMinutes: row.max_appointment_duration_minutes,
    },
    titleTemplate: row.default_appointment_title,
    professionalFirstName: row.professional_first_name,
    professionalLastName: row.professional_last_name,
    paymentRequired: row.payment_required,
    emailConfirmationRequired: row.email_confirmation_required,
  }
}

const lockBySlug = prepareQuery((db, { slug }: { slug: string }) =>
  lockCalendars(db).where('slug', '=', slug),
)
const lockById = prepareQuery((db, { id }: { id: string }) => lockCalendars(db).where('id', '=', id))

function lockCalendar(trx: Trx, named: CalendarName) {
  return 'slug' in named ? lockBySlug(trx, named) : lockById(trx, named)
}

type CalendarRow = Awaited<ReturnType<ReturnType<typeof lockCalendars>['executeTakeFirstOrThrow']>>

function lockCalendars(db: Db) {
  return db
    .selectFrom('calendars')
    .select([
      'id',
      'name',
      'timezone',
      'slot_duration_minutes',
      'buffer_time_minutes',
      'max_appointment_duration_minutes',
      'default_appointment_title',
      'professional_first_name',
      'professional_last_name',
      'payment_required',
      'email_confirmation_required',
    ])
    .forNoKeyUpdate()
}

/** Takes the location for this transaction. Always after the calendar's lock, so that nobody waits in a circle. */
export async function lockLocation(trx: Trx, locationId: string): Promise<void> {
  await listRows(trx, lockLocationWithCalendars([locationId]))
}

const lockLocationWithCalendars = prepareStatement('lock-place', `select ${lockingPlace('$1')}`)

function lockingPlace(id: string): string {
  return `pg_advisory_xact_lock(hashtextextended(${id}, 0))`
}

export type BookedType = {
  readonly id: string
  readonly name: string
  readonly durationMinutes: number
  readonly priceCents: number | null
  readonly isOnline: boolean
  readonly paymentRequired: boolean
}

export type BookedLocation = {
  readonly id: string
  readonly name: string
  readonly address: string | null
  /** Physical, and for one appointment at a time. Source: rule T15. */
  readonly isExclusive: boolean
}

/** What is booked, with what else a booking would have to ask about its calendar. */
export type Choice = {
  readonly type: BookedType | null
  readonly location: BookedLocation | null
  readonly hasTypes: boolean
  readonly providerConnected: boolean
  /** The latest `BK-` and `C` numbers given out, in milliseconds since the epoch; 0 when none. Source: rule B14. */
  readonly lastReferenceMs: number
  readonly lastClientIdMs: number
}

function toChoice(row: ChoiceRow, typeId: string | null): Choice {
  return {
    type:
      row.type_name === null || typeId === null
        ? null
        : {
            id: typeId,
            name: row.type_name,
            durationMinutes: row.duration,
            priceCents: row.price_cents,
            isOnline: row.is_online,
            paymentRequired: row.payment_required,
          },
    location:
      row.place_id === null
        ? null
        : {
            id: row.place_id,
            name: row.place_name,
            address: row.address,
            isExclusive: row.locked_place_id !== null,
          },
    hasTypes: row.has_types,
    providerConnected: row.provider_connected,
    lastReferenceMs: Number(row.last_reference?.slice('BK-'.length) ?? 0),
    lastClientIdMs: Number(row.last_client_id?.slice('C'.length) ?? 0),
  }
}

type ChoiceRow = {
  /** Null when there is no such type; then what follows is null as well. */
  readonly type_name: string | null
  readonly duration: number
  readonly price_cents: number | null
  readonly is_online: boolean
  readonly payment_required: boolean
  /** Null when it takes place nowhere; then what follows is null as well. */
  readonly place_id: string | null
  readonly place_name: string
  readonly address: string | null
  readonly locked_place_id: string | null
  readonly has_types: boolean
  readonly provider_connected: boolean
  readonly last_reference: string | null
  readonly last_client_id: string | null
}

/**
 * Locks what is booked, and nothing of it can be changed or deleted before the transaction has ended: the type, the
 * location as it will be shown (the type's, else the calendar's primary one; an online type has none), and the
 * location's time when only one appointment may have it. Always after the calendar's lock, in a statement of its own:
 * its snapshot is taken after that lock was won, so it sees what the others committed. Here in one question, but in
 * this order: what locks is never merged into what reads it, so that each waits for the one that it reads from.
 * `calendarId` is SQL. Source: rule T14.
 */
function lockingChoice(calendarId: string): string {
  return `
  with calendar as (
    select ${calendarId} as id
  ), booked_type as (
    select name, duration, price_cents, is_online, location_id, payment_required from appointment_types
    where calendar_id = (select id from calendar) and id = $2::uuid for share
  ), place as (
    select id, name, address, type = 'physical' and exclusive as is_exclusive from locations
    where id = coalesce((select location_id from booked_type), (
        select location_id from calendar_locations where calendar_id = (select id from calendar) and is_primary
      ))
      and not exists (select from booked_type where is_online)
    for share
  ), locked as (
    select id, ${lockingPlace('id::text')} from place where is_exclusive
  )
  select booked_type.name as type_name, duration, price_cents, is_online, payment_required, place.id as place_id,
    place.name as place_name, address, locked.id as locked_place_id,
    exists (select from appointment_types where calendar_id = calendar.id) as has_types,
    exists (
      select from payment_settings where calendar_id = calendar.id and (stripe_connected or paypal_connected)
    ) as provider_connected,
    (select max(booking_reference) from appointments where calendar_id = calendar.id) as last_reference,
    (select max(client_id) from customers where calendar_id = calendar.id) as last_client_id
  from calendar left join booked_type on true left join place on true left join locked on true`
}

const lockChoice = prepareAboutCalendar<ChoiceRow>('lock-choice', lockingChoice)

/**
 * A prepared statement about a calendar, however it is asked for. `toText` is given SQL for the calendar's id; the other
 * parameters begin at `$2`.
 */
export function prepareAboutCalendar<Row>(name: string, toText: (calendarId: string) => string) {
  const bySlug = prepareStatement<Row>(
    `${name}-by-slug`,
    toText('(select id from calendars where slug = $1)'),
  )
  const byId = prepareStatement<Row>(`${name}-by-id`, toText('$1::uuid'))
  return (named: CalendarName, others: readonly unknown[]) =>
    'slug' in named ? bySlug([named.slug, ...others]) : byId([named.id, ...others])
}

export type NewAppointment = {
  readonly id: string
  readonly calendarId: string
  readonly bookingReference: string
  readonly customer: BookingCustomer
  readonly customerTimeZone: string | null
  readonly startsAtMs: number
  readonly endsAtMs: number
  readonly bufferMinutes: number
  readonly timeZone: string
  readonly title: string
  readonly description: string | null
  readonly type: BookedType | null
  readonly location: BookedLocation | null
  readonly conflictLocationId: string | null
  readonly status: AppointmentStatus
  readonly paymentStatus: PaymentStatus
  readonly holdExpiresAt: Date | null
  readonly awaitsEmailCode: boolean
  readonly bookedBy: 'customer' | 'owner'
  readonly createdAt: Date
}

/**
 * The customer of the appointment. A known customer's record stays as it is: a booking never changes what the owner
 * knows. Source: rule B13.
 */
export type BookingCustomer = {
  /** Of one who was found by other things than the address. */
  readonly knownId: string | null
  /** For a customer who is new. */
  readonly newId: string
  readonly clientId: string
  readonly name: string
  /** Null only when the owner books for somebody who gave none. */
  readonly email: string | null
  readonly phone: string | null
}

/**
 * The query that finds or inserts the customer, inserts the appointment, and reads it with what is around it; the exclusion
 * constraints refuse a time that is taken (SQLSTATE 23P01). Under the calendar's lock nobody else makes the same customer.
 */
export function compileInsertAppointment(
  db: Db,
  appointment: NewAppointment,
): CompiledQuery<AppointmentDetails> {
  const { customer } = appointment
  const startsAt = new Date(appointment.startsAtMs)
  const endsAt = new Date(appointment.endsAtMs)
  const blockedUntil = new Date(appointment.endsAtMs + appointment.bufferMinutes * 60_000)
  return insertRows(db, {
    known_customer_id: customer.knownId,
    new_customer_id: customer.newId,
    client_id: customer.clientId,
    email: customer.email,
    calendar_id: appointment.calendarId,
    id: appointment.id,
    booking_reference: appointment.bookingReference,
    customer_name: customer.name,
    customer_phone: customer.phone,
    customer_time_zone: appointment.customerTimeZone,
    starts_at: startsAt,
    ends_at: endsAt,
    time_zone: appointment.timeZone,
    blocked_until: blockedUntil,
    title: appointment.title,
    description: appointment.description,
    appointment_type_id: appointment.type?.id ?? null,
    appointment_type_name: appointment.type?.name ?? null,
    price_cents: appointment.type?.priceCents ?? null,
    is_online: appointment.type?.isOnline ?? false,
    location_id: appointment.location?.id ?? null,
    location_name: appointment.location?.name ?? null,
    location_address: appointment.location?.address ?? null,
    conflict_location_id: appointment.conflictLocationId,
    status: appointment.status,
    payment_status: appointment.paymentStatus,
    hold_expires_at: appointment.holdExpiresAt,
    awaits_email_code: appointment.awaitsEmailCode,
    booked_by: appointment.bookedBy,
    created_at: appointment.createdAt,
    updated_at: appointment.createdAt,
  })
}

type NewRows = Omit<Insertable<Schema['appointments']>, 'blocked' | 'customer_id'> & {
  readonly blocked_until: Date
  readonly known_customer_id: string | null
  readonly new_customer_id: string
  readonly client_id: string
  readonly email: string | null
}

const insertRows = prepareQuery((db, rows: NewRows) => {
  const { blocked_until, known_customer_id, new_customer_id, client_id, email, ...row } = rows
  const { calendar_id, customer_name, customer_phone } = row
  const blocked = sql<string>`tstzrange(${row.starts_at}, ${blocked_until})`
  const inserted = db
    .with('found', (cte) =>
      cte
        .selectFrom('customers')
        .select(['calendar_id', 'id', 'email'])
        .where('calendar_id', '=', calendar_id)
        .where(
          'id',
          '=',
          sql<string>`coalesce(${known_customer_id}::uuid, (
            select id from customers where calendar_id = ${calendar_id} and lower(btrim(email)) = lower(btrim(${email}))
          ))`,
        ),
    )
    .with('made', (cte) =>
      cte
        .insertInto('customers')
        .columns(['calendar_id', 'id', 'client_id', 'name', 'email', 'phone'])
        .expression(
          cte
            .selectNoFrom([
              sql<string>`${calendar_id}::uuid`.as('calendar_id'),
              sql<string>`${new_customer_id}::uuid`.as('id'),
              sql<string>`${client_id}::text`.as('client_id'),
              sql<string>`${customer_name}::text`.as('name'),
              sql<string | null>`${email}::text`.as('email'),
              sql<string | null>`${customer_phone}::text`.as('phone'),
            ])
            .where(({ not, exists, selectFrom }) => not(exists(selectFrom('found').select('id')))),
        )
        .returning(['calendar_id', 'id', 'email']),
    )
    // From here on it stands for the table: what a statement inserts it does not see there.
    .with('customers', (cte) =>
      cte
        .selectFrom('found')
        .select(['calendar_id', 'id', 'email'])
        .unionAll(cte.selectFrom('made').select(['calendar_id', 'id', 'email'])),
    )
    .with('inserted', (cte) =>
      cte
        .insertInto('appointments')
        .values(({ selectFrom }) => ({
          ...row,
          customer_id: selectFrom('customers').select('id'),
          blocked,
        }))
        .returningAll(),
    )
    .selectFrom('inserted as appointments')
  // They have the columns of the tables by the tables' names.
  return withSurroundings(inserted as unknown as Appointments)
})

export type LockedAppointment = {
  readonly calendarId: string
  readonly status: AppointmentStatus
  readonly bookingReference: string
  readonly startsAtMs: number
  readonly sequence: number
}

/** Locks one appointment by its id. Null when it does not exist or was a hold that has ended. */
export async function lockAppointment(trx: Trx, id: string): Promise<LockedAppointment | null> {
  const row = await trx
    .selectFrom('appointments')
    .select(['calendar_id', 'status', 'booking_reference', 'starts_at', 'sequence'])
    .where('id', '=', id)
    .where('released_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  if (row === undefined) return null
  return {
    calendarId: row.calendar_id,
    status: row.status,
    bookingReference: row.booking_reference,
    startsAtMs: row.starts_at.getTime(),
    sequence: row.sequence,
  }
}

export async function updateStatus(
  trx: Trx,
  key: { calendarId: string; id: string },
  change: { status: AppointmentStatus; updatedAt: Date },
): Promise<void> {
  await trx
    .updateTable('appointments')
    .set({ status: change.status, updated_at: change.updatedAt })
    .where('calendar_id', '=', key.calendarId)
    .where('id', '=', key.id)
    .execute()
}

export type AppointmentDetails = NonNullable<Awaited<ReturnType<typeof findAppointmentDetails>>>

/** One appointment with its calendar, owner and customer: for the public page and for mails. */
export async function findAppointmentDetails(db: Db, id: string) {
  const [row] = await listRows(db, selectDetails(db, { id }))
  return row ?? null
}

const selectDetails = prepareQuery((db, { id }: { id: string }) =>
  appointmentDetails(db).where('appointments.id', '=', id).where('appointments.released_at', 'is', null),
)

/** One appointment, also a hold that has ended: for a customer who paid too late. */
export async function findDetailsOfAny(db: Db, id: string): Promise<AppointmentDetails | null> {
  return (await appointmentDetails(db).where('appointments.id', '=', id).executeTakeFirst()) ?? null
}

/** The future appointments of a calendar that follow `after`, the nearest first, at most `limit`. */
export async function listFutureAppointmentDetails(
  db: Db,
  calendarId: string,
  query: { now: Date; after: { id: string; starts_at: Date } | undefined; limit: number },
) {
  const { now, after, limit } = query
  const future = appointmentDetails(db)
    .where('appointments.calendar_id', '=', calendarId)
    .where(isFutureAppointment(now))
  const following =
    after === undefined
      ? future
      : future.where((eb) =>
          eb(
            eb.refTuple('appointments.starts_at', 'appointments.id'),
            '>',
            eb.tuple(after.starts_at, after.id),
          ),
        )
  return following.orderBy('appointments.starts_at').orderBy('appointments.id').limit(limit).execute()
}

type Appointments = ReturnType<typeof selectAppointments>

function selectAppointments(db: Db) {
  return db.selectFrom('appointments')
}

function appointmentDetails(db: Db) {
  return withSurroundings(selectAppointments(db))
}

function withSurroundings(appointments: Appointments) {
  return appointments
    .innerJoin('calendars', 'calendars.id', 'appointments.calendar_id')
    .innerJoin('profiles', 'profiles.id', 'calendars.user_id')
    .innerJoin('customers', (join) =>
      join
        .onRef('customers.calendar_id', '=', 'appointments.calendar_id')
        .onRef('customers.id', '=', 'appointments.customer_id'),
    )
    .leftJoin('public_calendars', 'public_calendars.calendar_id', 'calendars.id')
    .select([
      'appointments.id',
      'appointments.calendar_id',
      'appointments.booking_reference',
      'appointments.status',
      'appointments.payment_status',
      'appointments.paid_in_sandbox',
      'appointments.starts_at',
      'appointments.ends_at',
      'appointments.time_zone',
      'appointments.customer_time_zone',
      'appointments.customer_name',
      'appointments.customer_phone',
      'appointments.appointment_type_id',
      'appointments.hold_expires_at',
      'appointments.awaits_email_code',
      'appointments.released_at',
      'appointments.title',
      'appointments.description',
      'appointments.appointment_type_name',
      'appointments.price_cents',
      'appointments.currency',
      'appointments.is_online',
      'appointments.location_name',
      'appointments.location_address',
      'appointments.sequence',
      'appointments.booked_by',
      'appointments.created_at',
      'appointments.updated_at',
      'calendars.slug',
      'calendars.name as calendar_name',
      'calendars.default_appointment_title',
      'calendars.color',
      'calendars.category',
      'calendars.professional_first_name',
      'calendars.professional_last_name',
      'calendars.domain_settings',
      'calendars.reminder_settings',
      'public_calendars.public_url',
      'profiles.full_name as owner_name',
      'profiles.email as owner_email',
      'profiles.notify_bookings',
      'profiles.notify_cancellation_requests',
      'profiles.notify_cancellations',
      'customers.email as customer_email',
      (eb) =>
        eb
          .selectFrom('locations')
          .select('locations.name')
          // Not a join: a database with few locations would read them all.
          .where('locations.id', '=', ({ selectFrom }) =>
            selectFrom('calendar_locations')
              .select('location_id')
              .whereRef('calendar_locations.calendar_id', '=', 'calendars.id')
              .where('is_primary', '=', true),
          )
          .as('calendar_location'),
    ])
}
