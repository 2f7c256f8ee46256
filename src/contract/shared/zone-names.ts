/** Names of time zones, for screens and emails. */

/** Each locale abbreviates only the zones of its own region: BST, CET, NST, AEDT, NZDT, IST. */
const ABBREVIATION_LOCALES = ['en-US', 'en-GB', 'en-CA', 'en-AU', 'en-NZ', 'en-IN']

/** Maximum number of cached zones. More than there are zones. */
const MOST_ZONES = 700
const formats = new Map<string, readonly Intl.DateTimeFormat[]>()

/**
 * Returns the formats of a zone. Cached, because building one takes about 50 µs, and lists of times use the same zone again and
 * again.
 */
function formatsOf(timeZone: string): readonly Intl.DateTimeFormat[] {
  const known =
    formats.get(timeZone) ??
    ABBREVIATION_LOCALES.map((locale) => new Intl.DateTimeFormat(locale, { timeZone, timeZoneName: 'short' }))
  if (formats.size < MOST_ZONES) formats.set(timeZone, known)
  return known
}

/** Returns `GMT`, `BST` or `EST` at an instant, or an offset such as `GMT+5:45` where no abbreviation is in use. */
export function zoneAbbreviation(timeZone: string, epochMs: number): string {
  const names = formatsOf(timeZone).map(
    (format) => format.formatToParts(epochMs).find((part) => part.type === 'timeZoneName')?.value ?? timeZone,
  )
  return names.find((name) => !/^(GMT|UTC)[+\-−]/.test(name)) ?? names[0] ?? timeZone
}

/** The current names of zones that some browsers still report under an older name (IANA `backward`). */
const CURRENT_ZONES: Readonly<Record<string, string>> = {
  'Africa/Asmera': 'Africa/Asmara',
  'America/Buenos_Aires': 'America/Argentina/Buenos_Aires',
  'America/Catamarca': 'America/Argentina/Catamarca',
  'America/Coral_Harbour': 'America/Atikokan',
  'America/Cordoba': 'America/Argentina/Cordoba',
  'America/Godthab': 'America/Nuuk',
  'America/Indianapolis': 'America/Indiana/Indianapolis',
  'America/Jujuy': 'America/Argentina/Jujuy',
  'America/Louisville': 'America/Kentucky/Louisville',
  'America/Mendoza': 'America/Argentina/Mendoza',
  'Asia/Calcutta': 'Asia/Kolkata',
  'Asia/Katmandu': 'Asia/Kathmandu',
  'Asia/Rangoon': 'Asia/Yangon',
  'Asia/Saigon': 'Asia/Ho_Chi_Minh',
  'Atlantic/Faeroe': 'Atlantic/Faroe',
  'Europe/Kiev': 'Europe/Kyiv',
  'Pacific/Enderbury': 'Pacific/Kanton',
  'Pacific/Ponape': 'Pacific/Pohnpei',
  'Pacific/Truk': 'Pacific/Chuuk',
}

/** Returns the current name of a zone: `Asia/Kolkata` for `Asia/Calcutta`. */
export function toCurrentZoneName(timeZone: string): string {
  return CURRENT_ZONES[timeZone] ?? timeZone
}

/** A zone named after its offset. IANA inverts the sign: `Etc/GMT+5` is five hours behind UTC. */
const OFFSET_ZONE = /GMT([+-])(\d+)$/

/** Returns the city in a zone's name: `New York` for `America/New_York`. Returns `GMT-5` for `Etc/GMT+5`. */
export function zoneCityOf(timeZone: string): string {
  const [, sign, hours] = OFFSET_ZONE.exec(timeZone) ?? []
  if (sign) return hours === '0' ? 'GMT' : `GMT${sign === '+' ? '-' : '+'}${hours}`
  const current = toCurrentZoneName(timeZone)
  return (current.split('/').at(-1) ?? current).replaceAll('_', ' ')
}

/** Returns a name such as `London time`; null for UTC and other zones without a city. */
export function findZoneCityTimeName(timeZone: string): string | null {
  if (timeZone.startsWith('Etc/') || !timeZone.includes('/')) return null
  return `${zoneCityOf(timeZone)} time`
}
