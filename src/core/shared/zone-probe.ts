import { SECOND_MS } from './duration.ts'
import { MACHINE_LOCALE } from './locale.ts'

/** ICU accepts these although they are no IANA names. Some mislead: to ICU, BST is Dhaka and IST is Kolkata. */
const ICU_ONLY =
  /^(ACT|AET|AGT|ART|AST|BET|BST|CAT|CNT|CST|CTT|EAT|ECT|IET|IST|JST|MIT|NET|NST|PLT|PNT|PRT|PST|SST|VST|SystemV\/.*|US\/Pacific-New)$/i

/** Names that were found to be zones, in lower case. There are fewer than 700, however people write them. */
const knownZones = new Set<string>()

/** Whether `name` is an IANA time zone this runtime knows. Upper and lower case are alike; an offset such as `+01:00` is not a name. */
export function isTimeZone(name: string): boolean {
  const key = name.toLowerCase()
  if (knownZones.has(key)) return true
  if (!/^[A-Za-z][\w+/-]{1,63}$/.test(name) || ICU_ONLY.test(name)) return false
  try {
    makeOffsetProbe(name)
    knownZones.add(key)
    return true
  } catch {
    return false
  }
}

/**
 * Makes a function that asks the runtime's zone database for the UTC offset at an instant, both in milliseconds.
 * An answer costs about a microsecond and the making sixty: `zone-offsets.ts` remembers the answers.
 *
 * @throws RangeError when the runtime does not know the zone, and from the probe when the instant is not a number
 */
export function makeOffsetProbe(timeZone: string): (epochMs: number) => number {
  const format = new Intl.DateTimeFormat(MACHINE_LOCALE, {
    timeZone,
    timeZoneName: 'longOffset',
    hour: '2-digit',
  })
  return (epochMs) => parseOffsetMs(format.format(epochMs))
}

/** Reads the end of `05 AM GMT-00:44:30`; plain `GMT` is zero. */
function parseOffsetMs(text: string): number {
  const [, sign, hours = 0, minutes = 0, seconds = 0] =
    /GMT(?:([+-])(\d\d):(\d\d)(?::(\d\d))?)?$/.exec(text) ?? []
  const size = (Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)
  return (sign === '-' ? -size : size) * SECOND_MS
}
