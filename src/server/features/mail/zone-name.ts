import { zoneCity } from '#contract/zone-names.ts'

/** `London time`, after the city in the zone's name; null for UTC and other zones without a city. */
export function zoneCityName(timeZone: string): string | null {
  if (timeZone.startsWith('Etc/') || !timeZone.includes('/')) return null
  return `${zoneCity(timeZone)} time`
}
