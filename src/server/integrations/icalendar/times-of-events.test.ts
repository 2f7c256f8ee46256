import { describe, expect, test } from 'vitest'
import { readEventTimes } from '#tests/support/read-event-times.ts'

/** The lines of an event and its busy times, derived by hand from RFC 5545. Source: rules G3, G4 and G30. */
type Case = readonly [name: string, lines: string, ...times: string[]]

function check(cases: readonly Case[]): void {
  test.each(cases)('%s', (_name, lines, ...times) => {
    expect(readEventTimes(lines.split('\n').map((line) => line.trim()))).toEqual(times)
  })
}

// Berlin's clocks change on 28 March and 31 October 2027.
const NOON_BEFORE_AUTUMN = 'DTSTART;TZID=Europe/Berlin:20271030T120000'
const NOON_BEFORE_SPRING = 'DTSTART;TZID=Europe/Berlin:20270327T120000'
const TEN = 'DTSTART:20270505T100000Z'
const ONE_HOUR = '2027-05-05T10:00/11:00'
const UNTIL_MIDNIGHT = '2027-05-05T10:00/2027-05-06T00:00'

describe('a duration', () => {
  check([
    [
      'of a day is a day on the clock, of 25 hours',
      `${NOON_BEFORE_AUTUMN}\nDURATION:P1D`,
      '2027-10-30T10:00/2027-10-31T11:00',
    ],
    [
      'of a day is a day on the clock, of 23 hours',
      `${NOON_BEFORE_SPRING}\nDURATION:P1D`,
      '2027-03-27T11:00/2027-03-28T10:00',
    ],
    [
      'of 24 hours is elapsed time',
      `${NOON_BEFORE_AUTUMN}\nDURATION:PT24H`,
      '2027-10-30T10:00/2027-10-31T10:00',
    ],
    [
      'of 1440 minutes is elapsed time',
      `${NOON_BEFORE_SPRING}\nDURATION:PT1440M`,
      '2027-03-27T11:00/2027-03-28T11:00',
    ],
    [
      'of a week is seven days on the clock',
      `${NOON_BEFORE_AUTUMN}\nDURATION:P1W`,
      '2027-10-30T10:00/2027-11-06T11:00',
    ],
    [
      'of a day and two hours is a day on the clock, then two hours',
      `${NOON_BEFORE_AUTUMN}\nDURATION:P1DT2H`,
      '2027-10-30T10:00/2027-10-31T13:00',
    ],
    ['with a sign', `${TEN}\nDURATION:+PT1H`, ONE_HOUR],
    ['that is negative takes the time before', `${TEN}\nDURATION:-PT1H`, '2027-05-05T09:00/10:00'],
    ['of minus a day takes the day before', `${TEN}\nDURATION:-P1D`, '2027-05-04T10:00/2027-05-05T10:00'],
    ['of nothing takes no time', `${TEN}\nDURATION:PT0S`],
    ['in lower case', `${TEN}\nduration:pt1h`, ONE_HOUR],
    ['of days after the T', `${TEN}\nDURATION:PT1D`, '2027-05-05T10:00/2027-05-06T10:00'],
    ['with a fraction', `${TEN}\nDURATION:PT1.5H`, '2027-05-05T10:00/11:30'],
    ['as a clock shows it', `${TEN}\nDURATION:01:30`, '2027-05-05T10:00/11:30'],
    ['of a day of days', 'DTSTART;VALUE=DATE:20270505\nDURATION:P2D', '2027-05-05T00:00/2027-05-07T00:00'],
    [
      'of hours of a day is that day',
      'DTSTART;VALUE=DATE:20270505\nDURATION:PT2H',
      '2027-05-05T00:00/2027-05-06T00:00',
    ],
    ['that cannot be read lasts until midnight', `${TEN}\nDURATION:PTxH`, UNTIL_MIDNIGHT],
    [
      'of a month, which RFC 5545 does not know, lasts until midnight',
      `${TEN}\nDURATION:P1M`,
      UNTIL_MIDNIGHT,
    ],
    ['beside an end: the longer one', `${TEN}\nDTEND:20270505T103000Z\nDURATION:PT1H`, ONE_HOUR],
    [
      'beside an end that is later: the longer one',
      `${TEN}\nDURATION:PT10M\nDTEND:20270505T110000Z`,
      ONE_HOUR,
    ],
    ['beside an end that cannot be read', `${TEN}\nDURATION:PT1H\nDTEND:later`, ONE_HOUR],
  ])
})

