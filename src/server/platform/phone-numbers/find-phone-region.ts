import { type CountryCode, getCountries } from 'libphonenumber-js/min'
import { toCurrentZone } from '#contract/shared/zone-names.ts'

/** Time zone → country, from the runtime's Unicode data; built on first use. */
let regions: ReadonlyMap<string, CountryCode> | undefined

/**
 * Returns the country whose national phone numbers are used in a time zone: `AT` for `Europe/Vienna`. Undefined for
 * zones without a country, such as `UTC`. Source: rule Y15.
 */
export function findPhoneRegion(timeZone: string): CountryCode | undefined {
  regions ??= new Map(
    getCountries().flatMap((country) =>
      listZonesOf(country).flatMap((zone) => [
        [zone, country] as const,
        [toCurrentZone(zone), country] as const,
      ]),
    ),
  )
  return regions.get(timeZone)
}

function listZonesOf(country: CountryCode): readonly string[] {
  const locale: LocaleWithZones = new Intl.Locale('und', { region: country })
  return locale.getTimeZones?.() ?? locale.timeZones ?? []
}

/** Node 20 has a property and Node 24 a method; the ES2024 types have neither. */
type LocaleWithZones = Intl.Locale & {
  readonly timeZones?: readonly string[]
  readonly getTimeZones?: () => readonly string[] | undefined
}
