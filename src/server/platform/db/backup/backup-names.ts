import { DAY_MS } from '#core/shared/duration.ts'

/** The number of days and of weeks from which the latest backup is kept. Source: rule D20. */
const KEPT_DAYS = 7
const KEPT_WEEKS = 4
const NAME = /^meridian-(\d{4}-\d{2}-\d{2})-\d{4}\.backup$/

/** Names a backup by its minute in UTC, so that names sort by time. */
export function toBackupName(now: Date): string {
  const [day, time = ''] = now.toISOString().split('T')
  return `meridian-${day}-${time.slice(0, 5).replace(':', '')}.backup`
}

/**
 * Lists the backups that are no longer kept: those that are neither the latest of one of the last seven days with a
 * backup nor the latest of one of the last four such weeks. Other files are never listed.
 */
export function listOutdatedBackups(names: readonly string[]): string[] {
  const backups = names
    .filter((name) => NAME.test(name))
    .sort()
    .reverse()
  const kept = new Set([
    ...latestOfEach(backups, dayOf, KEPT_DAYS),
    ...latestOfEach(backups, weekOf, KEPT_WEEKS),
  ])
  return backups.filter((name) => !kept.has(name))
}

/** Returns the first name of each of the first periods. */
function latestOfEach(
  backups: readonly string[],
  periodOf: (name: string) => string | number,
  count: number,
): string[] {
  const latest = new Map<string | number, string>()
  for (const name of backups) if (!latest.has(periodOf(name))) latest.set(periodOf(name), name)
  return [...latest.values()].slice(0, count)
}

function dayOf(name: string): string {
  return NAME.exec(name)?.[1] ?? ''
}

/** Numbers the weeks, which begin on Mondays. January 1, 1970 was a Thursday. */
function weekOf(name: string): number {
  return Math.floor((Date.parse(dayOf(name)) / DAY_MS + 3) / 7)
}
