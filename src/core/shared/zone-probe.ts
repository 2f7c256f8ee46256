import { SECOND_MS } from './duration.ts'
import { MACHINE_LOCALE } from './locale.ts'

/** Names that ICU accepts although they are not IANA names. Some mislead: to ICU, BST is Dhaka and IST is Kolkata. */
const ICU_ONLY =
  /^(ACT|AET|AGT|ART|AST|BET|BST|CAT|CNT|CST|CTT|EAT|ECT|IET|IST|JST|MIT|NET|NST|PLT|PNT|PRT|PST|SST|VST|SystemV\/.*|US\/Pacific-New)$/i

/** Cache of valid zone names in lower case; fewer than 700. */
const knownZones = new Set<string>()

/**
 * True when `name` is an IANA time zone known to this runtime, ignoring case. Offsets such as `+01:00` are not names.
 */
export function isTimeZone(name: string): boolean {
  const key = name.toLowerCase()
  if (knownZones.has(key)) return true
  if (!/^[A-Za-z][\w+/-]{1,63}$/.test(name) || ICU_ONLY.test(name)) return false
  try {
    makeUtcOffsetLookup(name)
    knownZones.add(key)
    return true
  } catch {
    return false
  }
}

/**
 * Returns a function that looks up the UTC offset at an instant in the runtime's zone database, both in milliseconds. A
 * lookup takes about 1 µs and creating the function about 60 µs, so `zone-offsets.ts` caches the offsets.
 * @throws RangeError when the runtime does not know the zone, and from the returned function when the instant is not a
 * number
 */
export function makeUtcOffsetLookup(timeZone: string): (epochMs: number) => number {
  const format = new Intl.DateTimeFormat(MACHINE_LOCALE, {
    timeZone,
    timeZoneName: 'longOffset',
    hour: '2-digit',
  })
  return (epochMs) => parseOffsetMs(format.format(epochMs))
}

/** Parses the offset at the end of `05 AM GMT-00:44:30`; plain `GMT` is zero. */
function parseOffsetMs(text: string): number {
  const [, sign, hours = 0, minutes = 0, seconds = 0] =
    /GMT(?:([+-])(\d\d):(\d\d)(?::(\d\d))?)?$/.exec(text) ?? []
  const size = (Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)
  return (sign === '-' ? -size : size) * SECOND_MS
}
