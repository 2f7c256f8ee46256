import { MACHINE_LOCALE } from '#core/shared/locale.ts'
import { isTimeZone } from '#core/shared/zoned-time.ts'
import { COMMON_TIME_ZONES } from './limits.ts'
import { toCurrentZoneName } from './zone-names.ts'

/** Maps zone names in lower case to their correct spelling. Built on first use, because the browser never needs it. */
let spellings: ReadonlyMap<string, string> | undefined

/** A cache that maps zone names in lower case to the names under which zones are stored. It has fewer than 700 entries. */
const storedZones = new Map<string, string>()

/**
 * Returns the name under which a zone is stored: `Europe/London` for `europe/london`, the current name for an outdated one
 * (`Asia/Kolkata` for `Asia/Calcutta`), the place for an alias (`America/New_York` for `US/Eastern`). Null when this runtime does
 * not know the zone. Source: rule T23.
 */
export function findCanonicalTimeZone(timeZone: string): string | null {
  const key = timeZone.toLowerCase()
  const known = storedZones.get(key)
  if (known !== undefined) return known
  if (!isTimeZone(timeZone)) return null
  const stored = toStoredZone(timeZone)
  storedZones.set(key, stored)
  return stored
}

function toStoredZone(timeZone: string): string {
  spellings ??= new Map(
    [...Intl.supportedValuesOf('timeZone'), ...COMMON_TIME_ZONES]
      .flatMap((zone) => [zone, toCurrentZoneName(zone)])
      .map((zone) => [zone.toLowerCase(), zone]),
  )
  const { timeZone: resolved } = new Intl.DateTimeFormat(MACHINE_LOCALE, { timeZone }).resolvedOptions()
  return toCurrentZoneName(spellings.get(timeZone.toLowerCase()) ?? resolved)
}
