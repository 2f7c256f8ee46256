/** Where the light stands at one moment. A day has twelve hours of sun, from six to six; then the moon takes its way. */
type TimeOfDay = {
  /** `9:42` on a 12-hour clock. */
  clock: string
  light: 'sun' | 'moon'
  /** Share of the way across the sky: 0 rising, 0.5 on the meridian, 1 setting. */
  at: number
  /** Which side of the meridian it is on; at night the meridian is midnight. */
  side: 'before' | 'after'
  meridian: 'noon' | 'midnight'
}

/** What the wall clock says at `moment`, in the visitor's own zone. */
export function timeOfDay(moment: Date): TimeOfDay {
  const hours = moment.getHours() + moment.getMinutes() / 60
  const sinceSunrise = (hours - 6 + 24) % 24
  const byDay = sinceSunrise < 12
  const at = (sinceSunrise % 12) / 12
  return {
    clock: `${moment.getHours() % 12 || 12}:${String(moment.getMinutes()).padStart(2, '0')}`,
    light: byDay ? 'sun' : 'moon',
    at,
    side: at < 0.5 ? 'before' : 'after',
    meridian: byDay ? 'noon' : 'midnight',
  }
}
