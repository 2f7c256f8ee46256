import { describe, expect, test } from 'vitest'
import { readEventTimes } from '#tests/support/read-event-times.ts'

/**
 * Reads an event on 5 May 2027, from 10:00 to 11:00, in a zone identified only by its name. Source: rules G4 and G30.
 */
const read = (tzid: string) => readEventTimes([`DTSTART;TZID=${tzid}:20270505T100000`, 'DURATION:PT1H'])

const BERLIN = '2027-05-05T08:00/09:00'
const LONDON = '2027-05-05T09:00/10:00'
const UTC = '2027-05-05T10:00/11:00'
const NEW_YORK = '2027-05-05T14:00/15:00'
const CHICAGO = '2027-05-05T15:00/16:00'
const DENVER = '2027-05-05T16:00/17:00'
const LOS_ANGELES = '2027-05-05T17:00/18:00'
const SYDNEY = '2027-05-05T00:00/01:00'
const KOLKATA = '2027-05-05T04:30/05:30'
/** The time from 10:00 in the easternmost zone to 11:00 in the westernmost one. */
const ANYWHERE = '2027-05-04T20:00/2027-05-05T23:00'

describe('a name means a zone', () => {
  test.each([
    // Cities, accents and variants of IANA names.
    ['Zurich', BERLIN],
    ['Berlin', BERLIN],
    ['Zürich', BERLIN],
    ['Zuerich', BERLIN],
    ['München', BERLIN],
    ['Europe/Zürich', BERLIN],
    ['europe/berlin', BERLIN],
    ['EUROPE/BERLIN', BERLIN],
    ['"Europe/Berlin"', BERLIN],
    [' Europe/Berlin ', BERLIN],
    ['Europe-Berlin', BERLIN],
    ['Europe/Berlin 1', BERLIN],
    ['Europe/Berlin (2)', BERLIN],
    ['Europe/Frankfurt', BERLIN],
    ['Europe/Munich', BERLIN],
    ['Asia/Beijing', '2027-05-05T02:00/03:00'],
    ['America/New York', NEW_YORK],
    ['America/Buenos_Aires', '2027-05-05T13:00/14:00'],
    ['America/Argentina/Buenos_Aires', '2027-05-05T13:00/14:00'],
    ['US/Eastern', NEW_YORK],
    ['EST5EDT', NEW_YORK],
    ['Asia/Calcutta', KOLKATA],
    ['Asia/Kathmandu', '2027-05-05T04:15/05:15'],
    ['Europe/Kiev', '2027-05-05T07:00/08:00'],
    // Prefixes that programs add.
    ['/mozilla.org/20070129_1/Europe/Berlin', BERLIN],
    ['/freeassociation.sourceforge.net/Tzfile/Europe/Berlin', BERLIN],
    ['/freeassociation.sourceforge.net/Europe/Berlin', BERLIN],
    ['/citadel.org/20210210_1/Europe/Berlin', BERLIN],
    ['/softwarestudio.org/Olson_20011030_5/Europe/Berlin', BERLIN],
    ['/mozilla.org/20070129_1/America/Argentina/Buenos_Aires', '2027-05-05T13:00/14:00'],
    ['/mozilla.org/20050126_1/America/New_York', NEW_YORK],
    // Windows names, with suffixes that programs add.
    ['W. Europe Standard Time', BERLIN],
    ['W. Europe Standard Time 1', BERLIN],
    ['W. Europe Standard Time_2', BERLIN],
    ['W. Europe Daylight Time', BERLIN],
    ['Romance Standard Time', BERLIN],
    ['Central Europe Standard Time', BERLIN],
    ['Central European Standard Time', BERLIN],
    ['E. Europe Standard Time', '2027-05-05T07:00/08:00'],
    ['GMT Standard Time', LONDON],
    ['GMT Daylight Time', LONDON],
    ['Greenwich Standard Time', UTC],
    ['Eastern Standard Time', NEW_YORK],
    ['Eastern Standard Time 1', NEW_YORK],
    ['Eastern Daylight Time', NEW_YORK],
    ['Central Standard Time', CHICAGO],
    ['Central Standard Time (Mexico)', DENVER],
    ['Central America Standard Time', DENVER],
    ['Mountain Standard Time', DENVER],
    ['US Mountain Standard Time', LOS_ANGELES],
    ['Pacific Standard Time', LOS_ANGELES],
    ['AUS Eastern Standard Time', SYDNEY],
    ['India Standard Time', KOLKATA],
    // Their display names in Windows and Outlook.
    ['Pacific Time (US & Canada)', LOS_ANGELES],
    ['Eastern Time (US & Canada)', NEW_YORK],
    ['(UTC-05:00) Eastern Time (US & Canada)', NEW_YORK],
    ['"(UTC-05:00) Eastern Time (US & Canada)"', NEW_YORK],
    ['(GMT-08.00) Pacific Time (US & Canada)/Tijuana', LOS_ANGELES],
    ['(UTC+01:00) Amsterdam, Berlin', BERLIN],
    ['"(UTC+01:00) Amsterdam, Berlin, Bern, Rome, Stockholm, Vienna"', BERLIN],
    ['(UTC+01:00) Amsterdam\\, Berlin\\, Bern', BERLIN],
    ['(GMT+01:00) Sarajevo/Warsaw/Zagreb', BERLIN],
    ['(UTC) Dublin, Edinburgh, Lisbon, London', LONDON],
    ['(UTC+00:00) Dublin, Edinburgh, Lisbon, London', LONDON],
    ['(UTC) Coordinated Universal Time', UTC],
    ['(UTC+03:00) Kuwait, Riyadh', '2027-05-05T07:00/08:00'],
    ['(UTC+05:30) Chennai, Kolkata, Mumbai, New Delhi', KOLKATA],
    ['(UTC+10:00) Canberra, Melbourne, Sydney', SYDNEY],
    ['(UTC-06:00) Central America', DENVER],
    ['(UTC-07:00) Arizona', LOS_ANGELES],
    ['(UTC-06:00) Guadalajara, Mexico City, Monterrey', DENVER],
    ['(UTC-07:00) Mountain Time (US & Canada)', DENVER],
    // Offsets. The signs of Etc zones are inverted.
    ['UTC+2', BERLIN],
    ['GMT+0200', BERLIN],
    ['+02:00', BERLIN],
    ['UTC-05:00', CHICAGO],
    ['Etc/GMT+5', CHICAGO],
    ['Etc/GMT-2', BERLIN],
    ['Etc/UTC', UTC],
    ['GMT', UTC],
    ['tzone://Microsoft/Utc', UTC],
    ['UTC+05:45', '2027-05-05T04:15/05:15'],
    ['', UTC],
  ])('%s', (tzid, expected) => {
    expect(read(tzid)).toEqual([expected])
  })
})

describe('a name that may mean several zones takes the time of all of them', () => {
  test.each([
    ['Arrakis', ANYWHERE],
    ['Customized Time Zone', ANYWHERE],
    ['Customized Time Zone 1', ANYWHERE],
    ['tzone://Microsoft/Custom', ANYWHERE],
    ['CST', ANYWHERE],
    ['UTC+99', ANYWHERE],
    // The result covers the stated offset and that of summer time.
    ['(UTC+01:00) Somewhere', '2027-05-05T08:00/10:00'],
    // The place contradicts the offset.
    ['(UTC+01:00) Tokyo', '2027-05-05T01:00/10:00'],
  ])('%s', (tzid, expected) => {
    expect(read(tzid)).toEqual([expected])
  })
})
