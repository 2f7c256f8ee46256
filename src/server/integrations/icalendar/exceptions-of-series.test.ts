import { describe, expect, test } from 'vitest'
import { readEventTimes, readFileTimes } from '#tests/support/read-event-times.ts'

/** Exceptions of a series and their busy times, derived by hand from RFC 5545 §3.8.4.4 and RFC 5546 §2.1.5. */
const SERIES = 'DTSTART:20270505T100000Z\nDURATION:PT1H\nRRULE:FREQ=WEEKLY;COUNT=4'
const DAYS = ['05-05', '05-12', '05-19', '05-26']
const on = (...days: string[]) => days.map((day) => at(day, '10:00/11:00'))
const at = (day: string, time: string) => `2027-${day}T${time}`
const read = (...components: string[]) =>
  readEventTimes(
    components
      .join('\n--\n')
      .split('\n')
      .map((line) => line.trim()),
  )

test('the series itself', () => {
  expect(read(SERIES)).toEqual(on(...DAYS))
})

describe('an exception', () => {
  const second = 'RECURRENCE-ID:20270512T100000Z'
  const moved = (hour: string, ...lines: string[]) =>
    [second, `DTSTART:20270512T${hour}0000Z`, 'DURATION:PT1H', ...lines].join('\n')
  const others = (time: string) => [at('05-05', '10:00/11:00'), at('05-12', time), ...on('05-19', '05-26')]

  test.each([
    [
      'a higher SEQUENCE that comes last',
      [moved('12', 'SEQUENCE:1'), moved('14', 'SEQUENCE:2')],
      '14:00/15:00',
    ],
    [
      'a higher SEQUENCE that comes first',
      [moved('14', 'SEQUENCE:2'), moved('12', 'SEQUENCE:1')],
      '14:00/15:00',
    ],
    [
      'a SEQUENCE of ten, which is more than nine',
      [moved('14', 'SEQUENCE:10'), moved('12', 'SEQUENCE:9')],
      '14:00/15:00',
    ],
    ['a SEQUENCE beside none', [moved('14', 'SEQUENCE:1'), moved('12')], '14:00/15:00'],
    [
      'a later DTSTAMP',
      [moved('14', 'DTSTAMP:20270102T000000Z'), moved('12', 'DTSTAMP:20270101T000000Z')],
      '14:00/15:00',
    ],
    ['the same version: the last one', [moved('12'), moved('14')], '14:00/15:00'],
    [
      'a higher SEQUENCE with the occurrence named in another way',
      [
        moved('14', 'SEQUENCE:2'),
        moved('12', 'SEQUENCE:1').replace(':20270512T100000Z', ';TZID=Asia/Tokyo:20270512T190000'),
      ],
      '14:00/15:00',
    ],
  ])('has, of two versions, the time of %s', (_name, exceptions, time) => {
    expect(read(SERIES, ...exceptions)).toEqual(others(time))
    expect(read(...exceptions, SERIES)).toEqual(others(time))
  })

  test.each([
    [
      'names its occurrence in another zone',
      'RECURRENCE-ID;TZID=Europe/Berlin:20270512T120000\nDTSTART:20270512T140000Z\nDURATION:PT1H',
      others('14:00/15:00'),
    ],
    [
      'names its occurrence by the day',
      'RECURRENCE-ID;VALUE=DATE:20270512\nDTSTART:20270512T140000Z\nDURATION:PT1H',
      others('14:00/15:00'),
    ],
    [
      'names its occurrence without seconds',
      'RECURRENCE-ID:20270512T1000Z\nDTSTART:20270512T140000Z\nDURATION:PT1H',
      others('14:00/15:00'),
    ],
    ['has no start, and is longer', 'RECURRENCE-ID:20270512T100000Z\nDURATION:PT2H', others('10:00/12:00')],
    ['is free', moved('10', 'TRANSP:transparent'), on('05-05', '05-19', '05-26')],
    ['is cancelled', moved('10', 'STATUS:Cancelled'), on('05-05', '05-19', '05-26')],
    [
      'was declined by the owner',
      moved('10', 'ATTENDEE;PARTSTAT=declined:MAILTO:Ada@Example.com'),
      on('05-05', '05-19', '05-26'),
    ],
    [
      'lies on another occurrence',
      moved('10').replace('DTSTART:20270512', 'DTSTART:20270519'),
      [...on('05-05', '05-19', '05-19', '05-26')],
    ],
    [
      'names an occurrence that is none, and is busy',
      'RECURRENCE-ID:20270513T100000Z\nDTSTART:20270513T140000Z\nDURATION:PT1H',
      [...on('05-05', '05-12'), at('05-13', '14:00/15:00'), ...on('05-19', '05-26')],
    ],
    [
      'names its occurrence in a zone that nobody knows, and is busy beside it',
      'RECURRENCE-ID;TZID=Arrakis:20270512T100000\nDTSTART:20270512T140000Z\nDURATION:PT1H',
      [...on('05-05', '05-12'), at('05-12', '14:00/15:00'), ...on('05-19', '05-26')],
    ],
    [
      'names what cannot be read, and is busy beside the series',
      'RECURRENCE-ID:one of them\nDTSTART:20270512T140000Z\nDURATION:PT1H',
      [...on('05-05', '05-12'), at('05-12', '14:00/15:00'), ...on('05-19', '05-26')],
    ],
  ])('%s', (_name, exception, expected) => {
    expect(read(SERIES, exception)).toEqual(expected)
  })

  test('is busy although its series is free, or cancelled', () => {
    for (const line of ['TRANSP:TRANSPARENT', 'STATUS:CANCELLED'])
      expect(read(`${SERIES}\n${line}`, moved('14'))).toEqual([at('05-12', '14:00/15:00')])
  })

  test('is busy although its occurrence is excluded', () => {
    expect(read(`${SERIES}\nEXDATE:20270512T100000Z`, moved('14'))).toEqual(others('14:00/15:00'))
  })

  test('of a series of days names its day by a time', () => {
    const days = 'DTSTART;VALUE=DATE:20270505\nRRULE:FREQ=DAILY;COUNT=2'
    const exception = 'RECURRENCE-ID:20270506T000000Z\nDTSTART:20270506T140000Z\nDURATION:PT1H'
    expect(read(days, exception)).toEqual(['2027-05-05T00:00/2027-05-06T00:00', at('05-06', '14:00/15:00')])
  })
})

