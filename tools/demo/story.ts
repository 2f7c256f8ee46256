import { addDays, dayOfWeek } from '#core/shared/zoned-time.ts'

/**
 * The bookings of the demo practice and their outcomes. Everything is derived from the date of the first start, so that every
 * installation that starts on the same day shows the same practice.
 */

type Person = { readonly name: string; readonly email: string; readonly phone?: string }

export const DEMO_CUSTOMERS = {
  lena: { name: 'Lena Fischer', email: 'lena.fischer@example.com', phone: '+44 20 7946 0101' },
  tomas: { name: 'Tomás Ribeiro', email: 'tomas.ribeiro@example.com' },
  priya: { name: 'Priya Natarajan', email: 'priya.natarajan@example.com', phone: '+44 20 7946 0144' },
  owen: { name: 'Owen Hughes', email: 'owen.hughes@example.com' },
  sofia: { name: 'Sofia Rossi', email: 'sofia.rossi@example.com', phone: '+39 06 5550 1234' },
  hannah: { name: 'Hannah Weiss', email: 'hannah.weiss@example.com', phone: '+44 20 7946 0170' },
  jamal: { name: 'Jamal Carter', email: 'jamal.carter@example.com' },
  mei: { name: 'Mei Tanaka', email: 'mei.tanaka@example.com' },
  grace: { name: 'Grace Adeyemi', email: 'grace.adeyemi@example.com', phone: '+44 20 7946 0122' },
  david: { name: 'David Lindqvist', email: 'david.lindqvist@example.com' },
  aoife: { name: 'Aoife Brennan', email: 'aoife.brennan@example.com' },
  nikhil: { name: 'Nikhil Rao', email: 'nikhil.rao@example.com', phone: '+44 20 7946 0188' },
  clara: { name: 'Clara Dubois', email: 'clara.dubois@example.com' },
  ben: { name: 'Ben Okafor', email: 'ben.okafor@example.com' },
  ruth: { name: 'Ruth Álvarez', email: 'ruth.alvarez@example.com' },
  ivan: { name: 'Ivan Petrov', email: 'ivan.petrov@example.com' },
  /** An address with a typo, so no email arrives (RFC 2606 reserves `.invalid`). */
  noor: { name: 'Noor Haddad', email: 'noor.haddad@mail.invalid', phone: '+44 20 7946 0155' },
} as const satisfies Record<string, Person>
export type DemoCustomerName = keyof typeof DEMO_CUSTOMERS

export type DemoTypeName = 'first' | 'individual' | 'couples' | 'online' | 'walk'

/** How the customer pays: immediately through a provider, or later by cash or bank transfer. */
export type PaymentWay = 'stripe' | 'paypal' | 'by_hand'

/** The outcome of a booking that did not simply take place. */
export type DemoBookingOutcome = 'cancelled' | 'refunded' | 'asks_to_cancel' | 'no_show'

export type DemoBooking = {
  readonly date: string
  readonly time: string
  readonly type: DemoTypeName
  readonly customer: DemoCustomerName
  readonly pays: PaymentWay
  /** Days between the booking and the appointment's date. */
  readonly leadDays: number
  readonly turn: DemoBookingOutcome | null
}

/** A customer who comes regularly. Weeks count backwards from the current week; `from` is the first week, `until` the last. */
type Regular = {
  readonly customer: DemoCustomerName
  /** 1 is Monday. */
  readonly weekday: number
  readonly time: string
  readonly type: DemoTypeName
  readonly from: number
  readonly until?: number
  readonly every: 1 | 2
  readonly pays: PaymentWay
  readonly leadDays: number
}

/** The number of weeks with past bookings, and the number of weeks with future bookings. */
export const WEEKS_OF_PAST_BOOKINGS = 26
const WEEKS_AHEAD = 3
/** Weeks in which the practice was closed. */
const HOLIDAY_WEEKS = [14, 15]
/** Walks have not been offered for this many weeks. */
export const WEEKS_SINCE_LAST_WALK = 11

