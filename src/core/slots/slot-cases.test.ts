import { expect, test } from 'vitest'
import { localTimeOf } from '#core/shared/zoned-time.ts'
import slotCases from '#tests/cases/slots.json' with { type: 'json' }
import { NO_LIMITS } from './booking-limits.ts'
import { NO_OWNERS_WORK } from './occupied-time.ts'
import { listOpenSlots } from './open-slots.ts'
import { DEFAULT_SLOT_RULES, type SlotIntervalMinutes } from './slot-rules.ts'

type SlotCase = (typeof slotCases.cases)[number]

/** Runs the rules' examples from a data file: the complete result for a date, with the labels that people see. */
for (const { name, input, expected } of slotCases.cases) {
  test(name, () => {
    expect(answerTo(input)).toEqual(expected)
  })
}

function answerTo(input: SlotCase['input']) {
  const timeZone = input.timezone
  const days = listOpenSlots({
    firstDate: input.date,
    dayCount: 1,
    timeZone,
    durationMinutes: input.duration_minutes,
    ...NO_OWNERS_WORK,
    ...NO_LIMITS,
    rules: {
      ...DEFAULT_SLOT_RULES,
      // The file contains only 15, 30 and 60.
      slotMinutes: input.slot_duration_minutes as SlotIntervalMinutes,
      bufferMinutes: input.buffer_time_minutes,
      maxDurationMinutes: input.max_appointment_duration_minutes,
    },
    openings: input.availability.map((opening) => ({
      dayOfWeek: opening.day_of_week,
      startSeconds: secondsOf(opening.start_time),
      endSeconds: secondsOf(opening.end_time),
    })),
    specialDays: [],
    busy: input.busy.map(toInterval),
    locationBusy: input.location_busy.map(toInterval),
    nowMs: input.now === null ? null : Date.parse(input.now),
  })
  return days.flatMap((day) =>
    day.startsMs.map((startMs) => ({
      starts_at: new Date(startMs).toISOString().replace('.000Z', 'Z'),
      slot_start: localTimeOf(startMs, timeZone),
      slot_end: localTimeOf(startMs + input.duration_minutes * 60_000, timeZone),
    })),
  )
}

function secondsOf(time: string): number {
  const [hours = 0, minutes = 0, seconds = 0] = time.split(':').map(Number)
  return (hours * 60 + minutes) * 60 + seconds
}

function toInterval([start = '', end = '']: readonly string[]) {
  return { startMs: Date.parse(start), endMs: Date.parse(end) }
}
