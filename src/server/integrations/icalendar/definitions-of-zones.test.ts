import { describe, expect, test } from 'vitest'
import { readEventTimes } from '#tests/support/read-event-times.ts'

/**
 * Reads an event from 10:00 to 11:00, on days of 2027, in a zone that the file defines. Source: rule G4; RFC 5545
 * §3.6.5.
 */
function read(
  definition: readonly string[],
  { tzid = 'Here', days = ['20270505'] }: { readonly tzid?: string; readonly days?: readonly string[] } = {},
): string[] {
  const times = days.map((day) => `RDATE;TZID=${tzid}:${day}T100000`).slice(1)
  return readEventTimes([`DTSTART;TZID=${tzid}:${days[0]}T100000`, 'DURATION:PT1H', ...times], {
    around: definition,
  })
}

const zone = (...parts: (readonly string[])[]) => named('Here', ...parts)
const named = (tzid: string, ...parts: (readonly string[])[]) => [
  ...['BEGIN:VTIMEZONE', `TZID:${tzid}`],
  ...parts.flat(),
  'END:VTIMEZONE',
]
const part = (kind: string, start: string, from: string, to: string, ...lines: string[]) => [
  ...[`BEGIN:${kind}`, `DTSTART:${start}`, `TZOFFSETFROM:${from}`, `TZOFFSETTO:${to}`],
  ...[...lines, `END:${kind}`],
]

/** Days in Berlin's zone, on both sides of each clock change: 14 January, 27 and 28 March, 30 and 31 October. */
const DAYS = ['20270114', '20270327', '20270328', '20271030', '20271031']
const AS_IN_BERLIN = [
  '2027-01-14T09:00/10:00',
  '2027-03-27T09:00/10:00',
  '2027-03-28T08:00/09:00',
  '2027-10-30T08:00/09:00',
  '2027-10-31T09:00/10:00',
]

