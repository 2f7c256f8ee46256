import { describe, expect, test } from 'vitest'
import { SECOND_MS } from '#core/shared/duration.ts'
import type { ReaderZones } from '#server/ports/external-calendar.ts'
import { measureCpuTimeUs } from '#tests/support/cpu-cost.ts'
import { buildEventReader } from './event-reader.ts'
import { readCalendarFile } from './read-calendar-file.ts'
import { findFileZone } from './zone-resolver.ts'

const WINDOW = { startMs: Date.parse('2027-01-01T00:00:00Z'), endMs: Date.parse('2029-01-01T00:00:00Z') }

describe('when an event is', () => {
  test.each([
    ['UTC', 'DTSTART:20270201T090000Z', 'DTEND:20270201T100000Z', '2027-02-01T09:00Z 2027-02-01T10:00Z'],
    [
      'an IANA zone',
      'DTSTART;TZID=America/New_York:20270201T090000',
      'DTEND;TZID=America/New_York:20270201T100000',
      '2027-02-01T14:00Z 2027-02-01T15:00Z',
    ],
    [
      'a floating time, in the zone of the calendar',
      'DTSTART:20270201T090000',
      'DTEND:20270201T100000',
      '2027-02-01T08:00Z 2027-02-01T09:00Z',
    ],
    [
      'an end before its start, from one to the other',
      'DTSTART:20270201T090000Z',
      'DTEND:20270201T080000Z',
      '2027-02-01T08:00Z 2027-02-01T09:00Z',
    ],
    ['a duration', 'DTSTART:20270201T090000Z', 'DURATION:PT1H30M', '2027-02-01T09:00Z 2027-02-01T10:30Z'],
    [
      'an end in another zone',
      'DTSTART;TZID=Europe/London:20270201T090000',
      'DTEND;TZID=Europe/Berlin:20270201T110000',
      '2027-02-01T09:00Z 2027-02-01T10:00Z',
    ],
    [
      'a day',
      'DTSTART;VALUE=DATE:20270201',
      'DTEND;VALUE=DATE:20270202',
      '2027-01-31T23:00Z 2027-02-01T23:00Z',
    ],
    ['a day without VALUE=DATE', 'DTSTART:20270201', 'DTEND:20270202', '2027-01-31T23:00Z 2027-02-01T23:00Z'],
    [
      'a day that ends on itself',
      'DTSTART;VALUE=DATE:20270201',
      'DTEND;VALUE=DATE:20270201',
      '2027-01-31T23:00Z 2027-02-01T23:00Z',
    ],
    [
      'a day without an end',
      'DTSTART;VALUE=DATE:20270201',
      'SUMMARY:x',
      '2027-01-31T23:00Z 2027-02-01T23:00Z',
    ],
    [
      'a day with 23 hours',
      'DTSTART;VALUE=DATE:20270328',
      'DTEND;VALUE=DATE:20270329',
      '2027-03-27T23:00Z 2027-03-28T22:00Z',
    ],
    [
      'a day with 25 hours',
      'DTSTART;VALUE=DATE:20271031',
      'DTEND;VALUE=DATE:20271101',
      '2027-10-30T22:00Z 2027-10-31T23:00Z',
    ],
    ['three weeks', 'DTSTART;VALUE=DATE:20270301', 'DURATION:P3W', '2027-02-28T23:00Z 2027-03-21T23:00Z'],
    [
      'a time that the clocks skip',
      'DTSTART;TZID=Europe/Berlin:20270328T023000',
      'DURATION:PT1H',
      '2027-03-28T01:30Z 2027-03-28T02:30Z',
    ],
  ])('%s', (_name, start, end, expected) => {
    expect(read([start, end])).toEqual([expected])
  })

  test.each([
    ['no end and no duration', ['DTSTART:20270201T090000Z']],
    ['an end at its start', ['DTSTART:20270201T090000Z', 'DTEND:20270201T090000Z']],
    ['another year', ['DTSTART:20250201T090000Z', 'DTEND:20250201T100000Z']],
    ['a year long ago', ['DTSTART:16010101T000000Z', 'DTEND:16010101T010000Z']],
  ])('%s takes no time', (_name, lines) => {
    expect(read(lines)).toEqual([])
  })
})

