import { MACHINE_LOCALE } from '#core/shared/locale.ts'
import { LISTED_TIME_ZONES } from './limits.ts'
import { presentZone } from './zone-names.ts'

/** Lower case → the name as it is written. Made when first needed: the browser never needs it. */
let spellings: ReadonlyMap<string, string> | undefined

/**
 * The one name under which a zone is stored: `Europe/London` for `europe/london`, the present name for an older one
 * (`Asia/Kolkata` for `Asia/Calcutta`), the place for an alias (`America/New_York` for `US/Eastern`).
 * @throws RangeError when this runtime does not know the zone: ask `isTimeZone` first
 */
export function toStoredZone(timeZone: string): string {
  spellings ??= new Map(
    [...Intl.supportedValuesOf('timeZone'), ...LISTED_TIME_ZONES.map(([zone]) => zone)]
      .flatMap((zone) => [zone, presentZone(zone)])
      .map((zone) => [zone.toLowerCase(), zone]),
  )
  const { timeZone: resolved } = new Intl.DateTimeFormat(MACHINE_LOCALE, { timeZone }).resolvedOptions()
  return presentZone(spellings.get(timeZone.toLowerCase()) ?? resolved)
}
