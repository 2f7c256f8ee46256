import type { z } from 'zod'
import { type Location, locationBody } from '#contract/availability/locations.ts'

/** What the dialog edits. Source: rule L1. */
export const locationForm = locationBody
export type LocationForm = z.input<typeof locationForm>

/** The dialog's first values: those of the location, or the defaults of a new one. */
export function toLocationForm(location: Location | null): Required<LocationForm> {
  return {
    name: location?.name ?? '',
    address: location?.address ?? '',
    type: location?.type ?? 'physical',
    shareable: location?.shareable ?? false,
    exclusive: location?.exclusive ?? true,
  }
}

export const LOCATION_LABELS = {
  name: 'Name',
  address: 'Address',
  type: 'Type',
  shareable: 'Shareable',
  exclusive: 'Only one appointment at a time',
} as const

/** What a location says in words, where the form's values are none. */
export function describeLocation({ type }: Location) {
  return { type: type === 'online' ? 'Online' : 'Physical' }
}