describe('a day of a series that is named by a time', () => {
  const days = 'DTSTART;VALUE=DATE:20270505\nRRULE:FREQ=DAILY;COUNT=3'
  const readIn = (zone: string, line: string) =>
    readEventTimes(`${days}\n${line}`.split('\n'), { zones: [zone] }).map((time) => time.slice(5, 10))

  // The day begins at 04:00 UTC in New York, and at 22:00 UTC of the previous day in Berlin.
  test.each([
    [
      'in the zone of the program',
      'America/New_York',
      'EXDATE;TZID=Europe/Berlin:20270506T000000',
      ['05-05', '05-07'],
    ],
    ['as midnight in UTC', 'America/New_York', 'EXDATE:20270506T000000Z', ['05-05', '05-07']],
    ['as its beginning in UTC', 'America/New_York', 'EXDATE:20270506T040000Z', ['05-05', '05-07']],
    ['as its beginning in UTC, east of it', 'Europe/Berlin', 'EXDATE:20270505T220000Z', ['05-04', '05-06']],
    ['as midnight in UTC, east of it', 'Europe/Berlin', 'EXDATE:20270506T000000Z', ['05-04', '05-06']],
    ['without a zone', 'Europe/Berlin', 'EXDATE:20270506T000000', ['05-04', '05-06']],
    ['as a date', 'Europe/Berlin', 'EXDATE;VALUE=DATE:20270506', ['05-04', '05-06']],
  ])('%s', (_name, zone, line, expected) => {
    expect(readIn(zone, line)).toEqual(expected)
  })
})

