import { describe } from 'vitest'
import { TRACKS, type Track } from './race-track.ts'

/**
 * Runs races on each track. `npm test` runs them on the first one, which is the fullest: more runners than connections. The others
 * have the tag `slow`.
 */
export function onEachTrack(race: (track: Track) => void, tracks: readonly Track[] = TRACKS): void {
  for (const [index, track] of tracks.entries()) {
    describe(`on ${track.where}`, { tags: index === 0 ? [] : ['slow'] }, () => race(track))
  }
}