describe('a time', () => {
  const until = (text: string) => `${text}\nDTEND:20270505T110000Z`
  check([
    ['with dashes and colons', until('DTSTART:2027-05-05T10:00:00Z'), ONE_HOUR],
    ['with slashes and a space', until('DTSTART:2027/05/05 10:00Z'), ONE_HOUR],
    ['without seconds', until('DTSTART:20270505T1000Z'), ONE_HOUR],
    ['in lower case', until('DTSTART:20270505t100000z'), ONE_HOUR],
    ['with a space before the Z', until('DTSTART:20270505T100000 Z'), ONE_HOUR],
    ['with a fraction of a second', until('DTSTART:2027-05-05T10:00:00.000Z'), ONE_HOUR],
    ['with an offset', until('DTSTART:20270505T120000+0200'), ONE_HOUR],
    ['with a Z and a zone is in UTC', until('DTSTART;TZID=America/New_York:20270505T100000Z'), ONE_HOUR],
    ['with quotes', until('DTSTART:"20270505T100000Z"'), ONE_HOUR],
    [
      'with another parameter that has a colon',
      until('DTSTART;X-NOTE="a;b:c";TZID=Europe/Berlin:20270505T120000'),
      ONE_HOUR,
    ],
    ['with an empty zone', until('DTSTART;TZID=:20270505T100000'), ONE_HOUR],
    [
      'of 24:00:00 is the next midnight',
      'DTSTART:20270505T230000Z\nDTEND:20270505T240000Z',
      '2027-05-05T23:00/2027-05-06T00:00',
    ],
    ['of a leap second', 'DTSTART:20270505T100000Z\nDTEND:20270505T105960Z', '2027-05-05T10:00/10:59'],
    ['that is a day with dashes', 'DTSTART:2027-05-05', '2027-05-05T00:00/2027-05-06T00:00'],
    [
      'at midnight that says that it is a day',
      'DTSTART;VALUE=DATE:20270505T000000\nDTEND;VALUE=DATE:20270506T000000',
      '2027-05-05T00:00/2027-05-06T00:00',
    ],
    ['that says that it is a day and is not', until('DTSTART;VALUE=DATE:20270505T100000'), ONE_HOUR],
    ['that ends on a day ends with the day before', `${TEN}\nDTEND;VALUE=DATE:20270506`, UNTIL_MIDNIGHT],
    ['that ends on its own day takes the rest of it', `${TEN}\nDTEND;VALUE=DATE:20270505`, UNTIL_MIDNIGHT],
    [
      'that begins on a day and ends at a time takes the day',
      'DTSTART;VALUE=DATE:20270505\nDTEND:20270505T120000Z',
      '2027-05-05T00:00/2027-05-06T00:00',
    ],
    ['whose end cannot be read lasts until midnight', `${TEN}\nDTEND:tomorrow`, UNTIL_MIDNIGHT],
    [
      'whose end is on a day that does not exist lasts until midnight',
      `${TEN}\nDTEND:20270532T110000Z`,
      UNTIL_MIDNIGHT,
    ],
    [
      'whose start cannot be read is the day of its end, until then',
      'DTSTART:soon\nDTEND:20270505T110000Z',
      '2027-05-05T00:00/11:00',
    ],
    [
      'of which only the day can be read is that day',
      'DTSTART:20270505T9h\nDURATION:PT1H',
      '2027-05-05T00:00/2027-05-06T01:00',
    ],
    [
      'that begins before it ends in another zone',
      'DTSTART;TZID=Asia/Tokyo:20270505T190000\nDTEND;TZID=America/New_York:20270505T070000',
      ONE_HOUR,
    ],
    [
      'that the clocks skip',
      'DTSTART;TZID=Europe/Berlin:20270328T023000\nDURATION:PT1H',
      '2027-03-28T01:30/02:30',
    ],
    [
      'that the clocks show twice is the first one',
      'DTSTART;TZID=Europe/Berlin:20271031T023000\nDURATION:PT1H',
      '2027-10-31T00:30/01:30',
    ],
    ['given twice: the first one', `${until(TEN)}\nDTSTART:20270701T100000Z`, ONE_HOUR],
    [
      'from before there were computers',
      'DTSTART:19000101T000000Z\nDTEND:20270101T010000Z',
      '1970-01-01T00:00/2027-01-01T01:00',
    ],
    [
      'until the year 9999',
      'DTSTART:20281231T230000Z\nDTEND:99991231T235959Z',
      '2028-12-31T23:00/2201-01-01T00:00',
    ],
  ])
})

