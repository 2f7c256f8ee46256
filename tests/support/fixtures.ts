import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import type { Calendar } from '#contract/calendars/calendars.ts'
import { makePaidCalendar, type PaidCalendar } from './checkouts.ts'
import {
  makeCalendar,
  makeOwner,
  startMeridian,
  TEST_MONDAY,
  type TestMeridian,
  type TestOptions,
  type TestOwner,
} from './meridian.ts'

// Values shared by the tests of the running file. A worker runs one file at a time, and each file sets up the values that it
// imports. Fixtures of `test.extend` were tried, but naming them in each of 1,500 tests took more lines than the setup that they
// replaced.
export let meridian: TestMeridian
export let owner: TestOwner
export let calendar: Calendar
export let paidCalendar: PaidCalendar

/** `file`: created once, before the first test. `test`: created again before each test. */
type Lifetime = 'file' | 'test'

type OwnerOptions = TestOptions & {
  readonly owner?: Parameters<typeof makeOwner>[1] & { readonly lifetime?: Lifetime }
}
type CalendarOptions = OwnerOptions & { readonly calendar?: Lifetime }

/**
 * Starts the product before the first test and stops it after the last. Resets the clock after each test, so that every test
 * starts on Monday, 4 January 2027, at 08:00 UTC.
 */
export function setUpMeridian(options: TestOptions = {}): void {
  beforeAll(async () => {
    meridian = await startMeridian(options)
  })
  afterEach(() => {
    meridian.clock.ms = TEST_MONDAY
  })
  afterAll(() => meridian.stop())
}

/** Sets up the product and a logged-in owner: one for all tests of the file unless told otherwise. */
export function setUpOwner({
  owner: { lifetime = 'file', ...named } = {},
  ...options
}: OwnerOptions = {}): void {
  setUpMeridian(options)
  beforeEachOf(lifetime, async () => {
    owner = await makeOwner(meridian, named)
  })
}

/** Sets up the product, an owner, and a calendar of the owner: a new calendar for each test unless told otherwise. */
export function setUpCalendar({ calendar: lifetime = 'test', ...options }: CalendarOptions = {}): void {
  setUpOwner(options)
  beforeEachOf(lifetime, async () => {
    calendar = await makeCalendar(meridian, owner)
  })
}

/** Like `setUpCalendar`, with a calendar whose appointments are paid through Stripe or PayPal. */
export function setUpPaidCalendar(options: OwnerOptions & Required<Pick<TestOptions, 'providers'>>): void {
  setUpOwner(options)
  beforeEach(async () => {
    paidCalendar = await makePaidCalendar(meridian, owner)
  })
}

function beforeEachOf(lifetime: Lifetime, setUp: () => Promise<void>): void {
  if (lifetime === 'file') beforeAll(setUp)
  else beforeEach(setUp)
}
