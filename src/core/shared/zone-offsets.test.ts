import { afterEach, describe, expect, test, vi } from 'vitest'
import * as fc from '#tests/support/fast-check.ts'
import { DAY_MS } from './duration.ts'
import { findOffsetPeriodIndex, getZoneOffsets, type ZoneOffsets } from './zone-offsets.ts'
import { makeUtcOffsetLookup } from './zone-probe.ts'

const YEAR_MS = 365.25 * DAY_MS
const NOW_MS = Date.UTC(2027, 0, 4)
/** More than the forty years that the cached table can cover, so that it has to drop other years. */
const FAR_MS = Date.UTC(2200, 5)
/** Maximum number of lookups for four years: one lookup every third day, plus some for each of eight clock changes. */
const CHUNK_ANSWERS = 1_461 / 3 + 8 * 30

afterEach(() => vi.restoreAllMocks())

describe('lookups of offsets in the runtime', () => {
  test('are made once for all years ahead', () => {
    // Other tests in this process may have loaded these years. Looking up a distant year makes the table drop them.
    getZoneOffsets('America/Noronha', FAR_MS, FAR_MS)
    const answers = countAnswers()
    getZoneOffsets('America/Noronha', NOW_MS, NOW_MS + 2 * YEAR_MS)
    expect(answers()).toBeLessThan(CHUNK_ANSWERS)
    for (let day = 0; day < 730; day += 1)
      getZoneOffsets('America/Noronha', NOW_MS + day * DAY_MS, NOW_MS + day * DAY_MS)
    expect(answers()).toBe(0)
  })

  test('skip the years between now and a distant year', () => {
    getZoneOffsets('America/Asuncion', NOW_MS, NOW_MS)
    const answers = countAnswers()
    for (const atMs of [Date.UTC(1970, 5), Date.UTC(2200, 5), Date.UTC(2120, 5)]) {
      getZoneOffsets('America/Asuncion', atMs, atMs)
      expect(answers()).toBeLessThan(CHUNK_ANSWERS)
    }
    // The current years were dropped, so they are looked up once more and are cached from then on.
    getZoneOffsets('America/Asuncion', NOW_MS, NOW_MS)
    expect(answers()).toBeLessThan(CHUNK_ANSWERS)
    getZoneOffsets('America/Asuncion', NOW_MS, NOW_MS)
    expect(answers()).toBe(0)
  })

  test('are not repeated for the same twenty past years', () => {
    const questions = Array.from({ length: 20 }, (_, i) => NOW_MS - i * YEAR_MS)
    // Clears the table. Future years loaded by another test would be merged with these, until the range exceeds the table's
    // maximum.
    getZoneOffsets('America/Caracas', FAR_MS, FAR_MS)
    for (const atMs of questions) getZoneOffsets('America/Caracas', atMs, atMs)
    const answers = countAnswers()
    for (const atMs of questions) getZoneOffsets('America/Caracas', atMs, atMs)
    expect(answers()).toBe(0)
  })

  test('are cached for the last 700 zones only', () => {
    const names = Array.from({ length: 700 }, (_, i) => spell('america/porto_velho', i))
    getZoneOffsets('America/La_Paz', NOW_MS, NOW_MS)
    for (const name of names) getZoneOffsets(name, NOW_MS, NOW_MS)
    const answers = countAnswers()
    getZoneOffsets(names.at(-1) ?? '', NOW_MS, NOW_MS)
    expect(answers()).toBe(0)
    getZoneOffsets('America/La_Paz', NOW_MS, NOW_MS)
    expect(answers()).toBeGreaterThan(100)
  })
})

test('the offsets equal those of the runtime, whatever was looked up before', () => {
  const zones = ['Europe/London', 'Australia/Lord_Howe', 'Africa/Casablanca', 'America/St_Johns']
  const anyMs = fc.integer({ min: Date.UTC(1970, 0, 3), max: Date.UTC(2200, 11, 30) })
  const anyDays = fc.integer({ min: 0, max: 800 })
  fc.assert(
    fc.property(
      fc.constantFrom(...zones),
      fc.array(fc.tuple(anyMs, anyDays), { minLength: 1 }),
      (zone, asked) => {
        const probe = makeUtcOffsetLookup(zone)
        for (const [fromMs, days] of asked) {
          const untilMs = Math.min(fromMs + days * DAY_MS, Date.UTC(2200, 11, 31))
          const known = getZoneOffsets(zone, fromMs, untilMs)
          for (const atMs of [fromMs, untilMs, (fromMs + untilMs) / 2]) {
            expect(offsetAt(known, Math.floor(atMs))).toBe(probe(Math.floor(atMs)))
          }
        }
      },
    ),
    { numRuns: 30 },
  )
})

function offsetAt(zone: ZoneOffsets, atMs: number): number | undefined {
  return zone.offsetMs[findOffsetPeriodIndex(zone, atMs)]
}

/**
 * Returns a function that counts the offset lookups in the runtime since its last call. `format` is a getter that each lookup
 * reads.
 */
function countAnswers(): () => number {
  const spy = vi.spyOn(Intl.DateTimeFormat.prototype as { format: unknown }, 'format', 'get')
  return () => {
    const count = spy.mock.calls.length
    spy.mockClear()
    return count
  }
}

/** Returns one of many spellings of a name: the bits of `number` determine which letters are upper case. */
function spell(name: string, number: number): string {
  let place = 0
  return name.replace(/[a-z]/g, (letter) => ((number >> place++) & 1 ? letter.toUpperCase() : letter))
}