describe('zones as real servers write them (cal#467, cal#5814, cal#956)', () => {
  const nine = (tzid: string) => [`DTSTART;TZID=${tzid}:20270701T090000`, 'DURATION:PT1H']
  const berlin = '2027-07-01T07:00Z 2027-07-01T08:00Z'
  /** The time from 9:00 in the easternmost zone to 10:00 in the westernmost one. */
  const anywhere = '2027-06-30T19:00Z 2027-07-01T22:00Z'

  test.each([
    ['W. Europe Standard Time', berlin],
    ['w. europe standard time', berlin],
    ['"W. Europe Standard Time"', berlin],
    ['Eastern Standard Time', '2027-07-01T13:00Z 2027-07-01T14:00Z'],
    ['/mozilla.org/20070129_1/Europe/London', '2027-07-01T08:00Z 2027-07-01T09:00Z'],
    [
      '/freeassociation.sourceforge.net/America/Argentina/Buenos_Aires',
      '2027-07-01T12:00Z 2027-07-01T13:00Z',
    ],
    ['Z', '2027-07-01T09:00Z 2027-07-01T10:00Z'],
    ['UTC', '2027-07-01T09:00Z 2027-07-01T10:00Z'],
    ['GMT-0500', '2027-07-01T14:00Z 2027-07-01T15:00Z'],
    ['UTC+05:30', '2027-07-01T03:30Z 2027-07-01T04:30Z'],
    ['(GMT+01:00) Amsterdam, Berlin, Bern', berlin],
    ['Mars/Olympus_Mons', anywhere],
    ['Customized Time Zone', anywhere],
    ['GMT+99', anywhere],
  ])('%s without a definition', (tzid, expected) => {
    expect(read(nine(tzid))).toEqual([expected])
  })

  test('a name that only the file explains has the clocks of its definition', () => {
    const definition = [
      ...['BEGIN:VTIMEZONE', 'TZID:Customized Time Zone', 'BEGIN:STANDARD', 'DTSTART:16010101T020000'],
      ...['TZOFFSETFROM:-0400', 'TZOFFSETTO:-0500', 'RRULE:FREQ=YEARLY;BYDAY=1SU;BYMONTH=11', 'END:STANDARD'],
      ...['BEGIN:DAYLIGHT', 'DTSTART:16010101T020000', 'TZOFFSETFROM:-0500', 'TZOFFSETTO:-0400'],
      ...['RRULE:FREQ=YEARLY;BYDAY=2SU;BYMONTH=3', 'END:DAYLIGHT', 'END:VTIMEZONE'],
    ]
    expect(read(nine('Customized Time Zone'), { around: definition })).toEqual([
      '2027-07-01T13:00Z 2027-07-01T14:00Z',
    ])
  })

  test('a broken definition concerns only what is in its zone', () => {
    const definition = [
      'BEGIN:VTIMEZONE',
      'TZID:Odd',
      'BEGIN:STANDARD',
      'no colon here',
      'END:STANDARD',
      'END:VTIMEZONE',
    ]
    expect(read(nine('Odd'), { around: definition })).toEqual([anywhere])
    expect(read(nine('Europe/Berlin'), { around: definition })).toEqual([berlin])
  })

  test.each([
    [['X-WR-TIMEZONE:Europe/Berlin'], 'Europe/Berlin'],
    [['X-WR-TIMEZONE:W. Europe Standard Time'], 'Europe/Berlin'],
    [['BEGIN:VTIMEZONE', 'TZID:Asia/Tokyo', 'END:VTIMEZONE'], null],
    [['X-WR-TIMEZONE:Middle-earth'], null],
    [[], null],
  ])('the zone of a file with %j is %s', (lines, zone) => {
    const file = readCalendarFile(toText(lines))
    expect(file === null ? null : findFileZone(file)).toBe(zone)
  })
})