describe('an exception for this and future occurrences', () => {
  const from = (day: string, start: string, ...lines: string[]) =>
    [`RECURRENCE-ID;RANGE=THISANDFUTURE:2027${day}T100000Z`, `DTSTART:2027${start}00Z`, ...lines].join('\n')

  test.each([
    [
      'that makes them longer',
      [from('0512', '0512T1000', 'DURATION:PT4H')],
      [...on('05-05'), ...['05-12', '05-19', '05-26'].map((day) => at(day, '10:00/14:00'))],
    ],
    [
      'that moves them by nine days',
      [from('0512', '0521T1000', 'DURATION:PT1H')],
      on('05-05', '05-21', '05-28', '06-04'),
    ],
    [
      'that moves them by a month',
      [from('0512', '0612T1000', 'DURATION:PT1H')],
      on('05-05', '06-12', '06-19', '06-26'),
    ],
    [
      'that moves them back by a week',
      [from('0519', '0512T1200', 'DURATION:PT1H')],
      [...on('05-05', '05-12'), at('05-12', '12:00/13:00'), at('05-19', '12:00/13:00')],
    ],
    [
      'and another one after it',
      [from('0512', '0512T1200', 'DURATION:PT1H'), from('0526', '0526T1500', 'DURATION:PT2H')],
      [...on('05-05'), at('05-12', '12:00/13:00'), at('05-19', '12:00/13:00'), at('05-26', '15:00/17:00')],
    ],
    [
      'and another one before it in the file',
      [from('0526', '0526T1500', 'DURATION:PT2H'), from('0512', '0512T1200', 'DURATION:PT1H')],
      [...on('05-05'), at('05-12', '12:00/13:00'), at('05-19', '12:00/13:00'), at('05-26', '15:00/17:00')],
    ],
    [
      'that cancels them',
      [from('0519', '0519T1000', 'DURATION:PT1H', 'STATUS:CANCELLED')],
      on('05-05', '05-12'),
    ],
    [
      'that frees them',
      [from('0519', '0519T1000', 'DURATION:PT1H', 'TRANSP:TRANSPARENT')],
      on('05-05', '05-12'),
    ],
    [
      'from the first one on',
      [from('0505', '0506T1000', 'DURATION:PT1H')],
      on('05-06', '05-13', '05-20', '05-27'),
    ],
    [
      'beside an exception for one of them',
      [
        from('0512', '0512T1200', 'DURATION:PT1H'),
        'RECURRENCE-ID:20270519T100000Z\nDTSTART:20270520T080000Z\nDURATION:PT1H',
      ],
      [...on('05-05'), at('05-12', '12:00/13:00'), at('05-20', '08:00/09:00'), at('05-26', '12:00/13:00')],
    ],
    [
      'of two versions: the one with the higher SEQUENCE',
      [
        from('0512', '0512T1200', 'DURATION:PT1H', 'SEQUENCE:2'),
        from('0512', '0512T1400', 'DURATION:PT1H', 'SEQUENCE:1'),
      ],
      [...on('05-05'), ...['05-12', '05-19', '05-26'].map((day) => at(day, '12:00/13:00'))],
    ],
    [
      'in lower case',
      [from('0519', '0519T1200', 'DURATION:PT1H').replace('RANGE=THISANDFUTURE', 'range=thisandfuture')],
      [...on('05-05', '05-12'), at('05-19', '12:00/13:00'), at('05-26', '12:00/13:00')],
    ],
  ])('%s', (_name, exceptions, expected) => {
    expect(read(SERIES, ...exceptions)).toEqual(expected)
  })

  test('leaves out what is excluded', () => {
    expect(read(`${SERIES}\nEXDATE:20270519T100000Z`, from('0512', '0512T1200', 'DURATION:PT1H'))).toEqual([
      ...on('05-05'),
      at('05-12', '12:00/13:00'),
      at('05-26', '12:00/13:00'),
    ])
  })

  test('moves by the clock when the clocks change', () => {
    const series = 'DTSTART;TZID=Europe/Berlin:20271020T100000\nDURATION:PT1H\nRRULE:FREQ=WEEKLY;COUNT=3'
    const future =
      'RECURRENCE-ID;TZID=Europe/Berlin;RANGE=THISANDFUTURE:20271027T100000\nDTSTART;TZID=Europe/Berlin:20271027T140000\nDURATION:PT1H'
    expect(read(series, future)).toEqual([
      '2027-10-20T08:00/09:00',
      '2027-10-27T12:00/13:00',
      '2027-11-03T13:00/14:00',
    ])
  })
})

