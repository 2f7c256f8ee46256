import { describe, expect, test } from 'vitest'
import type { HolidayChoicesBody, HolidayCountry, HolidaysResponse } from '#contract/availability/holidays.ts'
import type { SpecialDaysEntry } from '#contract/availability/special-days.ts'
import type { Calendar } from '#contract/calendars/calendars.ts'
import { LIMITS } from '#contract/shared/limits.ts'
import { addDays } from '#core/shared/calendar-date.ts'
import { expectRefusal } from '#tests/support/expect-refusal.ts'
import { calendar, meridian, owner, setUpCalendar } from '#tests/support/fixtures.ts'
import { addAppointment } from '#tests/support/stored-rows.ts'

setUpCalendar({ env: { DEFAULT_PLAN: 'enterprise' } })

const BAVARIA = { country: 'DE', region: 'BY' }
const EPIPHANY = '2027-01-06'
const GOOD_FRIDAY = '2027-03-26'

describe('public holidays', () => {
  test('are none until a region is chosen', async () => {
    expect(await list()).toEqual({ country: null, region: null, place: null, holidays: [] })
  })

  test('are those of the region in the next two years, and choosing the region closes nothing (rule T56)', async () => {
    const answer = await chooseRegion(BAVARIA)
    expect(answer).toMatchObject({ ...BAVARIA, place: 'Bayern, Germany' })
    expect(answer.holidays[0]).toEqual({
      date: EPIPHANY,
      name: 'Epiphany',
      state: 'proposed',
      appointments: 0,
    })
    // Only whole public holidays: Christmas Eve is a half day, and Carnival is none.
    expect(listDates(answer).filter((date) => date < '2028')).toEqual([
      EPIPHANY,
      GOOD_FRIDAY,
      '2027-03-29',
      '2027-05-01',
      '2027-05-06',
      '2027-05-17',
      '2027-05-27',
      '2027-10-03',
      '2027-11-01',
      '2027-12-25',
      '2027-12-26',
    ])
    expect(listDates(answer).at(-1)).toBe('2029-01-01')
    expect(await listSpecialDays()).toEqual([])
    const berlin = await chooseRegion({ country: 'DE', region: 'BE' })
    expect(listDates(berlin)).not.toContain(EPIPHANY)
    const augsburg = await chooseRegion({ country: 'DE', region: 'BY-A' })
    expect(augsburg.place).toBe('Bayern – Stadt Augsburg, Germany')
    expect(listDates(augsburg)).toContain('2027-08-08')
    expect(await chooseRegion({ country: null, region: null })).toMatchObject({ country: null, holidays: [] })
  })

  test('of several days have each of their days', async () => {
    const { holidays } = await chooseRegion({ country: 'AE', region: null })
    const ramadan = holidays.filter(({ name }) => /al-Fitr/.test(name)).map(({ date }) => date)
    expect(ramadan.slice(0, 3)).toEqual(['2027-03-09', '2027-03-10', '2027-03-11'])
  })

  test('are counted from today on the clock of the calendar', async () => {
    await chooseRegion(BAVARIA)
    meridian.clock.ms = Date.parse(`${EPIPHANY}T12:00:00Z`)
    expect(listDates(await list())).toContain(EPIPHANY)
    await owner.patch(`/api/calendars/${calendar.id}`, { timezone: 'Pacific/Auckland' })
    expect(listDates(await list())).not.toContain(EPIPHANY)
  })

  test('say how many appointments are booked on them', async () => {
    await addAppointment(meridian, calendar.id, { startsAt: `${EPIPHANY}T10:00:00Z` })
    expect((await chooseRegion(BAVARIA)).holidays[0]).toMatchObject({ date: EPIPHANY, appointments: 1 })
  })

  test.each([
    { country: 'XX', region: null },
    { country: 'constructor', region: null },
    { country: 'DE', region: 'XX' },
    { country: 'DE', region: 'BY-XX' },
    { country: 'DE', region: '' },
  ])('of %j are refused', async (region) => {
    const answer = await owner.put(`/api/calendars/${calendar.id}/holidays/region`, region)
    expectRefusal(answer, 'request.invalid')
    expect((await list()).country).toBeNull()
  })
})