describe('in the zones of several readers', () => {
  const ZONES = ['Australia/Sydney', 'America/Los_Angeles', 'Australia/Melbourne'] as const
  const day = ['DTSTART;VALUE=DATE:20270201']

  test('a day is busy in each of them, and the same time counts once', () => {
    expect(read(day, { zones: ZONES })).toEqual([
      '2027-01-31T13:00Z 2027-02-01T13:00Z',
      '2027-02-01T08:00Z 2027-02-02T08:00Z',
    ])
  })

  test('each time of a series is busy in each of them', () => {
    const daily = ['DTSTART:20270201T090000', 'DTEND:20270201T100000', 'RRULE:FREQ=DAILY;COUNT=2']
    expect(read(daily, { zones: ZONES })).toEqual([
      '2027-01-31T22:00Z 2027-01-31T23:00Z',
      '2027-02-01T17:00Z 2027-02-01T18:00Z',
      '2027-02-01T22:00Z 2027-02-01T23:00Z',
      '2027-02-02T17:00Z 2027-02-02T18:00Z',
    ])
  })

  test('a time in a zone of its own is the same', () => {
    const berlin = ['DTSTART;TZID=Europe/Berlin:20270701T090000', 'DURATION:PT1H']
    expect(read(berlin, { zones: ZONES })).toEqual(['2027-07-01T07:00Z 2027-07-01T08:00Z'])
  })

  test('the event of an appointment has one time, in the first of them', () => {
    const ours = [...day, 'X-MERIDIAN-APPOINTMENT:0a1b2c3d-0a1b-4a1b-8a1b-0a1b2c3d4e5f']
    expect(read(ours, { zones: ZONES })).toEqual(['2027-01-31T13:00Z 2027-02-01T13:00Z'])
  })
})

describe('what is busy', () => {
  const time = ['DTSTART:20270201T090000Z', 'DTEND:20270201T100000Z']
  const day = ['DTSTART;VALUE=DATE:20270201']

  test.each([
    ['cancelled', ['STATUS:CANCELLED']],
    ['free', ['TRANSP:TRANSPARENT']],
    ['free at Outlook', ['X-MICROSOFT-CDO-BUSYSTATUS:FREE']],
    ['working elsewhere', ['X-MICROSOFT-CDO-BUSYSTATUS:WORKINGELSEWHERE']],
    ['free as the organizer suggests', ['X-MICROSOFT-CDO-INTENDEDSTATUS:FREE']],
    ['declined', ['ATTENDEE;PARTSTAT=DECLINED:mailto:Ada@Example.com']],
    [
      'declined under an address in a parameter',
      ['ATTENDEE;EMAIL=ada@example.com;PARTSTAT=DECLINED:urn:uuid:1'],
    ],
  ])('%s is not', (_name, lines) => {
    expect(read([...time, ...lines])).toEqual([])
  })

  test('a birthday is not', () => {
    expect(read([...day, 'CATEGORIES:Family,Birthday'])).toEqual([])
  })

  test.each([
    ['tentative', ['STATUS:TENTATIVE']],
    ['opaque', ['TRANSP:OPAQUE']],
    ['out of office', ['X-MICROSOFT-CDO-BUSYSTATUS:OOF']],
    [
      'busy although free was suggested',
      ['X-MICROSOFT-CDO-BUSYSTATUS:BUSY', 'X-MICROSOFT-CDO-INTENDEDSTATUS:FREE'],
    ],
    ['declined by somebody else', ['ATTENDEE;PARTSTAT=DECLINED:mailto:grace@example.com']],
    ['accepted', ['ATTENDEE;PARTSTAT=ACCEPTED:mailto:ada@example.com']],
  ])('%s is', (_name, lines) => {
    expect(read([...time, ...lines])).toHaveLength(1)
  })
})

