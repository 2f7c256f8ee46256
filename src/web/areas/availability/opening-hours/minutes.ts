/** `45 minutes`, `1 hour`, `2 h 30 min` */
export function formatMinutes(minutes: number): string {
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60]
  if (hours === 0) return `${rest} minutes`
  if (rest === 0) return hours === 1 ? '1 hour' : `${hours} hours`
  return `${hours} h ${rest} min`
}
