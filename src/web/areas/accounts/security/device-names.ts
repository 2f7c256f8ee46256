import type { OwnSession } from '#contract/accounts/security.ts'

/** The name of each session: `Firefox on Windows (2)` where there are several; the first one seen is 1. */
export function nameDevices(sessions: readonly OwnSession[]): ReadonlyMap<OwnSession['id'], string> {
  const firstSeen = sessions.toSorted((a, b) => a.created_at.localeCompare(b.created_at))
  const alike = Map.groupBy(firstSeen, kindOf)
  const names = [...alike].flatMap(([kind, twins]) =>
    twins.map(({ id }, index) => [id, twins.length === 1 ? kind : `${kind} (${index + 1})`] as const),
  )
  return new Map(names)
}

/** As far as the device says it. */
function kindOf({ browser, system }: OwnSession): string {
  if (browser !== null && system !== null) return `${browser} on ${system}`
  return browser ?? system ?? 'Unknown device'
}