describe('a series', () => {
  const weekly = ['DTSTART;TZID=Europe/Berlin:20270104T090000', 'DURATION:PT1H', 'RRULE:FREQ=WEEKLY;COUNT=4']

  test('stays at its local time over a change of the clocks', () => {
    const lines = ['DTSTART;TZID=Europe/Berlin:20270322T090000', 'DURATION:PT1H', 'RRULE:FREQ=WEEKLY;COUNT=2']
    expect(starts(lines)).toEqual(['2027-03-22T08:00Z', '2027-03-29T07:00Z'])
  })

  test.each([
    ['EXDATE;TZID=Europe/Berlin:20270111T090000'],
    ['EXDATE:20270111T080000Z'],
    ['EXDATE;VALUE=DATE:20270111'],
    ['EXDATE;TZID=W. Europe Standard Time:20270111T090000,20300101T090000'],
    ['EXDATE:16010101T000000Z\r\nEXDATE;TZID=Europe/Berlin:20270111T090000'],
  ])('lacks what %s excludes', (line) => {
    expect(starts([...weekly, ...line.split('\r\n')])).toEqual([
      '2027-01-04T08:00Z',
      '2027-01-18T08:00Z',
      '2027-01-25T08:00Z',
    ])
  })

  test('has what RDATE adds, also as a period', () => {
    const lines = ['DTSTART:20270104T090000Z', 'DURATION:PT1H']
    const added = ['RDATE:20270105T120000Z,20270106T120000Z', 'RDATE;VALUE=PERIOD:20270107T120000Z/PT2H']
    expect(read([...lines, ...added])).toEqual([
      '2027-01-04T09:00Z 2027-01-04T10:00Z',
      '2027-01-05T12:00Z 2027-01-05T13:00Z',
      '2027-01-06T12:00Z 2027-01-06T13:00Z',
      '2027-01-07T12:00Z 2027-01-07T14:00Z',
    ])
  })

  test('has moved, cancelled, freed and added occurrences where their exceptions say', () => {
    const exception = (id: string, ...lines: string[]) => [
      ...['END:VEVENT', 'BEGIN:VEVENT', 'UID:1', `RECURRENCE-ID;TZID=Europe/Berlin:${id}`],
      ...lines,
    ]
    const lines = [
      ...weekly,
      ...exception('20270104T090000', 'DTSTART:20270105T120000Z', 'DURATION:PT30M'),
      ...exception('20270111T090000', 'DTSTART:20270111T080000Z', 'DURATION:PT1H', 'STATUS:CANCELLED'),
      ...exception('20270118T090000', 'DTSTART:20270118T080000Z', 'DURATION:PT1H', 'TRANSP:TRANSPARENT'),
      ...exception('20270601T090000', 'DTSTART:20270601T120000Z', 'DURATION:PT1H'),
    ]
    expect(read(lines)).toEqual([
      '2027-01-05T12:00Z 2027-01-05T12:30Z',
      '2027-01-25T08:00Z 2027-01-25T09:00Z',
      '2027-06-01T12:00Z 2027-06-01T13:00Z',
    ])
  })

  test('an exception without its series is an event', () => {
    const lines = ['RECURRENCE-ID:20270104T080000Z', 'DTSTART:20270105T120000Z', 'DURATION:PT1H']
    expect(read(lines)).toEqual(['2027-01-05T12:00Z 2027-01-05T13:00Z'])
  })

  test('is moved from an occurrence on by an exception for this and future ones', () => {
    const lines = [
      ...weekly,
      ...[
        'END:VEVENT',
        'BEGIN:VEVENT',
        'UID:1',
        'RECURRENCE-ID;RANGE=THISANDFUTURE;TZID=Europe/Berlin:20270118T090000',
      ],
      ...['DTSTART;TZID=Europe/Berlin:20270119T100000', 'DURATION:PT2H'],
    ]
    expect(read(lines)).toEqual([
      '2027-01-04T08:00Z 2027-01-04T09:00Z',
      '2027-01-11T08:00Z 2027-01-11T09:00Z',
      '2027-01-19T09:00Z 2027-01-19T11:00Z',
      '2027-01-26T09:00Z 2027-01-26T11:00Z',
    ])
  })

  test('of days begins at midnight of the calendar, and exceptions may name a time', () => {
    const lines = ['DTSTART;VALUE=DATE:20270327', 'RRULE:FREQ=DAILY;COUNT=4', 'EXDATE:20270327T230000Z']
    expect(read(lines)).toEqual([
      '2027-03-26T23:00Z 2027-03-27T23:00Z',
      '2027-03-28T22:00Z 2027-03-29T22:00Z',
      '2027-03-29T22:00Z 2027-03-30T22:00Z',
    ])
  })

  test.each([
    ['FREQ=MONTHLY;BYMONTHDAY=31;COUNT=3', ['2027-01-31', '2027-03-31', '2027-05-31']],
    ['FREQ=MONTHLY;BYDAY=SA,SU;BYSETPOS=-1;COUNT=2', ['2027-01-31', '2027-02-28']],
    ['FREQ=DAILY;UNTIL=20270202T080000Z', ['2027-01-31', '2027-02-01', '2027-02-02']],
    ['FREQ=DAILY;UNTIL=20270202T085959', ['2027-01-31', '2027-02-01']],
    ['FREQ=DAILY;UNTIL=20270202', ['2027-01-31', '2027-02-01', '2027-02-02']],
    ['FREQ=WEEKLY;INTERVAL=26', ['2027-01-31', '2027-08-01', '2028-01-30', '2028-07-30']],
    ['freq=daily;count=2', ['2027-01-31', '2027-02-01']],
  ])('with %s is on %j', (rule, days) => {
    const lines = ['DTSTART;TZID=Europe/Berlin:20270131T090000', 'DURATION:PT1H', `RRULE:${rule}`]
    expect(starts(lines).map((start) => start.slice(0, 10))).toEqual(days)
  })

  test('on 29 February is on no other day', () => {
    const lines = ['DTSTART:20240229T090000Z', 'DURATION:PT1H', 'RRULE:FREQ=YEARLY']
    expect(starts(lines)).toEqual(['2028-02-29T09:00Z'])
  })

  test('that began long ago is busy today', () => {
    const lines = ['DTSTART:19700105T090000Z', 'DURATION:PT1H', 'RRULE:FREQ=DAILY']
    expect(read(lines)).toHaveLength(731)
  })

  test('every hour for two years is listed one by one', () => {
    const lines = ['DTSTART:20270101T000000Z', 'DURATION:PT5M', 'RRULE:FREQ=HOURLY']
    expect(read(lines)).toHaveLength(731 * 24)
  })

  test.each([
    'FREQ=SECONDLY',
    'FREQ=MINUTELY',
    'FREQ=SECONDLY;INTERVAL=59',
    'FREQ=DAILY;BYHOUR=0,1,2,3,4,5,6,7,8,9,10,11;BYMINUTE=0,10,20,30,40,50',
    'FREQ=MINUTELY;BYHOUR=9',
    'FREQ=HOURLY;COUNT=1000000000',
  ])('with %s hangs nothing, and counts as one time without a gap', (rule) => {
    const lines = ['DTSTART:20200101T000000Z', 'DURATION:PT1M', `RRULE:${rule}`]
    const startedMs = performance.now()
    expect(read(lines)).toEqual(['2027-01-01T00:00Z 2029-01-01T00:00Z'])
    expect(performance.now() - startedMs).toBeLessThan(10_000)
  })

  test('every second for a minute is a minute', () => {
    const lines = ['DTSTART:20270301T090000Z', 'DURATION:PT1S', 'RRULE:FREQ=SECONDLY;COUNT=60']
    expect(read(lines)).toEqual(['2027-03-01T09:00Z 2027-03-01T09:01Z'])
  })

  test.each([
    'FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30',
    'FREQ=HOURLY;INTERVAL=2;BYHOUR=9',
    'FREQ=YEARLY;INTERVAL=99999999',
  ])('with %s, which repeats never, is busy once', (rule) => {
    const lines = ['DTSTART:20270301T080000Z', 'DURATION:PT1H', `RRULE:${rule}`]
    expect(starts(lines)).toEqual(['2027-03-01T08:00Z'])
  })

  test.each(['FREQ=FORTNIGHTLY', 'FREQ=WEEKLY;BYDAY=XX', 'nonsense'])(
    'with %s, which nobody can read, may be on any day from its start on',
    (rule) => {
      const lines = ['DTSTART:20281228T080000Z', 'DURATION:PT1H', `RRULE:${rule}`]
      expect(starts(lines)).toEqual(['28', '29', '30', '31'].map((day) => `2028-12-${day}T08:00Z`))
    },
  )

  test('with INTERVAL=0 is on each of its days', () => {
    const lines = ['DTSTART:20281230T080000Z', 'DURATION:PT1H', 'RRULE:FREQ=DAILY;INTERVAL=0']
    expect(starts(lines)).toEqual(['2028-12-30T08:00Z', '2028-12-31T08:00Z'])
  })
})