const REGULARS: readonly Regular[] = [
  {
    customer: 'lena',
    weekday: 1,
    time: '10:30',
    type: 'individual',
    from: 26,
    every: 1,
    pays: 'by_hand',
    leadDays: 7,
  },
  {
    customer: 'sofia',
    weekday: 5,
    time: '10:30',
    type: 'couples',
    from: 25,
    every: 2,
    pays: 'paypal',
    leadDays: 12,
  },
  {
    customer: 'grace',
    weekday: 4,
    time: '09:00',
    type: 'walk',
    from: 24,
    until: 12,
    every: 2,
    pays: 'by_hand',
    leadDays: 5,
  },
  {
    customer: 'priya',
    weekday: 4,
    time: '10:30',
    type: 'online',
    from: 22,
    every: 2,
    pays: 'stripe',
    leadDays: 3,
  },
  {
    customer: 'tomas',
    weekday: 2,
    time: '15:00',
    type: 'couples',
    from: 20,
    every: 2,
    pays: 'by_hand',
    leadDays: 10,
  },
  {
    customer: 'owen',
    weekday: 3,
    time: '15:00',
    type: 'individual',
    from: 17,
    every: 2,
    pays: 'by_hand',
    leadDays: 6,
  },
  {
    customer: 'mei',
    weekday: 3,
    time: '09:00',
    type: 'individual',
    from: 16,
    every: 2,
    pays: 'paypal',
    leadDays: 16,
  },
  {
    customer: 'hannah',
    weekday: 2,
    time: '09:00',
    type: 'individual',
    from: 12,
    every: 1,
    pays: 'by_hand',
    leadDays: 7,
  },
  {
    customer: 'grace',
    weekday: 5,
    time: '13:30',
    type: 'individual',
    from: 10,
    every: 2,
    pays: 'by_hand',
    leadDays: 9,
  },
  {
    customer: 'jamal',
    weekday: 4,
    time: '16:30',
    type: 'online',
    from: 9,
    every: 1,
    pays: 'stripe',
    leadDays: 1,
  },
  {
    customer: 'aoife',
    weekday: 1,
    time: '16:30',
    type: 'online',
    from: 8,
    every: 2,
    pays: 'stripe',
    leadDays: 2,
  },
  {
    customer: 'david',
    weekday: 1,
    time: '13:30',
    type: 'individual',
    from: 6,
    every: 1,
    pays: 'by_hand',
    leadDays: 4,
  },
  {
    customer: 'nikhil',
    weekday: 2,
    time: '13:30',
    type: 'individual',
    from: 4,
    every: 1,
    pays: 'by_hand',
    leadDays: 13,
  },
]

/**
 * Single visits. The first value is how many weeks ago the visit was; the others are as above. A first conversation precedes the
 * sessions of most regular customers.
 */
const VISITS: readonly (readonly [
  week: number,
  weekday: number,
  time: string,
  DemoTypeName,
  DemoCustomerName,
  leadDays: number,
])[] = [
  [25, 3, '11:00', 'first', 'priya', 2],
  [23, 1, '15:30', 'first', 'tomas', 5],
  [21, 2, '11:30', 'first', 'owen', 0],
  [20, 5, '14:00', 'individual', 'ivan', 21],
  [19, 1, '15:30', 'first', 'mei', 8],
  [17, 3, '13:30', 'individual', 'ivan', 30],
  [16, 1, '14:00', 'first', 'hannah', 1],
  [13, 2, '10:30', 'first', 'jamal', 3],
  [12, 3, '13:30', 'first', 'clara', 0],
  [10, 5, '15:30', 'first', 'aoife', 4],
  [9, 3, '10:30', 'individual', 'clara', 6],
  [8, 5, '16:30', 'first', 'david', 2],
  [7, 2, '10:30', 'first', 'ben', 1],
  [6, 2, '10:30', 'first', 'nikhil', 0],
  [5, 3, '10:30', 'individual', 'clara', 11],
  [4, 5, '16:30', 'online', 'ivan', 28],
  [3, 1, '15:00', 'individual', 'ben', 5],
  [2, 3, '16:30', 'first', 'ruth', 2],
  [-1, 3, '16:30', 'first', 'noor', 4],
]

