import { MACHINE_LOCALE } from '#core/shared/locale.ts'
import { isTimeZone } from '#core/shared/zoned-time.ts'
import { LISTED_TIME_ZONES } from './limits.ts'
import { presentZone } from './zone-names.ts'

/** Lower case → the name as it is written. Made when first needed: the browser never needs it. */
let spellings: ReadonlyMap<string, string> | undefined

/**
 * Lower case → the name under which it is stored, for zones that were asked about. There are fewer than 700 of them.
 */
const storedZones = new Map<string, string>()

/**
 * The one name under which a zone is stored: `Europe/London` for `europe/london`, the present name for an older one
 * (`Asia/Kolkata` for `Asia/Calcutta`), the place for an alias (`America/New_York` for `US/Eastern`). Null when this
 * runtime does not know the zone. Source: rule T23.
 */
export function findStoredZone(timeZone: string): string | null {
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
    [...Intl.supportedValuesOf('timeZone'), ...LISTED_TIME_ZONES]
      .flatMap((zone) => [zone, presentZone(zone)])
      .map((zone) => [zone.toLowerCase(), zone]),
  )
  const { timeZone: resolved } = new Intl.DateTimeFormat(MACHINE_LOCALE, { timeZone }).resolvedOptions()
  return presentZone(spellings.get(timeZone.toLowerCase()) ?? resolved)
}