describe('closing', () => {
  test('all of them at once makes ordinary special days, with the names as notes (rule T56)', async () => {
    const { holidays } = await chooseRegion(BAVARIA)
    const { holidays: after } = await choose('close', listDates({ holidays }))
    expect(after.map(({ state }) => state)).toEqual(holidays.map(() => 'closed'))
    const entries = await listSpecialDays()
    expect(entries).toHaveLength(holidays.length)
    expect(entries[0]).toMatchObject({
      first_date: EPIPHANY,
      last_date: EPIPHANY,
      hours: [],
      note: 'Epiphany',
    })
    const { slots } = (
      await owner.get(`/api/public/calendars/${calendar.slug}/slots?date=${EPIPHANY}`)
    ).json()
    expect(slots).toEqual([])
  })

  test('the same holiday in two tabs makes one special day', async () => {
    await chooseRegion(BAVARIA)
    const answers = await Promise.all([choose('close', [EPIPHANY]), choose('close', [EPIPHANY])])
    expect(answers.map(({ holidays }) => holidays[0]?.state)).toEqual(['closed', 'closed'])
    expect(await listSpecialDays()).toHaveLength(1)
  })

  test('does not overwrite special days that the date already has', async () => {
    await chooseRegion(BAVARIA)
    const hours = [{ start_time: '10:00:00', end_time: '12:00:00' }]
    const added = await addSpecialDays({
      first_date: EPIPHANY,
      last_date: EPIPHANY,
      hours,
      note: 'Open house',
    })
    expect((await list()).holidays[0]).toMatchObject({ date: EPIPHANY, state: 'special_hours' })
    await choose('close', [EPIPHANY, GOOD_FRIDAY])
    expect(await listSpecialDays()).toEqual([added, expect.objectContaining({ first_date: GOOD_FRIDAY })])
  })

  test('a date that is no holiday of the region is refused, and closes nothing', async () => {
    const path = `/api/calendars/${calendar.id}/holidays`
    expectRefusal(await owner.post(path, { choice: 'close', dates: [EPIPHANY] }), 'request.changed_meanwhile')
    await chooseRegion({ country: 'DE', region: 'BE' })
    const dates = [GOOD_FRIDAY, EPIPHANY]
    expectRefusal(await owner.post(path, { choice: 'close', dates }), 'request.changed_meanwhile')
    expect(await listSpecialDays()).toEqual([])
  })

  test(`is refused when the calendar would have more than ${LIMITS.specialDays} entries, and closes nothing`, async () => {
    await chooseRegion(BAVARIA)
    const days = Array.from({ length: LIMITS.specialDays - 1 }, (_, i) => addDays('2030-01-01', i))
    await meridian.database.db
      .insertInto('special_days')
      .values(
        days.map((date) => ({
          calendar_id: calendar.id,
          id: crypto.randomUUID(),
          first_date: date,
          last_date: date,
          note: null,
          public_note: null,
        })),
      )
      .execute()
    const path = `/api/calendars/${calendar.id}/holidays`
    const both = { choice: 'close', dates: [EPIPHANY, GOOD_FRIDAY] }
    expectRefusal(await owner.post(path, both), 'special_days.too_many')
    expect(await listSpecialDays()).toHaveLength(LIMITS.specialDays - 1)
    await choose('close', [EPIPHANY])
  })
})

