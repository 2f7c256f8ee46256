import { zoneCity } from '#contract/zone-names.ts'

/** `London time`, after the place that the zone is named for; null for UTC and other zones without a place. */
export function zonePlace(timeZone: string): string | null {
  if (timeZone.startsWith('Etc/') || !timeZone.includes('/')) return null
  return `${zoneCity(timeZone)} time`
}
