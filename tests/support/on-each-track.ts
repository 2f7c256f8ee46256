import { describe } from 'vitest'
import { DATABASE_SETUPS, type DatabaseSetup } from './race-track.ts'

/**
 * Runs race tests on each track. `npm test` runs only the first track, which is the most crowded: it has more runners than
 * connections. Tests on the others have the tag `slow`.
 */
export function testOnEachDatabaseSetup(
  race: (track: DatabaseSetup) => void,
  tracks: readonly DatabaseSetup[] = DATABASE_SETUPS,
): void {
  for (const [index, track] of tracks.entries()) {
    describe(`on ${track.where}`, { tags: index === 0 ? [] : ['slow'] }, () => race(track))
  }
}