describe('an event with more than anybody has', () => {
  const time = ['DTSTART:20270201T090000Z', 'DURATION:PT1H']
  const everything = ['2027-01-01T00:00Z 2029-01-01T00:00Z']
  const part = (...lines: string[]) => ['END:VEVENT', 'BEGIN:VEVENT', 'UID:1', ...lines]

  test('with thousands of rules takes all the time', async () => {
    const lines = [...time, ...many(5_000, () => 'RRULE:FREQ=HOURLY')]
    expect(await readCheaply(lines)).toEqual(everything)
    expect(await readCheaply([...lines, 'TRANSP:TRANSPARENT'])).toEqual([])
  })

  test('with a hundred daily rules is listed one by one', async () => {
    const rules = many(100, (i) => `RRULE:FREQ=DAILY;BYHOUR=${i % 24}`)
    expect(await readCheaply(['DTSTART:20270101T000000Z', 'DURATION:PT5M', ...rules])).toHaveLength(731 * 24)
  })

  test.each([
    ['HOURLY', many(24, String).join(',')],
    ['YEARLY;BYDAY=MO,TU,WE,TH,FR,SA,SU', many(24, String).join(',')],
  ])(
    'with a hundred rules for every hour of FREQ=%s is busy without a gap from its start',
    async (frequency, hours) => {
      const lines = [...time, ...many(100, () => `RRULE:FREQ=${frequency};BYHOUR=${hours}`)]
      expect(await readCheaply(lines)).toEqual(['2027-02-01T09:00Z 2029-01-01T00:00Z'])
    },
  )

  test('with 100,000 excluded dates lacks the first 20,000 of them', async () => {
    const hourly = ['DTSTART:20260101T000000Z', 'DURATION:PT1H', 'RRULE:FREQ=HOURLY']
    const excluded = many(100_000, (i) => `EXDATE:${toBasic(Date.UTC(2026, 0, 1, i))}`)
    const times = await readCheaply([...hourly, ...excluded])
    expect(times[0]).toBe(
      `${new Date(Date.UTC(2026, 0, 1, 20_000)).toISOString().slice(0, 16)}Z 2028-04-13T09:00Z`,
    )
    expect(times).toHaveLength((365 + 365 + 366) * 24 - 20_000)
  })

  test('with 100,000 excluded dates on one line lacks none', async () => {
    const dates = many(100_000, (i) => toBasic(Date.UTC(2027, 0, 1, i)))
    expect(await readCheaply([...time, 'RRULE:FREQ=DAILY', `EXDATE:${dates.join(',')}`])).toHaveLength(700)
  })

  test('with 100,000 added dates takes all the time', async () => {
    const dates = many(100_000, (i) => toBasic(Date.UTC(2027, 0, 1, i)))
    expect(await readCheaply([...time, `RDATE:${dates.join(',')}`])).toEqual(everything)
  })

  test('with thousands of exceptions is read as one with few', async () => {
    const moved = many(4_000, (i) => {
      const id = `RECURRENCE-ID:${toBasic(Date.UTC(2027, 0, 1, i))}`
      return part(id, `DTSTART:${toBasic(Date.UTC(2027, 0, 1, i, 30))}`, 'DURATION:PT5M')
    }).flat()
    const times = await readCheaply([
      ...['DTSTART:20270101T000000Z', 'DURATION:PT5M', 'RRULE:FREQ=HOURLY'],
      ...moved,
    ])
    expect(times).toHaveLength(731 * 24)
    expect(times[3_999]).toBe('2027-06-16T15:30Z 2027-06-16T15:35Z')
    expect(times[4_000]).toBe('2027-06-16T16:00Z 2027-06-16T16:05Z')
  })

  test('with more parts than are read takes all the time, also when those that are read are free', async () => {
    const free = many(6_000, () => part(...time, 'TRANSP:TRANSPARENT')).flat()
    expect(await readCheaply([...time, 'TRANSP:TRANSPARENT', ...free])).toEqual(everything)
  })

  test('with times that leap over centuries is read as quickly', async () => {
    const years = [1971, 2008, 2100, 2137]
    const at = (i: number) => `;TZID=Europe/Berlin:${years[i % 4]}0101T000000`
    const leaps = many(4_000, (i) =>
      part(`RECURRENCE-ID${at(i)}`, `DTSTART${at(i + 2)}`, `DTEND${at(i + 3)}`),
    ).flat()
    expect(await readCheaply([...time, ...leaps])).toContain('2027-02-01T09:00Z 2027-02-01T10:00Z')
  })

  test('with a length of sixty years is not followed through them', async () => {
    const lines = [
      'DTSTART:19700101T000000Z',
      'DURATION:P22000D',
      'RRULE:FREQ=YEARLY;BYDAY=MO,TU,WE,TH,FR,SA,SU',
    ]
    expect(await readCheaply(lines)).toContain('2027-01-01T00:00Z 2029-01-01T00:00Z')
  })

  test('with a rule that is a book is busy without a gap', async () => {
    const days = many(100_000, (i) => String((i % 31) + 1)).join(',')
    expect(await readCheaply([...time, `RRULE:FREQ=DAILY;BYMONTHDAY=${days}`])).toEqual([
      '2027-02-01T09:00Z 2029-01-01T00:00Z',
    ])
  })

  test('with a parameter that is a book cannot be read, and costs as little', async () => {
    expect(await readCheaply([`DTSTART;${'TZID='.repeat(100_000)}:20270201T090000Z`])).toEqual([])
  })

  test.each([
    ['SECONDLY', '2027-02-01T13:00Z 2027-02-01T15:00Z'],
    ['DAILY', '2027-02-01T13:00Z 2027-02-01T15:00Z'],
    ['YEARLY;BYHOUR=0,1,2,3,4,5,6,7,8', '2027-02-01T14:00Z 2027-02-01T15:00Z'],
  ])(
    'in a zone that changes its clocks by FREQ=%s takes the time that its offsets allow',
    async (frequency, expected) => {
      const zone = [
        ...['BEGIN:VTIMEZONE', 'TZID:Odd', 'BEGIN:STANDARD', 'DTSTART:16010101T020000', 'TZOFFSETFROM:-0400'],
        ...['TZOFFSETTO:-0500', `RRULE:FREQ=${frequency}`, 'END:STANDARD', 'END:VTIMEZONE'],
      ]
      const lines = ['DTSTART;TZID=Odd:20270201T090000', 'DURATION:PT1H']
      expect(await readCheaply(lines, zone)).toEqual([expected])
    },
  )

  test.each([
    ['EXDATE:20270301T090000Z', []],
    ['RDATE:20270301T090000Z', []],
    ['RRULE:FREQ=MINUTELY;COUNT=2', []],
    ['X-NONE:', part('RECURRENCE-ID:20270301T090000Z', 'DTSTART:20270301T090000Z', 'STATUS:CANCELLED')],
  ])('no exception frees what a rule takes without a gap: %s', (line, exception) => {
    const lines = ['DTSTART:20270301T090000Z', 'DURATION:PT1M', 'RRULE:FREQ=MINUTELY', line, ...exception]
    expect(read(lines)).toEqual(['2027-03-01T09:00Z 2029-01-01T00:00Z'])
  })

  test('that repeats all the time since a year that nobody knows is busy', () => {
    const lines = ['DTSTART:16010101T000000Z', 'DURATION:PT1M', 'RRULE:FREQ=MINUTELY']
    expect(read(lines)).toEqual(everything)
  })
})

