import { runTestsAsLongCheck } from './run-tests.ts'

/**
 * The long form of `src/server/app/abuse.test.ts`: an hour of Meridian's clock under all attacks at once, while customers and
 * the owner use Meridian. The test prints the figures. Also the long form of `tests/races/hostile-calendars.test.ts`: each
 * file is synced again and again, in a small heap.
 */
await runTestsAsLongCheck(['src/server/app/abuse.test.ts', 'tests/races/hostile-calendars.test.ts'], {
  flags: ['--project', 'server', '--project', 'measuring-races'],
  env: {
    ABUSE_MINUTES: process.env.ABUSE_MINUTES ?? '60',
    HOSTILE_ROUNDS: '5',
    // An owner may request ten syncs a minute.
    HOSTILE_PAUSE_MS: '6000',
    HOSTILE_RATIO: '2',
    NODE_OPTIONS: '--max-old-space-size=1024',
  },
})
