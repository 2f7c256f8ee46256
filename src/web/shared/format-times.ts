import { formatTime } from './format-date.ts'

/** `9 – 10:30 AM` or `11 AM – 1 PM`, where there is no room for more. */
export function formatTimes(startIso: string, endIso: string, timeZone: string): string {
  const [start, end] = [startIso, endIso].map((iso) => formatTime(iso, timeZone).replace(':00', '')) as [
    string,
    string,
  ] // as many as went in
  const isSameHalf = start.slice(-2) === end.slice(-2)
  return `${isSameHalf ? start.slice(0, -3) : start} – ${end}`
}
