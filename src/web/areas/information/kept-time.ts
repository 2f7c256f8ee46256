/** "a day", "7 days": as the pages on privacy and cookies say how long something is kept. */
export function inDays(count: number): string {
  return count === 1 ? 'a day' : `${count} days`
}

/** "an hour", "2 hours" */
export function inHours(count: number): string {
  return count === 1 ? 'an hour' : `${count} hours`
}
