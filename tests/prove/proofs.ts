/** The long proofs, in the order in which they run. Each is a script that fails when the guarantee in its name does not hold. */
export const LONG_CHECKS = [
  { name: 'many-processes', script: 'tests/prove/many-processes.ts' },
  { name: 'calendar-outage', script: 'tests/prove/calendar-outage.ts' },
  { name: 'kill-nine', script: 'tests/prove/kill-nine.ts' },
  { name: 'cancel-a-day', script: 'tests/prove/cancel-a-day.ts' },
  { name: 'full-disk', script: 'tests/prove/full-disk.ts' },
  { name: 'fuzz', script: 'tests/prove/fuzz.ts' },
  { name: 'properties', script: 'tests/prove/properties.ts' },
  { name: 'abuse', script: 'tests/prove/abuse.ts' },
  { name: 'browsers', script: 'tests/prove/browsers.ts' },
  { name: 'production-image', script: 'tests/prove/production-image.ts' },
] as const satisfies readonly { name: string; script: string }[]
