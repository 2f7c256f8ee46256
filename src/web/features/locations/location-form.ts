import type { z } from 'zod'
import { type Location, locationBody } from '#contract/locations.ts'
import type { FieldError } from '#contract/problem.ts'
import type { MeanwhileChange } from '#web/app/kit/changed-notice.tsx'

/** What the dialog edits. Source: spec §3 "Location", §5 "Location". */
export const locationForm = locationBody
export type LocationForm = z.input<typeof locationForm>

/** The dialog's first values: those of the place, or the defaults of a new one. */
export function toLocationForm(location: Location | null): Required<LocationForm> {
  return {
    name: location?.name ?? '',
    address: location?.address ?? '',
    type: location?.type ?? 'physical',
    shareable: location?.shareable ?? false,
    exclusive: location?.exclusive ?? true,
  }
}

/** What another window has put into the fields that differ, in the words of the form. */
export function describeChanges(errors: readonly FieldError[], now: Location): MeanwhileChange[] {
  const words: Record<string, MeanwhileChange> = {
    name: { label: 'Name', value: now.name },
    address: { label: 'Address', value: now.address ?? 'none' },
    type: { label: 'Type', value: now.type === 'online' ? 'Online' : 'Physical' },
    shareable: { label: 'Shareable', value: now.shareable ? 'on' : 'off' },
    exclusive: { label: 'Only one appointment at a time', value: now.exclusive ? 'on' : 'off' },
  }
  return errors.flatMap(({ path }) => words[path] ?? [])
}