describe('a file with odd parts', () => {
  const good = ['BEGIN:VEVENT', 'UID:good', 'DTSTART:20270201T090000Z', 'DURATION:PT1H', 'END:VEVENT']

  test.each([
    ['no start', ['BEGIN:VEVENT', 'UID:2', 'SUMMARY:x', 'END:VEVENT']],
    ['a start that is none', ['BEGIN:VEVENT', 'UID:2', 'DTSTART:tomorrow', 'END:VEVENT']],
    ['an end that is missing', ['BEGIN:VEVENT', 'UID:2', 'DTSTART:20270202T090000Z']],
    ['nothing at all', ['BEGIN:VEVENT', 'END:VEVENT']],
    ['a task', ['BEGIN:VTODO', 'UID:3', 'DTSTART:20270202T090000Z', 'DURATION:PT1H', 'END:VTODO']],
    ['lines that are none', ['garbage', ': : :', 'X-ODD']],
  ])('%s hides no other event', (_name, lines) => {
    expect(readAll([...lines, ...good])).toEqual(['2027-02-01T09:00Z'])
    expect(readAll([...good, ...lines])).toContain('2027-02-01T09:00Z')
  })

  test('an event with a malformed description or attendee is read all the same', () => {
    const lines = [
      'DESCRIPTION no colon',
      'more text',
      'ATTENDEE;CN="Ada:mailto:ada@example.com',
      'X-APPLE;;;=:',
    ]
    expect(read(['DTSTART:20270201T090000Z', 'DURATION:PT1H', ...lines])).toHaveLength(1)
  })

  test('an alarm inside an event says nothing about its time', () => {
    const alarm = ['BEGIN:VALARM', 'TRIGGER:-PT10M', 'DURATION:PT9H', 'SUMMARY:alarm', 'END:VALARM']
    expect(read([...alarm, 'DTSTART:20270201T090000Z', 'DURATION:PT1H'])).toEqual([
      '2027-02-01T09:00Z 2027-02-01T10:00Z',
    ])
  })

  test('folded lines, line ends of other systems and a byte order mark are read', () => {
    const text = `\uFEFF${toText(good).replace('DTSTART:2027', 'DTSTART:\r\n 2027').replaceAll('\r\n', '\n')}`
    expect([...(readCalendarFile(text)?.events.keys() ?? [])]).toEqual(['good'])
  })

  test('events without a UID are told apart', () => {
    const lines = ['05', '06'].flatMap((day) => [
      'BEGIN:VEVENT',
      `DTSTART:202701${day}T090000Z`,
      'DURATION:PT1H',
      'END:VEVENT',
    ])
    expect(readAll(lines)).toEqual(['2027-01-05T09:00Z', '2027-01-06T09:00Z'])
  })

  test('events that share a UID are all busy', () => {
    const lines = ['05', '06'].flatMap((day) => [
      'BEGIN:VEVENT',
      'UID:1',
      `DTSTART:202701${day}T090000Z`,
      'DURATION:PT1H',
      'END:VEVENT',
    ])
    expect(readAll(lines)).toEqual(['2027-01-05T09:00Z', '2027-01-06T09:00Z'])
  })

  test.each(['', '<html></html>', 'BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:1'])(
    '%j is no whole calendar',
    (text) => {
      expect(readCalendarFile(text)).toBeNull()
    },
  )
})