describe('what is busy', () => {
  const busy = (line: string) => read(`DTSTART:20270505T100000Z\nDURATION:PT1H\n${line}`).length > 0

  test.each([
    ['ATTENDEE;PARTSTAT=DECLINED:MAILTO:ADA@EXAMPLE.COM', false],
    ['ATTENDEE;PARTSTAT="DECLINED":mailto:ada@example.com', false],
    ['attendee;partstat=declined:mailto:ada@example.com', false],
    ['ATTENDEE;CN="Ada; B: C";PARTSTAT=DECLINED:mailto:ada@example.com', false],
    ['ATTENDEE;PARTSTAT=DECLINED;EMAIL="ada@example.com":invalid:nomail', false],
    ['ATTENDEE;PARTSTAT=DECLINED;EMAIL=Ada@Example.com:/principals/1/', false],
    ['ATTENDEE;PARTSTAT=DECLINED:ada@example.com', false],
    ['ATTENDEE;PARTSTAT=DECLINED:mailto:bada@example.com', true],
    ['ATTENDEE;PARTSTAT=DECLINED:mailto:ada@example.com.evil.example', true],
    ['ATTENDEE;PARTSTAT=NEEDS-ACTION:mailto:ada@example.com', true],
    ['ATTENDEE;X-PARTSTAT=DECLINED:mailto:ada@example.com', true],
    ['ATTENDEE;PARTSTAT=DELEGATED:mailto:ada@example.com', true],
    ['STATUS:cancelled', false],
    ['TRANSP:Transparent', false],
    ['X-MICROSOFT-CDO-BUSYSTATUS:free', false],
    ['X-MICROSOFT-CDO-BUSYSTATUS:TENTATIVE', true],
    ['SUMMARY:STATUS:CANCELLED', true],
  ])('with %s: %s', (line, expected) => {
    expect(busy(line)).toBe(expected)
  })
})

