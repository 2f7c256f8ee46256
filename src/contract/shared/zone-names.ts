/** The names of time zones, for screens and mails alike. */

/** Each English-speaking country knows the abbreviations of its own surroundings: BST, CET, NST, AEDT, NZDT, IST. */
const ABBREVIATION_LOCALES = ['en-US', 'en-GB', 'en-CA', 'en-AU', 'en-NZ', 'en-IN']

/** More than there are zones. */
const MOST_ZONES = 700
const formats = new Map<string, readonly Intl.DateTimeFormat[]>()

/** Building a format costs about 50 µs, and a list of times asks for the same zone again and again. */
function formatsOf(timeZone: string): readonly Intl.DateTimeFormat[] {
  const known =
    formats.get(timeZone) ??
    ABBREVIATION_LOCALES.map((locale) => new Intl.DateTimeFormat(locale, { timeZone, timeZoneName: 'short' }))
  if (formats.size < MOST_ZONES) formats.set(timeZone, known)
  return known
}

/** `GMT`, `BST`, `EST` at that instant, or `GMT+5:45` where people use no abbreviation. */
export function zoneAbbreviation(timeZone: string, epochMs: number): string {
  const names = formatsOf(timeZone).map(
    (format) => format.formatToParts(epochMs).find((part) => part.type === 'timeZoneName')?.value ?? timeZone,
  )
  return names.find((name) => !/^(GMT|UTC)[+\-−]/.test(name)) ?? names[0] ?? timeZone
}

/** The present names of zones that some browsers still know under an older one (IANA `backward`). */
const PRESENT_ZONES: Readonly<Record<string, string>> = {
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

/** A zone under its present name: `Asia/Kolkata` for `Asia/Calcutta`. */
export function presentZone(timeZone: string): string {
  return PRESENT_ZONES[timeZone] ?? timeZone
}

/** A zone that is named by its offset, which is written the other way round than people do: `Etc/GMT+5` is five hours behind. */
const OFFSET_ZONE = /GMT([+-])(\d+)$/

/** The place a zone is named after: `New York` for `America/New_York`. `GMT-5` for `Etc/GMT+5`, which is named after none. */
export function zoneCity(timeZone: string): string {
  const [, sign, hours] = OFFSET_ZONE.exec(timeZone) ?? []
  if (sign) return hours === '0' ? 'GMT' : `GMT${sign === '+' ? '-' : '+'}${hours}`
  const present = presentZone(timeZone)
  return (present.split('/').at(-1) ?? present).replaceAll('_', ' ')
}

/** `London time`, after the city in the zone's name; null for UTC and other zones without a city. */
export function zoneCityName(timeZone: string): string | null {
  if (timeZone.startsWith('Etc/') || !timeZone.includes('/')) return null
  return `${zoneCity(timeZone)} time`
}