describe('a holiday that the owner keeps open', () => {
  test('is not proposed again, also in another region', async () => {
    await chooseRegion(BAVARIA)
    expect(listDates(await choose('keep_open', [EPIPHANY]))).not.toContain(EPIPHANY)
    expect(listDates(await chooseRegion({ country: 'DE', region: 'BW' }))).not.toContain(EPIPHANY)
    expect(await listSpecialDays()).toEqual([])
  })

  test('was closed and opened again by removing its special day', async () => {
    await chooseRegion(BAVARIA)
    await choose('close', [EPIPHANY, GOOD_FRIDAY])
    const [epiphany] = await listSpecialDays()
    await owner.delete(`/api/calendars/${calendar.id}/special-days/${epiphany?.id}`)
    const { holidays } = await list()
    expect(holidays[0]).toMatchObject({ date: GOOD_FRIDAY, state: 'closed' })
  })

  test('was closed and opened again by giving its special day other dates', async () => {
    await chooseRegion(BAVARIA)
    await choose('close', [EPIPHANY])
    const [entry] = await listSpecialDays()
    const moved = { first_date: '2027-01-07', last_date: '2027-01-08', hours: [], note: 'Closed' }
    const path = `/api/calendars/${calendar.id}/special-days/${entry?.id}`
    expect((await owner.put(path, moved)).statusCode).toBe(200)
    expect(listDates(await list())).not.toContain(EPIPHANY)
  })

  test('is proposed again when that is undone', async () => {
    const before = await chooseRegion(BAVARIA)
    await choose('keep_open', [EPIPHANY])
    expect(await choose('undecided', [EPIPHANY])).toEqual(before)
  })

  test('can be closed by a tab that still shows it', async () => {
    await chooseRegion(BAVARIA)
    await choose('keep_open', [EPIPHANY])
    expect((await choose('close', [EPIPHANY])).holidays[0]).toMatchObject({ date: EPIPHANY, state: 'closed' })
  })

  test('stays closed when it is closed already', async () => {
    await chooseRegion(BAVARIA)
    await choose('close', [EPIPHANY])
    expect((await choose('keep_open', [EPIPHANY])).holidays[0]).toMatchObject({ state: 'closed' })
  })
})

test('days that the owner entered are proposed again after they are removed', async () => {
  await chooseRegion(BAVARIA)
  const { id } = await addSpecialDays({ first_date: EPIPHANY, last_date: EPIPHANY, hours: [], note: null })
  await owner.delete(`/api/calendars/${calendar.id}/special-days/${id}`)
  expect((await list()).holidays[0]).toMatchObject({ date: EPIPHANY, state: 'proposed' })
})

test('a duplicate has the region, the closed holidays and those that stay open (rule C16)', async () => {
  await chooseRegion(BAVARIA)
  await choose('close', [EPIPHANY])
  await choose('keep_open', [GOOD_FRIDAY])
  const copied = await owner.post(`/api/calendars/${calendar.id}/copies`, { name: 'Copy' })
  const copy = copied.json() as Calendar
  const path = `/api/calendars/${copy.id}`
  expect((await owner.get(`${path}/holidays`)).json()).toEqual(await list())
  const [epiphany] = (await owner.get(`${path}/special-days`)).json().special_days
  await owner.delete(`${path}/special-days/${epiphany.id}`)
  expect(listDates((await owner.get(`${path}/holidays`)).json())).not.toContain(EPIPHANY)
})

test('the countries have their regions and time zones', async () => {
  const { countries } = (await owner.get('/api/holiday-countries')).json() as { countries: HolidayCountry[] }
  expect(countries.length).toBeGreaterThan(200)
  const germany = countries.find(({ country }) => country === 'DE')
  expect(germany).toMatchObject({ name: 'Germany', time_zones: ['Europe/Berlin'] })
  expect(germany?.regions).toContainEqual({ region: 'BY-A', name: 'Bayern – Stadt Augsburg' })
})

async function list(): Promise<HolidaysResponse> {
  return (await owner.get(`/api/calendars/${calendar.id}/holidays`)).json()
}

async function chooseRegion(region: object): Promise<HolidaysResponse> {
  const answer = await owner.put(`/api/calendars/${calendar.id}/holidays/region`, region)
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json()
}

async function choose(choice: HolidayChoicesBody['choice'], dates: string[]): Promise<HolidaysResponse> {
  const answer = await owner.post(`/api/calendars/${calendar.id}/holidays`, { choice, dates })
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json()
}

async function listSpecialDays(): Promise<SpecialDaysEntry[]> {
  return (await owner.get(`/api/calendars/${calendar.id}/special-days`)).json().special_days
}

async function addSpecialDays(body: object): Promise<SpecialDaysEntry> {
  const answer = await owner.post(`/api/calendars/${calendar.id}/special-days`, body)
  expect(answer.statusCode, answer.body).toBe(201)
  return answer.json()
}

function listDates({ holidays }: Pick<HolidaysResponse, 'holidays'>): string[] {
  return holidays.map(({ date }) => date)
}