describe('a rule', () => {
  const weekly = `${TEN}\nDURATION:PT1H\nRRULE:FREQ=WEEKLY;COUNT=3`
  const on = (...days: string[]) => days.map((day) => `2027-${day}T10:00/11:00`)
  const rule = (text: string) => `${TEN}\nDURATION:PT1H\nRRULE:${text}`
  check([
    // 5 May 2027 is a Wednesday.
    [
      'whose end is before its start has the start',
      rule('FREQ=DAILY;UNTIL=20270101T000000Z'),
      ...on('05-05'),
    ],
    ['that is empty', rule(''), ...on('05-05')],
    [
      'with a day of the week that counts for nothing in a week',
      rule('FREQ=WEEKLY;BYDAY=1WE;COUNT=2'),
      ...on('05-05', '05-12'),
    ],
    ['with the names of days in full', rule('FREQ=WEEKLY;BYDAY=Wednesday;COUNT=2'), ...on('05-05', '05-12')],
    ['with spaces', rule('FREQ=WEEKLY; BYDAY=WE, FR; COUNT=3'), ...on('05-05', '05-07', '05-12')],
    ['with a comma at the end', rule('FREQ=WEEKLY;BYDAY=WE,;COUNT=2'), ...on('05-05', '05-12')],
    ['with an interval below nothing', rule('FREQ=DAILY;INTERVAL=-1;COUNT=2'), ...on('05-05', '05-06')],
    [
      'with a last day of the month that is none is each day',
      rule('FREQ=MONTHLY;BYMONTHDAY=32;UNTIL=20270507T120000Z'),
      ...on('05-05', '05-06', '05-07'),
    ],
    [
      'with an end that cannot be read has none',
      rule('FREQ=YEARLY;UNTIL=20270231'),
      ...on('05-05'),
      '2028-05-05T10:00/11:00',
    ],
    [
      'with a count that cannot be read has no end',
      rule('FREQ=YEARLY;COUNT=many'),
      ...on('05-05'),
      '2028-05-05T10:00/11:00',
    ],
    ['with a parameter', `${TEN}\nDURATION:PT1H\nRRULE;X-A=B:FREQ=DAILY;COUNT=2`, ...on('05-05', '05-06')],
    [
      'of two is the union',
      `${rule('FREQ=DAILY;COUNT=2')}\nRRULE:FREQ=WEEKLY;COUNT=2`,
      ...on('05-05', '05-06', '05-12'),
    ],
    [
      'on Friday the 13th',
      rule('FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13;UNTIL=20281231T000000Z'),
      ...on('05-05', '08-13'),
      '2028-10-13T10:00/11:00',
    ],
    // The first Monday of 2027 is 4 January.
    ['on the 20th Monday of a year', rule('FREQ=YEARLY;BYDAY=20MO;COUNT=1'), ...on('05-05', '05-17')],
    ['on Monday of week 20', rule('FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO;COUNT=1'), ...on('05-05', '05-17')],
    ['on the 200th day of a year', rule('FREQ=YEARLY;BYYEARDAY=200;COUNT=1'), ...on('05-05', '07-19')],
    ['on the last day of a year', rule('FREQ=YEARLY;BYYEARDAY=-1;COUNT=1'), ...on('05-05', '12-31')],
    [
      'on each of some days of a year that is a Friday',
      rule('FREQ=YEARLY;BYYEARDAY=126,127,128;BYDAY=FR;COUNT=1'),
      ...on('05-05', '05-07'),
    ],
    [
      'on the last working day of a month',
      rule('FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1;COUNT=2'),
      ...on('05-05', '05-31', '06-30'),
    ],
    [
      'on the second last day of a month',
      rule('FREQ=MONTHLY;BYMONTHDAY=-2;COUNT=2'),
      ...on('05-05', '05-30', '06-29'),
    ],
    [
      'at two times of a day',
      rule('FREQ=DAILY;BYHOUR=9,14;BYMINUTE=30;UNTIL=20270506T120000Z'),
      ...on('05-05'),
      '2027-05-05T14:30/15:30',
      '2027-05-06T09:30/10:30',
    ],
    [
      'on the day of the start in some months',
      rule('FREQ=YEARLY;BYMONTH=5,7;COUNT=3'),
      ...on('05-05', '07-05'),
      '2028-05-05T10:00/11:00',
    ],
    [
      'on the last Wednesday of a month of each year',
      rule('FREQ=YEARLY;BYMONTH=5;BYDAY=-1WE;COUNT=1'),
      ...on('05-05', '05-26'),
    ],
    [
      'on the fifth Monday, which few months have',
      rule('FREQ=MONTHLY;BYDAY=5MO;COUNT=2'),
      ...on('05-05', '05-31', '08-30'),
    ],
    [
      'on the 31st, which few months have',
      rule('FREQ=MONTHLY;BYMONTHDAY=31;COUNT=2'),
      ...on('05-05', '05-31', '07-31'),
    ],
    ['whose end has dashes', rule('FREQ=DAILY;UNTIL=2027-05-06T10:00:00Z'), ...on('05-05', '05-06')],
    ['whose end has an offset', rule('FREQ=DAILY;UNTIL=20270506T120000+0200'), ...on('05-05', '05-06')],
    [
      'every eight hours',
      `${TEN}\nDURATION:PT1H\nRRULE:FREQ=HOURLY;INTERVAL=8;COUNT=3`,
      '2027-05-05T10:00/11:00',
      '2027-05-05T18:00/19:00',
      '2027-05-06T02:00/03:00',
    ],
    // RFC 5545 §3.8.5.3: the first day of the week decides which weeks are skipped.
    [
      'every second week from Monday on',
      'DTSTART:20270105T100000Z\nDURATION:PT1H\nRRULE:FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=MO',
      ...on('01-05', '01-10', '01-19', '01-24'),
    ],
    [
      'every second week from Sunday on',
      'DTSTART:20270105T100000Z\nDURATION:PT1H\nRRULE:FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=SU',
      ...on('01-05', '01-17', '01-19', '01-31'),
    ],
    ['whose count includes what is excluded', `${weekly}\nEXDATE:20270512T100000Z`, ...on('05-05', '05-19')],
    [
      'without what another rule excludes',
      `${rule('FREQ=DAILY;COUNT=4')}\nEXRULE:FREQ=DAILY;INTERVAL=2`,
      ...on('05-06', '05-08'),
    ],
    [
      'with another rule that cannot be read and excludes nothing',
      `${weekly}\nEXRULE:FREQ=WEEKLY;BYDAY=never`,
      ...on('05-05', '05-12', '05-19'),
    ],
    [
      'with an excluded time that cannot be read',
      `${weekly}\nEXDATE:next week`,
      ...on('05-05', '05-12', '05-19'),
    ],
    [
      'with excluded times and spaces between them',
      `${weekly}\nEXDATE:20270505T100000Z, 20270512T100000Z`,
      ...on('05-19'),
    ],
    [
      'with an excluded time without a zone',
      `DTSTART;TZID=Europe/Berlin:20270505T120000\nDURATION:PT1H\nRRULE:FREQ=WEEKLY;COUNT=2\nEXDATE:20270505T120000`,
      ...on('05-12'),
    ],
    [
      'with an excluded time in another zone',
      `${weekly}\nEXDATE;TZID=Asia/Tokyo:20270512T190000`,
      ...on('05-05', '05-19'),
    ],
    [
      'with an excluded time that is an hour off',
      `${weekly}\nEXDATE:20270512T110000Z`,
      ...on('05-05', '05-12', '05-19'),
    ],
    [
      'with a time that is added twice',
      `${weekly}\nRDATE:20270512T100000Z`,
      ...on('05-05', '05-12', '05-19'),
    ],
    [
      'with a period',
      `${weekly}\nRDATE;VALUE=PERIOD:20270513T100000Z/20270513T120000Z,20270514T100000Z/PT30M`,
      ...on('05-05', '05-12'),
      '2027-05-13T10:00/12:00',
      '2027-05-14T10:00/10:30',
      ...on('05-19'),
    ],
    [
      'with a period in a zone',
      `${weekly}\nRDATE;VALUE=PERIOD;TZID=Europe/Berlin:20270513T120000/PT1H`,
      ...on('05-05', '05-12', '05-13', '05-19'),
    ],
    [
      'with a period whose end cannot be read',
      `${weekly}\nRDATE;VALUE=PERIOD:20270513T100000Z/later`,
      ...on('05-05', '05-12'),
      '2027-05-13T10:00/2027-05-14T00:00',
      ...on('05-19'),
    ],
    [
      'with a day that is added',
      `${weekly}\nRDATE;VALUE=DATE:20270513`,
      ...on('05-05', '05-12', '05-13', '05-19'),
    ],
    // 20:00 in Los Angeles is the next day in UTC; the weekday is that of Los Angeles.
    [
      'on the day of the week of its zone',
      'DTSTART;TZID=America/Los_Angeles:20270505T200000\nDURATION:PT1H\nRRULE:FREQ=WEEKLY;BYDAY=WE;COUNT=2',
      '2027-05-06T03:00/04:00',
      '2027-05-13T03:00/04:00',
    ],
    [
      'at a time that the clocks skip on one day',
      'DTSTART;TZID=Europe/Berlin:20270327T023000\nDURATION:PT15M\nRRULE:FREQ=DAILY;COUNT=3',
      '2027-03-27T01:30/01:45',
      '2027-03-28T01:30/01:45',
      '2027-03-29T00:30/00:45',
    ],
    [
      'until a day in UTC, of days',
      'DTSTART;VALUE=DATE:20270505\nRRULE:FREQ=DAILY;UNTIL=20270506T000000Z',
      '2027-05-05T00:00/2027-05-06T00:00',
      '2027-05-06T00:00/2027-05-07T00:00',
    ],
  ])
})

describe('a day', () => {
  test.each([
    // Cairo's clocks skip the first hour of 30 April; Lord Howe's repeat half an hour on 4 April.
    ['that begins at one o’clock', 'Africa/Cairo', '20270430', '2027-04-29T22:00/2027-04-30T21:00'],
    ['of 24 and a half hours', 'Australia/Lord_Howe', '20270404', '2027-04-03T13:00/2027-04-04T13:30'],
    ['of 23 hours', 'Europe/Berlin', '20270328', '2027-03-27T23:00/2027-03-28T22:00'],
    [
      'of a zone of the program is a day of its reader',
      'America/New_York',
      '20270505',
      '2027-05-05T04:00/2027-05-06T04:00',
    ],
  ])('%s', (_name, zone, day, expected) => {
    const lines = [`DTSTART;VALUE=DATE;TZID=Asia/Tokyo:${day}`]
    expect(readEventTimes(lines, { zones: [zone] })).toEqual([expected])
  })
})