function toText(lines: readonly string[]): string {
  return ['BEGIN:VCALENDAR', 'VERSION:2.0', ...lines, 'END:VCALENDAR', ''].join('\r\n')
}

/** Returns the times of an event with these lines, as `start end` to the minute. */
function read(
  lines: readonly string[],
  { around = [], zones = ['Europe/Berlin'] }: { around?: readonly string[]; zones?: ReaderZones } = {},
): string[] {
  const event = ['BEGIN:VEVENT', 'UID:1', ...lines, 'END:VEVENT']
  return timesOf([...around, ...event], zones).map((time) => time.join(' '))
}

/** Reads the lines and checks the CPU time: without limits, each of these files took minutes or all memory. */
async function readCheaply(lines: readonly string[], around: readonly string[] = []): Promise<string[]> {
  let times: string[] = []
  const costUs = await measureCpuTimeUs(() => {
    times = read(lines, { around })
  })
  expect(costUs / 1_000).toBeLessThan(10 * SECOND_MS)
  return times
}

function many<T>(count: number, make: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => make(index))
}

/** Formats an instant as `20270105T090000Z`. */
function toBasic(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`
}

function starts(lines: readonly string[]): string[] {
  return read(lines).map((time) => time.slice(0, 17))
}

/** Lists the starts of all events in a file. */
function readAll(lines: readonly string[]): string[] {
  return timesOf(lines).map(([start]) => start)
}

function timesOf(lines: readonly string[], timeZones: ReaderZones = ['Europe/Berlin']): [string, string][] {
  const file = readCalendarFile(toText(lines))
  if (file === null) throw new Error('the calendar is read')
  const reader = buildEventReader(file, {
    timeZones,
    window: WINDOW,
    ownerAddresses: new Set(['ada@example.com']),
    ownUidHost: 'meridian.example',
  })
  const found = [...file.events].flatMap(([uid, parts]) => {
    const { occurrences } = reader(uid, parts)
    // The stored copy has one row per busy time.
    expect(new Set(occurrences.map(({ key }) => key)).size).toBe(occurrences.length)
    return occurrences
  })
  return found
    .sort((a, b) => a.startMs - b.startMs)
    .map(({ startMs, endMs }) => [toMinute(startMs), toMinute(endMs)])
}

function toMinute(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 16)}Z`
}

test('a long file is read as a short one is', () => {
  const lines = Array.from({ length: 20_000 }, (_, i) => [
    'BEGIN:VEVENT',
    `UID:event-${i}`,
    'DTSTART:20270105T09',
    ' 0000Z',
    'END:VEVENT',
  ])
  const file = readCalendarFile(toText(lines.flat()))
  expect(file?.events.size).toBe(20_000)
  expect(file?.events.get('event-19999')).toEqual([
    { kind: 'VEVENT', calendar: 0, lines: ['UID:event-19999', 'DTSTART:20270105T090000Z'] },
  ])
})
