import { COMMON_TIME_ZONES } from '#contract/shared/limits.ts'
import { toCurrentZoneName, zoneCityOf } from '#contract/shared/zone-names.ts'
import type { Option } from '#web/ui/select.tsx'

/**
 * Lists all time zones that the browser knows, by their current names: the most common first, then all others. Includes `known`
 * even if the browser does not support it. Source: rule C8.
 */
export function timeZoneOptions(known: string): Option[] {
  const zones = new Set<string>(COMMON_TIME_ZONES)
  for (const zone of Intl.supportedValuesOf('timeZone')) zones.add(toCurrentZoneName(zone))
  zones.add(known)
  return [...zones].map((zone) => ({ value: zone, label: labelOf(zone) }))
}

function labelOf(zone: string): string {
  const city = zoneCityOf(zone)
  return city === zone ? zone : `${city} (${zone})`
}