describe('the clocks of a definition', () => {
  test.each([
    [
      'whose rules name hours and minutes, as Notes writes them',
      zone(
        part(
          'STANDARD',
          '19501029T020000',
          '+0200',
          '+0100',
          'RRULE:FREQ=YEARLY;BYMINUTE=0;BYHOUR=3;BYDAY=-1SU;BYMONTH=10',
        ),
        part(
          'DAYLIGHT',
          '19500326T020000',
          '+0100',
          '+0200',
          'RRULE:FREQ=YEARLY;BYMINUTE=0;BYHOUR=2;BYDAY=-1SU;BYMONTH=3',
        ),
      ),
    ],
    [
      'that lists each change as a date',
      zone(
        part('STANDARD', '20261025T030000', '+0200', '+0100', 'RDATE:20271031T030000,20281029T030000'),
        part(
          'DAYLIGHT',
          '20260329T020000',
          '+0100',
          '+0200',
          'RDATE:20270328T020000',
          'RDATE:20280326T020000',
        ),
      ),
    ],
    [
      'that has a part for each change, in any order',
      zone(
        part('STANDARD', '20271031T030000', '+0200', '+0100'),
        part('DAYLIGHT', '20270328T020000', '+0100', '+0200'),
        part('STANDARD', '20261025T030000', '+0200', '+0100'),
      ),
    ],
    [
      'whose rule of earlier years has ended',
      zone(
        part(
          'DAYLIGHT',
          '19800406T020000',
          '+0100',
          '+0300',
          'RRULE:FREQ=YEARLY;BYMONTH=4;BYDAY=1SU;UNTIL=19951231T000000Z',
        ),
        part('DAYLIGHT', '19960331T020000', '+0100', '+0200', 'RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU'),
        part('STANDARD', '19961027T030000', '+0200', '+0100', 'RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU'),
      ),
    ],
    [
      'whose onsets are written in UTC',
      zone(
        part('DAYLIGHT', '19960331T010000Z', '+0100', '+0200', 'RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU'),
        part('STANDARD', '19961027T010000Z', '+0200', '+0100', 'RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU'),
      ),
    ],
    [
      'in lower case and with odd spaces',
      zone(
        part('daylight', '19960331T020000', ' +0100', '+02:00', 'rrule:freq=yearly;bymonth=3;byday=-1su'),
        part('standard', '19961027T030000', '+02:00', '+01', 'rrule:freq=yearly;bymonth=10;byday=-1su'),
      ),
    ],
    [
      'whose last Sunday is named by the days of the month',
      zone(
        part(
          'DAYLIGHT',
          '19960331T020000',
          '+0100',
          '+0200',
          'RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=SU;BYMONTHDAY=25,26,27,28,29,30,31',
        ),
        part(
          'STANDARD',
          '19961027T030000',
          '+0200',
          '+0100',
          'RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=SU;BYMONTHDAY=25,26,27,28,29,30,31',
        ),
      ),
    ],
  ])('%s', (_name, definition) => {
    expect(read(definition, { days: DAYS })).toEqual(AS_IN_BERLIN)
  })

  test.each([
    [
      'fixed and odd',
      zone(part('STANDARD', '20200101T000000', '-0330', '-0330')),
      ['2027-05-05T13:30/14:30'],
    ],
    [
      'fixed with seconds',
      zone(part('STANDARD', '18900101T000000', '+005328', '+005328')),
      ['2027-05-05T09:06/10:06'],
    ],
    [
      'fixed at +05:45',
      zone(part('STANDARD', '19860101T000000', '+0530', '+0545')),
      ['2027-05-05T04:15/05:15'],
    ],
    [
      'without a start',
      zone(['BEGIN:STANDARD', 'TZOFFSETFROM:-0500', 'TZOFFSETTO:-0500', 'END:STANDARD']),
      ['2027-05-05T15:00/16:00'],
    ],
    [
      'without the offset before',
      zone(['BEGIN:STANDARD', 'DTSTART:19700101T000000', 'TZOFFSETTO:-0500', 'END:STANDARD']),
      ['2027-05-05T15:00/16:00'],
    ],
    // Before its first onset a zone has the offset from which that onset changes.
    [
      'with an onset that comes later',
      zone(part('STANDARD', '20271101T020000', '-0400', '-0500')),
      ['2027-05-05T14:00/15:00'],
    ],
    [
      'of rules before 2007',
      zone(
        part('STANDARD', '19671029T020000', '-0400', '-0500', 'RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10'),
        part('DAYLIGHT', '19870405T020000', '-0500', '-0400', 'RRULE:FREQ=YEARLY;BYDAY=1SU;BYMONTH=4'),
      ),
      ['2027-05-05T14:00/15:00'],
    ],
    [
      'of a summer without an end',
      zone(part('DAYLIGHT', '20270301T020000', '-0500', '-0400')),
      ['2027-05-05T14:00/15:00'],
    ],
    [
      'that is given twice: the last one',
      [
        ...zone(part('STANDARD', '19700101T000000', '+0500', '+0500')),
        ...zone(part('STANDARD', '19700101T000000', '-0500', '-0500')),
      ],
      ['2027-05-05T15:00/16:00'],
    ],
    // If an offset is unreadable, one of the others applies: +1 or +2.
    [
      'with an offset that cannot be read',
      zone(
        part('STANDARD', '19961027T030000', '+0200', 'east'),
        part('DAYLIGHT', '19960331T020000', '+0100', '+0200'),
      ),
      ['2027-05-05T08:00/10:00'],
    ],
    [
      'with a rule that cannot be read',
      zone(
        part('STANDARD', '19961027T030000', '+0200', '+0100', 'RRULE:FREQ=YEARLY;BYDAY=LAST;BYMONTH=10'),
        part('DAYLIGHT', '19960331T020000', '+0100', '+0200', 'RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3'),
      ),
      ['2027-05-05T08:00/10:00'],
    ],
  ])('%s', (_name, definition, expected) => {
    expect(read(definition)).toEqual(expected)
  })

  test.each([
    [
      'the names differ in case, quotes and spaces',
      named(' "here"', part('STANDARD', '19700101T000000', '-0500', '-0500')),
      'HERE ',
      '2027-05-05T15:00/16:00',
    ],
    [
      'an IANA name means itself, whatever the definition gets wrong',
      named('Europe/Berlin', part('STANDARD', '19700101T000000', '+0100', '+0100')),
      'Europe/Berlin',
      '2027-05-05T08:00/09:00',
    ],
    [
      'an IANA name means its definition where the two never agree',
      named('Europe/Berlin', part('STANDARD', '19700101T000000', '-0500', '-0500')),
      'Europe/Berlin',
      '2027-05-05T15:00/16:00',
    ],
    [
      'a definition counts before what its name usually means',
      named('Eastern', part('STANDARD', '19700101T000000', '+0900', '+0900')),
      'Eastern',
      '2027-05-05T01:00/02:00',
    ],
    [
      'a definition of another zone says nothing',
      named('There', part('STANDARD', '19700101T000000', '-0500', '-0500')),
      'Berlin',
      '2027-05-05T08:00/09:00',
    ],
    [
      'the place in a definition without rules counts',
      ['BEGIN:VTIMEZONE', 'TZID:Here', 'X-LIC-LOCATION:Europe/Berlin', 'END:VTIMEZONE'],
      'Here',
      '2027-05-05T08:00/09:00',
    ],
  ])('%s', (_name, definition, tzid, expected) => {
    expect(read(definition, { tzid })).toEqual([expected])
  })
})
