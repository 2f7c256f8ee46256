import { LISTED_TIME_ZONES } from '#contract/limits.ts'
import { zoneCity } from '#contract/zone-names.ts'
import type { Option } from '#web/ui/select.tsx'

/** Names that places have today, for zones that some browsers list under an older one. */
const PRESENT_NAMES: Readonly<Record<string, string>> = {
  'Africa/Asmera': 'Asmara',
  'America/Godthab': 'Nuuk',
  'Asia/Calcutta': 'Kolkata',
  'Asia/Katmandu': 'Kathmandu',
  'Asia/Rangoon': 'Yangon',
  'Asia/Saigon': 'Ho Chi Minh City',
  'Atlantic/Faeroe': 'Faroe',
  'Europe/Kiev': 'Kyiv',
  'Pacific/Enderbury': 'Kanton',
  'Pacific/Ponape': 'Pohnpei',
  'Pacific/Truk': 'Chuuk',
}

/**
 * Every time zone the browser knows: the listed ones first (spec §9), then all others by name. `known` is in the
 * list whatever the browser thinks of it.
 */
export function timeZoneOptions(known: string): Option[] {
  const zones = new Set<string>(LISTED_TIME_ZONES.map(([zone]) => zone))
  for (const zone of Intl.supportedValuesOf('timeZone')) zones.add(zone)
  zones.add(known)
  return [...zones].map((zone) => ({ value: zone, label: labelOf(zone) }))
}

function labelOf(zone: string): string {
  const city = PRESENT_NAMES[zone] ?? zoneCity(zone)
  return city === zone ? zone : `${city} (${zone})`
}
