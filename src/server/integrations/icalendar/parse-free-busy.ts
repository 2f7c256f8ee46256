import { readLine } from './content-line.ts'
import { type ParsedEvent, parseAddedTimes, parseDetails, type TimelessEvent } from './parse-event.ts'
import type { EventPart } from './read-calendar-file.ts'
import { NO_LENGTH } from './time-values.ts'
import type { ZoneOf } from './zones-of-file.ts'

/**
 * Parses a VFREEBUSY: each period is busy unless its type is FREE, also with an unknown type. Time between periods is
 * free. Source: RFC 5545 §3.6.4 and §3.2.9.
 */
export function parseFreeBusy({ lines: texts }: EventPart, zoneOf: ZoneOf): (ParsedEvent | TimelessEvent)[] {
  const lines = texts.map(readLine)
  const busy = lines.filter(
    ({ name, parameters }) => name === 'FREEBUSY' && parameters.get('FBTYPE')?.toUpperCase() !== 'FREE',
  )
  const { times, isReadable, isZoneKnown } = parseAddedTimes(busy, zoneOf)
  const about = { ...parseDetails(lines, new Set()), appointmentId: null, secret: null }
  const [first] = times
  // Without periods it says nothing about any time.
  if (first === undefined) return isReadable ? [] : [{ ...about, start: null }]
  return [
    {
      ...about,
      start: first.start,
      length: NO_LENGTH,
      replaces: null,
      isThisAndFuture: false,
      rules: [],
      excludedRules: [],
      added: times,
      excluded: [],
      isReadable,
      isZoneKnown,
    },
  ]
}