/** Bookings that fill the days around today, by weekday. */
const AROUND_TODAY: readonly (readonly [
  weekday: number,
  time: string,
  DemoTypeName,
  DemoCustomerName,
  leadDays: number,
])[] = [
  [1, '09:00', 'online', 'clara', 3],
  [1, '15:00', 'individual', 'ben', 6],
  [2, '10:30', 'online', 'priya', 2],
  [3, '10:30', 'individual', 'ruth', 9],
  [3, '13:30', 'online', 'jamal', 4],
  [4, '09:00', 'individual', 'grace', 8],
  [4, '13:30', 'individual', 'ivan', 20],
  [5, '09:00', 'online', 'mei', 1],
  [5, '15:00', 'individual', 'clara', 5],
]
const DAYS_AROUND = { back: 6, ahead: 6 }

/** The outcomes that did not go as planned, by customer and number of weeks ago. */
const TURNS: readonly (readonly [DemoCustomerName, week: number, DemoBookingOutcome])[] = [
  ['lena', 22, 'cancelled'],
  ['sofia', 21, 'refunded'],
  ['grace', 19, 'no_show'],
  ['grace', 18, 'cancelled'],
  ['lena', 17, 'refunded'],
  ['priya', 16, 'refunded'],
  ['owen', 11, 'cancelled'],
  ['tomas', 12, 'cancelled'],
  ['hannah', 9, 'refunded'],
  ['lena', 9, 'no_show'],
  ['mei', 8, 'refunded'],
  ['jamal', 6, 'refunded'],
  ['owen', 5, 'cancelled'],
  ['jamal', 4, 'no_show'],
  ['david', 3, 'cancelled'],
  ['lena', -1, 'asks_to_cancel'],
]

/** Lists all bookings of the practice, for a first start on `today`. */
export function listDemoBookings(today: string): DemoBooking[] {
  const monday = addDays(today, -((dayOfWeek(today) + 6) % 7))
  const dateIn = (week: number, weekday: number) => addDays(monday, -7 * week + weekday - 1)
  const regular = REGULARS.flatMap((person) =>
    weeksOf(person).map((week) => ({ ...person, week, date: dateIn(week, person.weekday) })),
  )
  const visits = VISITS.map(([week, weekday, time, type, customer, leadDays]) => ({
    week,
    date: dateIn(week, weekday),
    time,
    type,
    customer,
    leadDays,
    pays: 'by_hand' as const,
  }))
  const around = AROUND_TODAY.flatMap(([weekday, time, type, customer, leadDays]) =>
    [1, 0, -1].map((week) => ({
      week,
      date: dateIn(week, weekday),
      time,
      type,
      customer,
      leadDays,
      pays: 'by_hand' as const,
    })),
  ).filter(
    ({ date }) => date >= addDays(today, -DAYS_AROUND.back) && date <= addDays(today, DAYS_AROUND.ahead),
  )
  return [...regular, ...visits, ...around].map(({ date, time, type, customer, pays, leadDays, week }) => ({
    date,
    time,
    type,
    customer,
    pays,
    leadDays,
    turn: TURNS.find(([who, when]) => who === customer && when === week)?.[2] ?? null,
  }))
}

/**
 * Lists the weeks in which a regular customer comes. From the week after next, Tuesdays stay free, so that visitors can try a
 * booking.
 */
function weeksOf({ from, until = -WEEKS_AHEAD, every, weekday }: Regular): number[] {
  const weeks = Array.from({ length: from - until + 1 }, (_, i) => from - i)
  return weeks.filter(
    (week) => (from - week) % every === 0 && !HOLIDAY_WEEKS.includes(week) && !(weekday === 2 && week < -1),
  )
}
