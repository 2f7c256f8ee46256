import { type CountryCode, getCountries } from 'libphonenumber-js/min'
import { presentZone } from '#contract/zone-names.ts'

/** Time zone → country, from the Unicode data of the runtime. Made when first needed. */
let regions: ReadonlyMap<string, CountryCode> | undefined

/**
 * The country in which people dial national numbers in a time zone: `AT` for `Europe/Vienna`. Undefined for a zone without a country,
 * such as `UTC`. Source: rule Y15.
 */
export function findPhoneRegion(timeZone: string): CountryCode | undefined {
  regions ??= new Map(
    getCountries().flatMap((country) =>
      listZonesOf(country).flatMap((zone) => [
        [zone, country] as const,
        [presentZone(zone), country] as const,
      ]),
    ),
  )
  return regions.get(timeZone)
}

function listZonesOf(country: CountryCode): readonly string[] {
  const locale: LocaleWithZones = new Intl.Locale('und', { region: country })
  return locale.getTimeZones?.() ?? locale.timeZones ?? []
}

/** Node 20 has a property, and Node 24 a method, which the types of ES2024 do not know. */
type LocaleWithZones = Intl.Locale & {
  readonly timeZones?: readonly string[]
  readonly getTimeZones?: () => readonly string[] | undefined
}