describe('a file', () => {
  const calendar = (...lines: string[]) => ['BEGIN:VCALENDAR', ...lines, 'END:VCALENDAR'].join('\r\n')
  const event = (uid: string, ...lines: string[]) => ['BEGIN:VEVENT', `UID:${uid}`, ...lines, 'END:VEVENT']
  const freeBusy = (...lines: string[]) =>
    calendar(
      'BEGIN:VFREEBUSY',
      'UID:f',
      'DTSTART:20270501T000000Z',
      'DTEND:20270601T000000Z',
      ...lines,
      'END:VFREEBUSY',
    )
  const times = (text: string) => readFileTimes(`${text}\r\n`, ['UTC'])
  const floating = ['DTSTART:20270505T100000', 'DURATION:PT1H']

  test('of two calendars has each in its own zone', () => {
    const text = [
      calendar('X-WR-TIMEZONE:Europe/Berlin', ...event('a', ...floating)),
      calendar('X-WR-TIMEZONE:America/New_York', ...event('b', ...floating)),
    ].join('\r\n')
    expect(times(text)).toEqual([at('05-05', '08:00/09:00'), at('05-05', '14:00/15:00')])
  })

  test('of two calendars may define a name twice', () => {
    const define = (offset: string) => [
      ...['BEGIN:VTIMEZONE', 'TZID:Here', 'BEGIN:STANDARD', 'DTSTART:19700101T000000'],
      ...[`TZOFFSETFROM:${offset}`, `TZOFFSETTO:${offset}`, 'END:STANDARD', 'END:VTIMEZONE'],
    ]
    const here = ['DTSTART;TZID=Here:20270505T100000', 'DURATION:PT1H']
    const text = [
      calendar(...define('+0200'), ...event('a', ...here)),
      calendar(...define('-0400'), ...event('b', ...here)),
    ].join('\r\n')
    expect(times(text)).toEqual([at('05-05', '08:00/09:00'), at('05-05', '14:00/15:00')])
  })

  test('has a definition behind the event that needs it', () => {
    const text = calendar(
      ...event('a', 'DTSTART;TZID=Here:20270505T100000', 'DURATION:PT1H'),
      ...['BEGIN:VTIMEZONE', 'TZID:Here', 'BEGIN:STANDARD', 'DTSTART:19700101T000000', 'TZOFFSETFROM:-0400'],
      ...['TZOFFSETTO:-0400', 'END:STANDARD', 'END:VTIMEZONE'],
    )
    expect(times(text)).toEqual([at('05-05', '14:00/15:00')])
  })

  test('in lower case is read', () => {
    const text = calendar(...event('a', 'dtstart:20270505T100000Z', 'duration:PT1H'))
    expect(
      times(
        text
          .replaceAll('BEGIN:', 'begin:')
          .replaceAll('VEVENT', 'vevent')
          .replaceAll('VCALENDAR', 'vcalendar'),
      ),
    ).toEqual(on('05-05'))
  })

  test.each([
    ['a line separator of Unicode', 'DESCRIPTION:one\u2028DTSTART:20280101T000000Z'],
    ['a folded line that looks like another one', 'DESCRIPTION:a\r\n STATUS:CANCELLED'],
    ['a form feed', 'DESCRIPTION:one\fSTATUS:CANCELLED'],
    ['an empty line', ''],
    ['a fold of tabs inside a name', 'DESC\r\n\tRIPTION:x'],
    [
      'an alarm that is not ended',
      'BEGIN:VALARM\r\nTRIGGER:-PT10M\r\nSTATUS:CANCELLED\r\nTRANSP:TRANSPARENT',
    ],
  ])('with %s in an event keeps its time', (_name, line) => {
    expect(times(calendar(...event('a', 'DTSTART:20270505T100000Z', 'DURATION:PT1H', line)))).toEqual(
      on('05-05'),
    )
  })

  test.each([
    ['FREEBUSY:20270505T100000Z/PT1H', on('05-05')],
    ['FREEBUSY;FBTYPE=BUSY:20270505T100000Z/20270505T110000Z', on('05-05')],
    ['FREEBUSY;FBTYPE=BUSY-TENTATIVE:20270505T100000Z/PT1H', on('05-05')],
    ['FREEBUSY;FBTYPE=BUSY-UNAVAILABLE:20270505T100000Z/PT1H', on('05-05')],
    ['FREEBUSY;FBTYPE=X-ODD:20270505T100000Z/PT1H', on('05-05')],
    ['FREEBUSY;FBTYPE=FREE:20270505T100000Z/PT1H', []],
    ['FREEBUSY;FBTYPE=free:20270505T100000Z/PT1H', []],
    ['FREEBUSY;FBTYPE="FREE":20270505T100000Z/PT1H', []],
    ['FREEBUSY:20270505T100000Z/PT1H,20270512T100000Z/PT1H', on('05-05', '05-12')],
    ['FREEBUSY:20270505T100000Z/PT1H\r\nFREEBUSY;FBTYPE=FREE:20270512T100000Z/PT1H', on('05-05')],
    ['FREEBUSY:20270505T100000Z/later', [at('05-05', '10:00/2027-05-06T00:00')]],
    ['COMMENT:nothing', []],
  ])('of free and busy times with %s', (lines, expected) => {
    expect(times(freeBusy(lines))).toEqual(expected)
  })
})
